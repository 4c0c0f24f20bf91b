/**
 * Back closes the topmost dialog first. While one is open, the page has a second history entry with the same URL, so
 * that Back stays on the page. The entry is left behind when the dialog is closed otherwise, and then skipped: removing
 * it would take effect only after a navigation that the dialog may just have started.
 */

/** An open dialog. The one that was opened last is on top: Back and Escape are for it alone. */
export type Layer = { close: () => void }

/** The router numbers its entries; the second entry of a page has the number of the first. */
type Entry = { idx?: number; hasSecond?: boolean; isSecond?: boolean } | null
const entry = () => history.state as Entry

let layers: readonly Layer[] = []
let onSecond = false
let last: { idx: number | undefined; href: string } = { idx: undefined, href: '' }

const remember = () => {
  last = { idx: entry()?.idx, href: location.href }
}

function addSecond() {
  if (onSecond) return
  const now = entry()
  // After a reload, or back from another page, the second entry is here already; what has a second is taken for the first.
  if (!now?.isSecond) {
    history.replaceState({ ...now, hasSecond: true }, '')
    history.pushState({ ...now, hasSecond: false, isSecond: true }, '')
  }
  onSecond = true
  remember()
}

const watchers = new Set<() => void>()
function put(next: typeof layers) {
  layers = next
  for (const watcher of watchers) watcher()
}
export const isOnTop = (layer: Layer) => layers.at(-1) === layer
export function watchLayers(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

/** Returns how to end it. `close` is called when the user goes back; the dialog may stay open and ask first. */
export function openLayer(own: Layer): () => void {
  put([...layers, own])
  addSecond()
  return () => put(layers.filter((layer) => layer !== own))
}

function goneBack(event: PopStateEvent) {
  const to = event.state as Entry
  if (to?.idx === undefined || to.idx !== last.idx) return
  if (!to.hasSecond) {
    // Forward to the second entry: nothing changes, unless the URL does; that is for the router.
    onSecond = true
    if (location.href === last.href) event.stopImmediatePropagation()
    return
  }
  event.stopImmediatePropagation()
  // The page's URL may have changed since, by a filter or by the dialog itself.
  if (location.href !== last.href) history.replaceState(to, '', last.href)
  onSecond = false
  const top = layers.at(-1)
  if (!top) return void setTimeout(() => history.back())
  top.close()
  // It asks first, or another one is below it.
  setTimeout(() => {
    if (layers.length > 0) addSecond()
  })
}

/** Before the router listens: it must not hear of steps between the two entries of a page. Returns what follows the router. */
export function watchBack(): () => void {
  remember()
  addEventListener('popstate', goneBack, { capture: true })
  return () => {
    if (entry()?.idx !== last.idx) onSecond = false
    remember()
  }
}
