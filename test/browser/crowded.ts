/** Runs in a page with rows: what scrolls sideways, is cut, or lies over something else. */

/** Elements that overflow, identified by their position. */
export function crowded(): string[] {
  const found: string[] = []
  const over = (element: Element | null) => (element ? element.scrollWidth - element.clientWidth : 0)
  const shown = (element: Element) => element.checkVisibility({ visibilityProperty: true })
  if (over(document.scrollingElement) > 0) found.push('the page scrolls sideways')
  for (const pane of document.querySelectorAll('.mantine-ScrollArea-viewport, section[tabindex="0"]'))
    if (shown(pane) && pane.querySelector('table') && over(pane) > 0)
      found.push(`a table scrolls sideways by ${over(pane)} px`)
  const clips = (element: Element) => {
    const { display, overflowX } = getComputedStyle(element)
    return display !== 'inline' && overflowX !== 'visible'
  }
  /** Text beyond the edge of its cell that is not clipped. */
  const runsOver = (cell: Element) => {
    const edge = cell.getBoundingClientRect().right + 1
    const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const range = document.createRange()
      range.selectNodeContents(texts.currentNode)
      let around = texts.currentNode.parentElement
      while (around && cell.contains(around) && !clips(around)) around = around.parentElement
      if (around && !cell.contains(around) && range.getBoundingClientRect().right > edge) return true
    }
    return false
  }
  const touching = (one: DOMRect, other: DOMRect) =>
    one.left < other.right - 1 &&
    other.left < one.right - 1 &&
    one.top < other.bottom - 1 &&
    other.top < one.bottom - 1
  for (const bar of document.querySelectorAll('main header, [role="toolbar"]')) {
    const parts = [...bar.querySelectorAll('button, input, h1, h2')].filter(
      (part) =>
        shown(part) && !part.parentElement?.closest('button, .mantine-Input-wrapper > [data-position]'),
    )
    for (const [i, part] of parts.entries()) {
      const box = part.getBoundingClientRect()
      const name = part.getAttribute('aria-label') ?? part.textContent
      if (box.right > innerWidth + 1) found.push(`${name} is out of the window`)
      for (const other of parts.slice(i + 1))
        if (!part.contains(other) && touching(box, other.getBoundingClientRect()))
          found.push(`${name} lies over ${other.getAttribute('aria-label') ?? other.textContent}`)
    }
  }
  for (const cell of document.querySelectorAll('tbody td')) {
    if (!shown(cell)) continue
    if (runsOver(cell)) found.push(`"${cell.textContent}" runs out of its column`)
    for (const chip of cell.querySelectorAll('[class*="chip"]'))
      if (chip.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1)
        found.push(`the chip "${chip.textContent}" is cut`)
    // Enough to recognise the row.
    if (cell.hasAttribute('data-pinned') && cell.clientWidth < 40) found.push('a pinned column is too narrow')
  }
  return found
}
