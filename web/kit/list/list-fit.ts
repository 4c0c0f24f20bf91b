/** Which columns of a list there is room for, until the user chooses. */
import { useCallback, useRef, useState } from 'react'

type Sized = { readonly width?: number; readonly pinned?: 'left' | 'right'; readonly card?: string }

/** A column that takes what is left reads well from here on. */
const FLEXIBLE_PX = 120
export const SELECTION_PX = 45
export const ACTIONS_PX = 105

const widthOf = ({ width = FLEXIBLE_PX }: Sized) => width
const gives = ({ pinned, card }: Sized) => pinned === undefined && card !== 'title'
/** What stands beside a card's heading is a state: it goes after all others. */
const givesFirst = (column: Sized) => gives(column) && column.card !== 'beside'

/**
 * The last ones that are not pinned give way first, states after the others; one of them stays.
 * @param room in px, beside the checkboxes and the actions; 0 or less: not known, everything is shown
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

/** The width of an element as it changes; what is hidden (a page behind its tab) keeps what it had. */
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
