/** How wide the content of a list's columns is, measured in the table: widths are declared for usual texts. */
import { useRef, useState } from 'react'
import type { Natural, Naturals } from './list-fit.ts'

const NONE: Naturals = new Map()
/** Between a heading and its sort icon. */
const GAP_PX = 6

/** Of the texts in an element as if nothing cut them: their boxes are laid out whole behind an ellipsis. */
function textWidth(element: Element): number {
  const range = document.createRange()
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let [left, right] = [Number.POSITIVE_INFINITY, 0]
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode)
    const box = range.getBoundingClientRect()
    if (box.width === 0) continue
    left = Math.min(left, box.left)
    right = Math.max(right, box.right)
  }
  return Math.max(0, right - left)
}

function naturalOf(cell: HTMLElement): Natural {
  const { paddingLeft, paddingRight } = getComputedStyle(cell)
  const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)
  const pictures = [...cell.querySelectorAll('svg')]
  const text = textWidth(cell) + padding
  if (cell.tagName === 'TH') {
    const icons = pictures.reduce((sum, icon) => sum + icon.getBoundingClientRect().width + GAP_PX, 0)
    return { px: Math.ceil(text + icons), exact: true }
  }
  const cut = [cell, ...cell.querySelectorAll<HTMLElement>('*')].reduce(
    (most, { scrollWidth, clientWidth }) =>
      clientWidth > 0 ? Math.max(most, scrollWidth - clientWidth) : most,
    0,
  )
  // A picture, a chip or a bar has a width that its text does not tell.
  const isText = pictures.length === 0 && cell.querySelector('button, img, [style*="width"]') === null
  return { px: Math.ceil(cut > 0 ? Math.max(text, cell.offsetWidth + cut) : text), exact: isText }
}

function measured(list: HTMLElement, keys: readonly string[], before: Naturals): Naturals {
  const next = new Map(before)
  for (const row of list.querySelectorAll('thead > tr, tbody > tr')) {
    // Checkboxes come first.
    const first = row.querySelector(':scope > :first-child input[type=checkbox]') ? 1 : 0
    keys.forEach((key, i) => {
      const cell = row.children[i + first]
      if (!(cell instanceof HTMLElement)) return
      const { px, exact } = naturalOf(cell)
      const old = next.get(key)
      next.set(key, { px: Math.max(px, old?.px ?? 0), exact: exact && (old?.exact ?? true) })
    })
  }
  const isSame = (one: Natural | undefined, other: Natural | undefined) =>
    one?.px === other?.px && one?.exact === other?.exact
  return [...next].every(([key, natural]) => isSame(natural, before.get(key))) ? before : next
}

/**
 * Of the shown columns, and the measuring of them in a list. @param about what the list shows: while that is the same, a
 * column needs what its widest content so far needed, so that refreshing does not move columns to and fro
 */
export function useNaturals(about: string) {
  const [naturals, setNaturals] = useState(NONE)
  const known = useRef({ about, naturals })
  const measure = (list: HTMLElement | null, keys: readonly string[]) => {
    // A page behind its tab has no layout.
    if (!list || list.offsetWidth === 0) return
    const before = known.current.about === about ? known.current.naturals : NONE
    known.current = { about, naturals: measured(list, keys, before) }
    setNaturals(known.current.naturals)
  }
  return [naturals, measure] as const
}
