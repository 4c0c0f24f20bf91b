/** Moving and resizing widgets with the pointer, in steps of the grid. */
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { Place } from '#schema/monitor/panel-layout'
import { movedTo, type Widget } from './panel-draft.ts'

/** As in panel.module.css. */
export const ROW_PX = 40
export const GAP_PX = 8
const COLUMNS = 24
/** A shorter way is a click. */
const START_PX = 4

type Drag = { key: string; sizes: boolean; place: Place; x: number; y: number; to: Partial<Place> | null }

/** Where the pointer is from the corner of the grid, which moves when the page scrolls. */
function pointIn(grid: HTMLElement, event: PointerEvent) {
  const { left, top, width } = grid.getBoundingClientRect()
  return { x: event.clientX - left, y: event.clientY - top, cell: (width + GAP_PX) / COLUMNS }
}

/** @param onDone once at the end of a drag that has moved something */
export function usePanelDrag(
  grid: RefObject<HTMLDivElement | null>,
  widgets: readonly Widget[],
  onDone: (list: readonly Widget[]) => void,
) {
  const [drag, setDrag] = useState<Drag | null>(null)
  const moved = useRef(false)
  const shown = drag?.to ? movedTo(widgets, drag.key, drag.to) : widgets
  useEffect(() => {
    if (!drag) return
    const cancel = ({ key }: KeyboardEvent) => {
      if (key === 'Escape') setDrag(null)
    }
    document.addEventListener('keydown', cancel)
    return () => document.removeEventListener('keydown', cancel)
  }, [drag])
  const begin = (event: PointerEvent, { key, x, y, w, h }: Widget, sizes: boolean) => {
    if (!grid.current || event.button !== 0) return
    moved.current = false
    event.currentTarget.setPointerCapture(event.pointerId)
    const from = pointIn(grid.current, event)
    setDrag({ key, sizes, place: { x, y, w, h }, x: from.x, y: from.y, to: null })
  }
  const move = (event: PointerEvent) => {
    if (!drag || !grid.current) return
    const at = pointIn(grid.current, event)
    const [dx, dy] = [at.x - drag.x, at.y - drag.y]
    if (!drag.to && Math.hypot(dx, dy) < START_PX) return
    const [columns, rows] = [Math.round(dx / at.cell), Math.round(dy / (ROW_PX + GAP_PX))]
    const { x, y, w, h } = drag.place
    const to = drag.sizes ? { w: w + columns, h: h + rows } : { x: x + columns, y: y + rows }
    moved.current = true
    setDrag({ ...drag, to })
  }
  const end = () => {
    setDrag(null)
    if (drag?.to) onDone(shown)
  }
  return {
    shown,
    hasMoved: () => moved.current,
    dragged: drag?.to ? drag.key : null,
    /** For the element that is grabbed. */
    grips: (widget: Widget, sizes = false) => ({
      onPointerDown: (event: PointerEvent) => begin(event, widget, sizes),
      onPointerMove: move,
      onPointerUp: end,
      onPointerCancel: () => setDrag(null),
    }),
  }
}
