/** Markers on a map: single devices and clusters, redrawn only where something changed. */
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import classes from './map.module.css'
import { L } from './map-canvas.ts'
import type { Mark } from './map-worker.ts'

const SINGLE_PX = 26
const THOUSAND = 1000
/** z-index above all overlapping markers. */
const ABOVE = 10_000

/** Text of a device on hover and focus. */
export type MarkText = { title: string; lines: readonly string[] }

type Handlers = {
  /** null: not loaded yet; it is fetched, and then `refresh` is called. */
  textOf: (id: number) => MarkText | null
  onDevice: (id: number) => void
  onCluster: (mark: Mark, at: L.LatLng) => void
}

const isCluster = (mark: Mark) => mark.count > 1
const sizeOf = (mark: Mark) => (isCluster(mark) ? 34 + Math.min(26, Math.log10(mark.count) * 7) : SINGLE_PX)
/** 1,234 does not fit into a ring: 1.2k. */
const short = (count: number) =>
  count < THOUSAND
    ? String(count)
    : count < 100 * THOUSAND
      ? `${number(count / THOUSAND, count < 10 * THOUSAND ? 1 : 0)}k`
      : `${Math.round(count / THOUSAND)}k`

/** Contains only numbers, no text from devices. */
function drawing(mark: Mark): string {
  const size = sizeOf(mark)
  const half = size / 2
  if (!isCluster(mark))
    return `<svg width="${size}" height="${size}" aria-hidden="true"><circle cx="${half}" cy="${half}" r="8" stroke-width="${mark.online ? 3 : 2.5}" class="${classes[mark.online ? 'online' : 'offline']}"/></svg>`
  const radius = half - 4
  const round = 2 * Math.PI * radius
  const share = (mark.online / mark.count) * round
  return `<svg width="${size}" height="${size}" aria-hidden="true"><circle cx="${half}" cy="${half}" r="${radius}" stroke-width="5" class="${classes['ring']}"/>${
    share > 0
      ? `<circle cx="${half}" cy="${half}" r="${radius}" stroke-width="5" stroke-dasharray="${share} ${round}" transform="rotate(-90 ${half} ${half})" class="${classes['share']}"/>`
      : ''
  }<text x="${half}" y="${half}" class="${classes['count']}">${short(mark.count)}</text></svg>`
}

const clusterText = (mark: Mark): MarkText => ({
  title: t('kit:map.cluster', { count: number(mark.count) }),
  lines: [t('kit:map.clusterOnline', { count: number(mark.online) })],
})

/** As DOM nodes: names are text from users and devices, never HTML. */
function tipOf({ title, lines }: MarkText): HTMLElement {
  const tip = document.createElement('div')
  tip.className = classes['tip'] ?? ''
  const head = document.createElement('strong')
  head.textContent = title
  tip.append(head)
  for (const line of lines) {
    const row = document.createElement('span')
    row.textContent = line
    tip.append(row)
  }
  return tip
}

export function openMarks(map: L.Map, { textOf, onDevice, onCluster }: Handlers) {
  const shown = new Map<string, { marker: L.Marker; mark: Mark }>()
  let selected: number | null = null
  const layer = L.layerGroup().addTo(map)
  const textFor = (mark: Mark) =>
    isCluster(mark) ? clusterText(mark) : (textOf(mark.id) ?? { title: '…', lines: [] })

  function name(marker: L.Marker, mark: Mark) {
    const { title, lines } = textFor(mark)
    marker.getElement()?.setAttribute('aria-label', [title, ...lines].join(', '))
  }

  function tell(marker: L.Marker, mark: Mark) {
    const is = !isCluster(mark) && mark.id === selected
    marker.getElement()?.toggleAttribute('data-selected', is)
    marker.setZIndexOffset(is ? ABOVE : 0)
  }

  function add(key: string, mark: Mark) {
    const size = sizeOf(mark)
    const marker = L.marker([mark.latitude, mark.longitude], {
      icon: L.divIcon({ html: drawing(mark), className: classes['mark'] ?? '', iconSize: [size, size] }),
      keyboard: true,
      riseOnHover: true,
    })
    const open = () => (isCluster(mark) ? onCluster(mark, marker.getLatLng()) : onDevice(mark.id))
    marker.on('click', open)
    marker.bindTooltip(() => tipOf(textFor(mark)), { direction: 'top', offset: [0, -size / 2] })
    marker.addTo(layer)
    // Leaflet makes it a button, but handles its keys only for popups.
    marker.getElement()?.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      open()
    })
    name(marker, mark)
    tell(marker, mark)
    shown.set(key, { marker, mark })
  }

  return {
    show(marks: readonly Mark[]) {
      const wanted = new Map(
        marks.map((mark) => [
          `${isCluster(mark) ? 'c' : 'd'}${mark.id} ${mark.count} ${mark.online} ${mark.longitude} ${mark.latitude}`,
          mark,
        ]),
      )
      for (const [key, { marker }] of shown) {
        if (wanted.has(key)) continue
        marker.remove()
        shown.delete(key)
      }
      for (const [key, mark] of wanted) if (!shown.has(key)) add(key, mark)
    },
    /** Highlights one device, wherever it appears. */
    select(id: number | null) {
      selected = id
      for (const { marker, mark } of shown.values()) tell(marker, mark)
    },
    /** Called when texts have been loaded. */
    refresh() {
      for (const { marker, mark } of shown.values()) {
        name(marker, mark)
        if (marker.isTooltipOpen()) marker.getTooltip()?.update()
      }
    },
  }
}
