/** Which columns of a list fit the width, unless the user has chosen. */
import { useCallback, useRef, useState } from 'react'

type Sized = {
  readonly width?: number
  readonly pinned?: 'left' | 'right'
  readonly card?: string
  readonly prose?: boolean
}

/** Minimum width of a flexible column. */
const FLEXIBLE_PX = 120
/** For the borders of the list and of its table. */
const BORDERS_PX = 4
/** The longest names fit into it. */
const TITLE_MAX_PX = 420
/** A longer line of text is hard to read; its tooltip has the rest. */
const PROSE_MAX_PX = 520
export const SELECTION_PX = 45
export const ACTIONS_PX = 105

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
  while (sum() > room && shown.filter(gives).length > 1) {
    const last = shown.findLastIndex(givesFirst)
    shown.splice(last === -1 ? shown.findLastIndex(gives) : last, 1)
  }
  return shown
}

/** Up to `most` px wider, together by `left` px at most, each by the same. */
function stretched<C extends Sized>(
  columns: readonly C[],
  isMeant: (column: C) => boolean,
  most: number,
  left: number,
): readonly C[] {
  const meant = columns.filter((column) => isMeant(column) && column.width !== undefined)
  const each = Math.floor(left / Math.max(1, meant.length))
  return columns.map((column) =>
    column.width !== undefined && column.width < most && meant.includes(column)
      ? { ...column, width: Math.min(column.width + each, most) }
      : column,
  )
}

/**
 * The room that is left goes to prose, which is cut most often, then to the title, since names are what users look for,
 * before anything else is stretched.
 */
export function widened<C extends Sized>(columns: readonly C[], room: number): readonly C[] {
  const left = (shown: readonly C[]) =>
    Math.max(0, room - BORDERS_PX - shown.reduce((total, column) => total + widthOf(column), 0))
  const prose = stretched(columns, (column) => column.prose === true, PROSE_MAX_PX, left(columns))
  return stretched(prose, ({ card }) => card === 'title', TITLE_MAX_PX, left(prose))
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
