/** Which columns of a list fit the width, unless the user has chosen. */
import { useCallback, useRef, useState } from 'react'

type Sized = {
  readonly key: string
  readonly width?: number
  readonly pinned?: 'left' | 'right'
  readonly card?: string
  readonly prose?: boolean
  readonly numeric?: boolean
}

/** Of a column's widest content, in px with padding; `exact`: known, so that what exceeds it is room to spare. */
export type Natural = { readonly px: number; readonly exact: boolean }
export type Naturals = ReadonlyMap<string, Natural>

/** Minimum width of a flexible column. */
const FLEXIBLE_PX = 120
/** For the borders of the list and of its table. */
const BORDERS_PX = 4
/** The longest names fit into it. */
const TITLE_MAX_PX = 420
/** A longer line of text is hard to read; its tooltip has the rest. */
const PROSE_MAX_PX = 520
/** A longer text of another column is cut: one sentence must not take the room of all names. */
const OTHERS_MAX_PX = 300
export const SELECTION_PX = 45
const ICON_PX = 28
const ICON_GAP_PX = 2
/** Left and right of the icons. */
const ACTIONS_PADDING_PX = 16
/** Maximum number of actions shown as icons in a row; the others are in a menu. */
export const ICONS_SHOWN = 2
/** Room for the row with the most actions; before rows are known, for the icons and the menu. */
export function actionsPx(counts: readonly number[], icons = ICONS_SHOWN): number {
  const most = counts.length === 0 ? icons + 1 : Math.max(1, ...counts)
  return Math.min(most, icons + 1) * (ICON_PX + ICON_GAP_PX) - ICON_GAP_PX + ACTIONS_PADDING_PX
}

const widthOf = ({ width = FLEXIBLE_PX }: Sized) => width
const gives = ({ pinned, card }: Sized) => pinned === undefined && card !== 'title'
/** The column beside a card's heading is a state: it is hidden after all others. */
const givesFirst = (column: Sized) => gives(column) && column.card !== 'beside'

/**
 * The last columns that are not pinned are hidden first, states after the others; one of them stays. @param room in
 * px, without the checkboxes and the actions; 0 or less: unknown, everything is shown
 */
export function fitting<C extends Sized>(columns: readonly C[], room: number): readonly C[] {
  if (room <= 0) return columns
  const shown = [...columns]
  const sum = () => shown.reduce((total, column) => total + widthOf(column), 0)
  while (sum() > room - BORDERS_PX && shown.filter(gives).length > 1) {
    const last = shown.findLastIndex(givesFirst)
    shown.splice(last === -1 ? shown.findLastIndex(gives) : last, 1)
  }
  return shown
}

/** Lists of a window of 1024 px; in a wider one the icons stay where users know them. */
const TIGHT_PX = 900
/**
 * How many actions are icons: in a narrow list whose rows have a menu anyway, they give way to a column that would be hidden
 * for them, and are found there. @param room in px, without the checkboxes; 0 or less: unknown
 */
export function iconsFor<C extends Sized>(columns: readonly C[], room: number, counts: readonly number[]) {
  const hasMenu = counts.length === 0 || Math.max(...counts) > ICONS_SHOWN
  if (room <= 0 || room > TIGHT_PX || !hasMenu) return ICONS_SHOWN
  const seen = (icons: number) => fitting(columns, Math.max(1, room - actionsPx(counts, icons))).length
  let best = ICONS_SHOWN
  for (let icons = ICONS_SHOWN - 1; icons >= 0; icons--) if (seen(icons) > seen(best)) best = icons
  return best
}

/**
 * Nothing is cut while room is left: columns whose content is narrower than declared give what they do not need to those
 * whose content is wider: first to numbers, which read as other numbers when they are cut, then to the title. Names are
 * what users look for: the title gets what is left then, too.
 */
export function widened<C extends Sized>(
  columns: readonly C[],
  room: number,
  naturals: Naturals = new Map(),
): readonly C[] {
  let free = room - BORDERS_PX - columns.reduce((total, column) => total + widthOf(column), 0)
  if (free < 0) return columns
  const sized = columns.flatMap((column) => {
    const { key, width, card, prose, numeric = false } = column
    if (width === undefined) return []
    const natural = naturals.get(key)
    const isTitle = card === 'title'
    const most = isTitle ? TITLE_MAX_PX : prose ? PROSE_MAX_PX : OTHERS_MAX_PX
    const needed = Math.min(natural?.px ?? 0, most)
    const spare = gives(column) && natural?.exact ? Math.max(0, width - needed) : 0
    return [
      { key, isTitle, numeric, width, lack: Math.max(0, needed - width), spare, unknown: prose && !natural },
    ]
  })
  const rank = ({ numeric, isTitle }: (typeof sized)[number]) => (numeric ? 0 : isTitle ? 1 : 2)
  const inOrder = sized.toSorted((one, other) => rank(one) - rank(other))
  for (const taker of inOrder) {
    for (const giver of sized) {
      // No more than is needed: a list whose content fits keeps its declared widths.
      const given = Math.min(giver.spare, Math.max(0, taker.lack - free))
      giver.spare -= given
      giver.width -= given
      free += given
    }
    const taken = Math.min(taker.lack, free)
    taker.width += taken
    free -= taken
  }
  // Prose is cut most often: until it is measured, it comes before the title.
  const unknown = sized.filter((one) => one.unknown)
  const each = Math.floor(free / Math.max(1, unknown.length))
  for (const one of unknown) {
    const taken = Math.max(0, Math.min(each, PROSE_MAX_PX - one.width))
    one.width += taken
    free -= taken
  }
  for (const one of sized)
    if (one.isTitle && one.width < TITLE_MAX_PX) one.width += Math.min(free, TITLE_MAX_PX - one.width)
  const widths = new Map(sized.map(({ key, width }) => [key, width]))
  return columns.map((column) => {
    const width = widths.get(column.key)
    return width === undefined || width === column.width ? column : { ...column, width }
  })
}

/** As the table draws them: pinned columns come first and last. */
export function drawn<C extends Sized>(columns: readonly C[]): readonly C[] {
  const at = (side: Sized['pinned']) => columns.filter(({ pinned }) => pinned === side)
  return [...at('left'), ...at(undefined), ...at('right')]
}

/** The current width of an element; a hidden element (a page behind its tab) keeps its last width. */
export function useWidth(): readonly [(element: HTMLElement | null) => void, number] {
  const [width, setWidth] = useState(0)
  const watching = useRef<ResizeObserver | null>(null)
  const ref = useCallback((element: HTMLElement | null) => {
    watching.current?.disconnect()
    if (!element) return
    const measure = () => {
      if (element.offsetWidth > 0) setWidth(element.offsetWidth)
    }
    measure()
    watching.current = new ResizeObserver(measure)
    watching.current.observe(element)
  }, [])
  return [ref, width]
}
