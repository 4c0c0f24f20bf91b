/** Markers on a map: single devices and clusters, redrawn only where something changed. */
import { type Severity, severities } from '#schema/alarm/alarm-kind'
import { type DeviceState, deviceStates } from '#schema/device/device-state'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import classes from './map.module.css'
import { L } from './map-canvas.ts'
import { type Mark, markSize } from './map-clusters.ts'

const THOUSAND = 1000
/** z-index above all overlapping markers. */
const ABOVE = 10_000
/** How long the pointer rests on a device before its popup opens, and how long the popup then waits for the pointer. */
const REST_MS = 150

/** Text of a device for assistive technology, and in the list of devices at one position. */
export type MarkText = { title: string; lines: readonly string[] }

type Handlers = {
  /** null: not loaded yet; it is fetched, and then `refresh` is called. */
  textOf: (id: number) => MarkText | null
  onDevice: (id: number) => void
  onCluster: (mark: Mark, at: L.LatLng) => void
  /** The pointer or the keyboard's focus reached a device, or left it; `enter`: the user wants to act in the popup. */
  onPeek: (id: number, at: L.LatLng, enter: boolean) => void
  onLeave: () => void
}

const isCluster = (mark: Mark) => mark.count > 1
const sizeOf = ({ count }: Mark) => markSize(count)
/** 1,234 does not fit into a ring: 1.2k. */
const short = (count: number) =>
  count < THOUSAND
    ? String(count)
    : count < 100 * THOUSAND
      ? `${number(count / THOUSAND, count < 10 * THOUSAND ? 1 : 0)}k`
      : `${Math.round(count / THOUSAND)}k`

const severityOf = (alarm: number): Severity | null => (alarm === 0 ? null : (severities[alarm - 1] ?? null))

/** Shapes as in lists (web/alarm/alarm-mark.tsx), centred at 0, 0. */
const badges: Record<Severity, string> = {
  critical: '<path d="M-2.9-7h5.8L7-2.9v5.8L2.9 7h-5.8L-7 2.9v-5.8z"/>',
  major: '<path d="M0-7 7.5 6h-15z"/>',
  minor: '<path d="M0-7 7 0 0 7-7 0z"/>',
  warning: '<circle r="5"/>',
  info: '<rect x="-5" y="-5" width="10" height="10" rx="2"/>',
}
const badge = (alarm: number, x: number, y: number) => {
  const severity = severityOf(alarm)
  return severity === null
    ? ''
    : `<g transform="translate(${x} ${y})" class="${classes['badge']}" data-severity="${severity}">${badges[severity]}</g>`
}

/** What the circle of a single device contains besides its colour. */
const signs: Partial<Record<DeviceState, string>> = {
  rebooting: '<path d="M3.2-2A4 4 0 1 0 4 .8M3.6-4.4V-1.6H.8" class="$"/>',
  upgrading: '<path d="M0 4V-4M-3.2-.8 0-4l3.2 3.2" class="$"/>',
  revoked: '<path d="M-3-3 3 3M3-3-3 3" class="$"/>',
}

/** A ring of arcs, one per state, in the order of `deviceStates`. */
function ring(mark: Mark, half: number): string {
  const radius = half - 4
  const round = 2 * Math.PI * radius
  let before = 0
  return deviceStates
    .filter((state) => mark.states[state] > 0)
    .map((state) => {
      const part = (mark.states[state] / mark.count) * round
      const arc = `<circle cx="${half}" cy="${half}" r="${radius}" stroke-width="5" stroke-dasharray="${part} ${round}" stroke-dashoffset="${-before}" transform="rotate(-90 ${half} ${half})" class="${classes['share']}" data-state="${state}"/>`
      before += part
      return arc
    })
    .join('')
}

const stateOf = (mark: Mark): DeviceState =>
  deviceStates.find((state) => mark.states[state] > 0) ?? 'neverSeen'

/** Contains only numbers and declared names, no text from devices. */
function drawing(mark: Mark): string {
  const size = sizeOf(mark)
  const half = size / 2
  const open = `<svg width="${size}" height="${size}" aria-hidden="true">`
  if (isCluster(mark))
    return `${open}<circle cx="${half}" cy="${half}" r="${half - 4}" class="${classes['ring']}"/>${ring(mark, half)}<text x="${half}" y="${half}" class="${classes['count']}">${short(mark.count)}</text>${badge(mark.alarm, size - 6, 6)}</svg>`
  const state = stateOf(mark)
  const sign = (signs[state] ?? '').replace('$', classes['sign'] ?? '')
  return `${open}<circle cx="${half}" cy="${half}" r="8" class="${classes['device']}" data-state="${state}"/><g transform="translate(${half} ${half})">${sign}</g>${badge(mark.alarm, size - 6, 6)}</svg>`
}

function clusterText({ count, states, alarm, alarmed }: Mark): MarkText {
  const severity = severityOf(alarm)
  return {
    title: t('kit:map.cluster', { count: number(count) }),
    lines: [
      ...deviceStates
        .filter((state) => states[state] > 0)
        .map((state) => `${t(`device-state:${state}`)} ${number(states[state])}`),
      ...(severity === null
        ? []
        : [
            t('device-map:map.alarmed', {
              count: alarmed,
              shown: number(alarmed),
              severity: t(`severity:${severity}`),
            }),
          ]),
    ],
  }
}

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

export function openMarks(map: L.Map, { textOf, onDevice, onCluster, onPeek, onLeave }: Handlers) {
  const shown = new Map<string, { marker: L.Marker; mark: Mark }>()
  let selected: number | null = null
  let rest: ReturnType<typeof setTimeout> | undefined
  const layer = L.layerGroup().addTo(map)

  function textFor(mark: Mark): MarkText {
    if (isCluster(mark)) return clusterText(mark)
    const { title, lines } = textOf(mark.id) ?? { title: '…', lines: [] }
    const severity = severityOf(mark.alarm)
    const alarm =
      severity === null ? [] : [t('device-map:map.alarm', { severity: t(`severity:${severity}`) })]
    return { title, lines: [...lines, t(`device-state:${stateOf(mark)}`), ...alarm] }
  }

  function name(marker: L.Marker, mark: Mark) {
    const { title, lines } = textFor(mark)
    marker.getElement()?.setAttribute('aria-label', [title, ...lines].join(t('kit:comma')))
  }

  function tell(marker: L.Marker, mark: Mark) {
    const is = !isCluster(mark) && mark.id === selected
    marker.getElement()?.toggleAttribute('data-selected', is)
    marker.setZIndexOffset(is ? ABOVE : 0)
  }

  /** [§2] Hover shows the device, a click opens its page; a finger cannot hover, so its first tap shows the device. */
  function device(marker: L.Marker, id: number, element: HTMLElement) {
    const peek = (enter: boolean) => onPeek(id, marker.getLatLng(), enter)
    element.addEventListener('pointerenter', ({ pointerType }) => {
      clearTimeout(rest)
      if (pointerType === 'mouse') rest = setTimeout(() => peek(false), REST_MS)
    })
    element.addEventListener('pointerleave', () => {
      clearTimeout(rest)
      onLeave()
    })
    element.addEventListener('focus', () => {
      if (element.matches(':focus-visible')) peek(false)
    })
    element.addEventListener('blur', onLeave)
    let touched = false
    element.addEventListener('pointerdown', ({ pointerType }) => {
      touched = pointerType !== 'mouse'
    })
    marker.on('click', () => {
      clearTimeout(rest)
      if (touched) peek(true)
      else onDevice(id)
    })
    element.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') onDevice(id)
      else if (key === ' ') peek(true)
      else if (key === 'Escape') onLeave()
    })
  }

  function add(key: string, mark: Mark) {
    const size = sizeOf(mark)
    const marker = L.marker([mark.latitude, mark.longitude], {
      icon: L.divIcon({ html: drawing(mark), className: classes['mark'] ?? '', iconSize: [size, size] }),
      keyboard: true,
      riseOnHover: true,
    }).addTo(layer)
    const element = marker.getElement()
    if (!element) return
    // Leaflet makes it a button, but handles its keys only for popups; a space would scroll the page.
    element.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return
      event.preventDefault()
      if (isCluster(mark)) onCluster(mark, marker.getLatLng())
    })
    if (isCluster(mark)) {
      marker.on('click', () => onCluster(mark, marker.getLatLng()))
      marker.bindTooltip(() => tipOf(clusterText(mark)), { direction: 'top', offset: [0, -size / 2] })
    } else device(marker, mark.id, element)
    name(marker, mark)
    tell(marker, mark)
    shown.set(key, { marker, mark })
  }

  return {
    show(marks: readonly Mark[]) {
      const wanted = new Map(
        marks.map((mark) => [
          `${isCluster(mark) ? 'c' : 'd'}${mark.id} ${Object.values(mark.states).join(' ')} ${mark.alarm} ${mark.alarmed} ${mark.longitude} ${mark.latitude}`,
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
      for (const { marker, mark } of shown.values()) name(marker, mark)
    },
    /** With the map: a pointer that rests on a marker does not leave it when the page is left by a key or a click. */
    close: () => clearTimeout(rest),
  }
}
