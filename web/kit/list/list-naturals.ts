/** How wide the content of a list's columns is, measured in the table: widths are declared for usual texts. */
import { useRef, useState } from 'react'
import type { Natural, Naturals } from './list-fit.ts'

const NONE: Naturals = new Map()
/** Between a text and its icon. */
const GAP_PX = 6

const px = (length: string) => Number.parseFloat(length) || 0

type Span = { readonly left: number; readonly right: number }

/** Of boxes beside each other; texts are laid out whole behind an ellipsis. */
function extent(spans: readonly Span[]): number {
  const drawn = spans.filter(({ left, right }) => right > left)
  if (drawn.length === 0) return 0
  return Math.max(...drawn.map(({ right }) => right)) - Math.min(...drawn.map(({ left }) => left))
}

/** With what the elements around it in its cell add: the rounded ends of a chip are padding. */
function padded({ left, right }: Span, inner: Element | null, cell: Element): Span {
  if (right <= left) return { left, right }
  const span = { left, right }
  for (let around = inner; around && around !== cell; around = around.parentElement) {
    const style = getComputedStyle(around)
    // A positive margin may be what is left of the column.
    span.left -= px(style.paddingLeft) + px(style.borderLeftWidth) + Math.min(0, px(style.marginLeft))
    span.right += px(style.paddingRight) + px(style.borderRightWidth) + Math.min(0, px(style.marginRight))
  }
  return span
}

function textSpans(cell: Element): readonly Span[] {
  const range = document.createRange()
  const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
  const spans: Span[] = []
  while (texts.nextNode()) {
    range.selectNodeContents(texts.currentNode)
    spans.push(padded(range.getBoundingClientRect(), texts.currentNode.parentElement, cell))
  }
  return spans
}

/**
 * A picture, a bar or a button has a width that its text does not tell. What is copied by a click is text, and a chip is
 * as wide as its icon and its text: they say so by `data-text`.
 */
const NOT_ONLY_TEXT = 'svg, img, button:not([data-text]), .mantine-Badge-root, [style*="width"]'

/** Independent of the current width of the cell: what is measured must not follow from what was measured before. */
function naturalOf(cell: HTMLElement): Natural {
  const { paddingLeft, paddingRight } = getComputedStyle(cell)
  const texts = textSpans(cell)
  // What fills its cell needs no width of its own: with the cell's padding it would need more each time it is measured.
  const icons = [...cell.querySelectorAll('svg:not([data-fills])')].filter(
    (icon) => icon.getBoundingClientRect().width > 0,
  )
  const isHead = cell.tagName === 'TH'
  // The cell itself overflows by the focus ring of its name.
  const isCut = [...cell.querySelectorAll('*')].some(
    ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth,
  )
  // Icons are placed over the end of a truncated text, and at the end of a heading's column.
  const content =
    isHead || isCut
      ? icons.reduce((sum, icon) => sum + icon.getBoundingClientRect().width + GAP_PX, extent(texts))
      : extent([
          ...texts,
          ...icons.map((icon) => padded(icon.getBoundingClientRect(), icon.parentElement, cell)),
        ])
  const isText =
    isHead || [...cell.querySelectorAll(NOT_ONLY_TEXT)].every((one) => one.closest('[data-text]') !== null)
  return { px: Math.ceil(content + px(paddingLeft) + px(paddingRight)), exact: isText }
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
