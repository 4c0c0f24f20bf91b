/** The popup of one device: it opens on hover, focus or tap, and stays while the pointer or the focus is in it. */
import { L } from './map-canvas.ts'

/** Time to get from the marker into the popup. */
const LEAVE_MS = 300
const WIDTH = 264
/** Above the marker. */
const OFFSET_PX = 10

/** Where React renders the content. */
export type Peeked = { deviceId: number; element: HTMLElement }

export function openPopup(map: L.Map, onPeeked: (peeked: Peeked | null) => void) {
  let leaving: ReturnType<typeof setTimeout> | undefined
  let shown: { id: number; popup: L.Popup } | null = null

  const stay = () => clearTimeout(leaving)
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
    /** @param enter Moves the focus into it, and the map so that all of it is visible. */
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
        autoPan: enter,
        closeButton: enter,
        offset: [0, -OFFSET_PX],
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
    resized: () => shown?.popup.update(),
  }
}
