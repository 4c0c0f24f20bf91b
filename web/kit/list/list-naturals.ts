/** How wide the content of a list's columns is, measured in the table: widths are declared for usual texts. */
import { useRef, useState } from 'react'
import type { Natural, Naturals } from './list-fit.ts'

const NONE: Naturals = new Map()
/** Between a text and its icon. */
const GAP_PX = 6

/** Of boxes beside each other; texts are laid out whole behind an ellipsis. */
function extent(boxes: readonly DOMRect[]): number {
  const drawn = boxes.filter(({ width }) => width > 0)
  if (drawn.length === 0) return 0
  return Math.max(...drawn.map(({ right }) => right)) - Math.min(...drawn.map(({ left }) => left))
}

function textBoxes(element: Element): readonly DOMRect[] {
  const range = document.createRange()
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const boxes: DOMRect[] = []
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode)
    boxes.push(range.getBoundingClientRect())
  }
  return boxes
}

/** Independent of the current width of the cell: what is measured must not follow from what was measured before. */
function naturalOf(cell: HTMLElement): Natural {
  const { paddingLeft, paddingRight } = getComputedStyle(cell)
  const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight)
  const texts = textBoxes(cell)
  const icons = [...cell.querySelectorAll('svg')].map((icon) => icon.getBoundingClientRect())
  const isHead = cell.tagName === 'TH'
  // The cell itself overflows by the focus ring of its name.
  const isCut = [...cell.querySelectorAll('*')].some(
    ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
  )
  // The icons of a cut text stand over its end; that of a heading at the end of its column.
  const px =
    isHead || isCut
      ? icons.reduce((sum, { width }) => sum + width + GAP_PX, extent(texts))
      : extent([...texts, ...icons])
  // A picture, a chip or a bar has a width that its text does not tell.
  const isText =
    isHead || (icons.length === 0 && cell.querySelector('button, img, [style*="width"]') === null)
  return { px: Math.ceil(px + padding), exact: isText }
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
