/** Drawing a region on the map: a rectangle by dragging, a polygon corner by corner; Escape ends it. */
import { CORNERS_MAX, type Region, rectangle, regionOf } from '#schema/device/region'
import classes from './map.module.css'
import { L } from './map-canvas.ts'
import { type Datum, fromMap, toMap } from './map-datum.ts'

export type Drawing = 'rectangle' | 'polygon'
/** A click this near to the first corner closes a polygon. */
const CLOSE_PX = 12
/** A rectangle smaller than this was a click. */
const DRAG_PX = 6

const clamp = (value: number, limit: number) => Math.max(-limit, Math.min(limit, value))

/** @param onDrawn null: given up. */
export function openRegion(map: L.Map, datum: Datum, onDrawn: (region: Region | null) => void) {
  const style: L.PolylineOptions = { className: classes['region'] ?? '', interactive: false }
  const shape = L.polygon([], style).addTo(map)
  const holder = map.getContainer()
  let stop: (() => void) | null = null

  const cornerOf = ({ lng, lat }: L.LatLng) => {
    const { longitude, latitude } = fromMap({ longitude: lng, latitude: lat }, datum)
    return { longitude: clamp(longitude, 180), latitude: clamp(latitude, 90) }
  }
  const put = (region: Region | null) =>
    shape.setLatLngs(
      (region ?? []).map((corner) => {
        const { longitude, latitude } = toMap(corner, datum)
        return [latitude, longitude] as [number, number]
      }),
    )
  const at = (event: MouseEvent) => map.mouseEventToLatLng(event)
  const end = (region: Region | null) => {
    stop?.()
    stop = null
    if (region === null) put(null)
    onDrawn(region)
  }

  function begin(listeners: Record<string, (event: Event) => void>) {
    stop?.()
    put(null)
    holder.dataset['drawing'] = 'true'
    map.dragging.disable()
    map.doubleClickZoom.disable()
    const all: Record<string, (event: Event) => void> = {
      ...listeners,
      // Markers and the map itself must not react to what draws.
      click: (event) => event.stopPropagation(),
    }
    for (const [name, listener] of Object.entries(all)) holder.addEventListener(name, listener, true)
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') end(null)
    }
    addEventListener('keydown', onKey, true)
    stop = () => {
      delete holder.dataset['drawing']
      map.dragging.enable()
      map.doubleClickZoom.enable()
      for (const [name, listener] of Object.entries(all)) holder.removeEventListener(name, listener, true)
      removeEventListener('keydown', onKey, true)
    }
  }
  const isControl = (event: Event) => (event.target as Element).closest('.leaflet-control, button') !== null

  function drawRectangle() {
    let from: { event: PointerEvent; latlng: L.LatLng } | null = null
    const regionTo = (event: PointerEvent) =>
      from === null ? null : rectangle(cornerOf(from.latlng), cornerOf(at(event)))
    begin({
      pointerdown: (event) => {
        if (isControl(event)) return
        event.stopPropagation()
        event.preventDefault()
        from = { event: event as PointerEvent, latlng: at(event as PointerEvent) }
      },
      pointermove: (event) => put(regionTo(event as PointerEvent)),
      pointerup: (event) => {
        const { clientX, clientY } = event as PointerEvent
        const region = regionTo(event as PointerEvent)
        const far = from
          ? Math.hypot(clientX - from.event.clientX, clientY - from.event.clientY) > DRAG_PX
          : false
        from = null
        if (region && far) end(region)
      },
    })
  }

  function drawPolygon() {
    const corners: L.LatLng[] = []
    const region = () => (corners.length < 3 ? null : corners.map(cornerOf))
    const isAtFirst = (event: PointerEvent) => {
      const [first] = corners
      return (
        first !== undefined &&
        corners.length > 2 &&
        map.latLngToContainerPoint(first).distanceTo(map.mouseEventToContainerPoint(event)) < CLOSE_PX
      )
    }
    begin({
      pointerdown: (event) => {
        if (isControl(event)) return
        event.stopPropagation()
        event.preventDefault()
        if (isAtFirst(event as PointerEvent)) {
          end(region())
          return
        }
        if (corners.length < CORNERS_MAX) corners.push(at(event as PointerEvent))
        shape.setLatLngs(corners)
      },
      pointermove: (event) => {
        if (corners.length > 0) shape.setLatLngs([...corners, at(event as PointerEvent)])
      },
      dblclick: (event) => {
        event.stopPropagation()
        // The second press of a double click was counted as a corner of its own.
        corners.pop()
        const drawn = region()
        if (drawn) end(drawn)
      },
    })
  }

  return {
    draw: (drawing: Drawing) => (drawing === 'rectangle' ? drawRectangle() : drawPolygon()),
    giveUp: () => end(null),
    /** Shows a region from the address; an empty text shows none. */
    show: (text: string) => {
      if (stop === null) put(regionOf(text))
    },
    /** What the window shows, as a region: drawing without a pointer. */
    window: (): Region => {
      const bounds = map.getBounds()
      return rectangle(cornerOf(bounds.getSouthWest()), cornerOf(bounds.getNorthEast()))
    },
    close: () => stop?.(),
  }
}
