/** The popup of one device: it opens on hover, focus or tap, and stays while the pointer or the focus is in it. */
import { L } from './map-canvas.ts'

/** Time to get from the marker into the popup. */
const LEAVE_MS = 300
const WIDTH = 264
/** From the middle of the marker. */
const OFFSET_PX = 14
/** Leaflet keeps it free for the tip below the popup. */
const TIP_PX = 20
const EDGE_PX = 8

/** Where React renders the content. */
export type Peeked = { deviceId: number; element: HTMLElement }

export function openPopup(map: L.Map, onPeeked: (peeked: Peeked | null) => void) {
  let leaving: ReturnType<typeof setTimeout> | undefined
  let shown: { id: number; popup: L.Popup } | null = null

  const stay = () => clearTimeout(leaving)
  /** Above the marker, else below it, and always inside the map: moving the map under the pointer would confuse. */
  function fit() {
    const frame = shown?.popup.getElement()
    const at = shown?.popup.getLatLng()
    if (!frame || !at) return
    const { x, y } = map.latLngToContainerPoint(at)
    const [width, height] = [frame.offsetWidth, frame.offsetHeight]
    const size = map.getSize()
    const left = Math.max(EDGE_PX, Math.min(size.x - width - EDGE_PX, x - width / 2))
    const above = y - OFFSET_PX - TIP_PX - height
    const below = Math.min(y + OFFSET_PX, size.y - height - EDGE_PX)
    const top = above >= 0 ? above : Math.max(0, below)
    frame.toggleAttribute('data-moved', above < 0 || left !== x - width / 2)
    if (shown) shown.popup.options.offset = [left + width / 2 - x, top + height + TIP_PX - y]
    shown?.popup.update()
  }
  function close() {
    stay()
    const before = shown
    shown = null
    if (!before) return
    before.popup.remove()
    onPeeked(null)
  }
  function leave() {
    stay()
    leaving = setTimeout(() => {
      if (!shown?.popup.getElement()?.contains(document.activeElement)) close()
    }, LEAVE_MS)
  }

  map.on('popupclose', ({ popup }) => {
    if (popup === shown?.popup) close()
  })

  return {
    leave,
    close,
    /** @param enter Moves the focus into it. */
    peek(id: number, at: L.LatLng, enter: boolean) {
      stay()
      if (shown?.id === id) {
        if (enter) shown.popup.getElement()?.querySelector('a')?.focus()
        return
      }
      close()
      const element = document.createElement('div')
      const popup = L.popup({
        minWidth: WIDTH,
        maxWidth: WIDTH,
        autoPan: false,
        closeButton: enter,
      })
        .setLatLng(at)
        .setContent(element)
      shown = { id, popup }
      popup.openOn(map)
      const frame = popup.getElement()
      frame?.addEventListener('pointerenter', stay)
      frame?.addEventListener('pointerleave', (event) => {
        if (event.pointerType === 'mouse') leave()
      })
      frame?.addEventListener('focusout', leave)
      frame?.addEventListener('keydown', ({ key }) => {
        if (key === 'Escape') close()
      })
      onPeeked({ deviceId: id, element })
      // After React has rendered the links.
      if (enter) setTimeout(() => frame?.querySelector('a')?.focus({ preventScroll: true }), LEAVE_MS)
    },
    resized: fit,
  }
}
