/** The map of the home page: worker, canvas and markers, outside React. */
import { getDeviceInfo, type getDeviceMap, type getWeakSignals, MAP_SCALE } from '#schema/device/device-map'
import { deviceDetailScreen } from '#schema/device/device-pages'
import { deviceStates } from '#schema/device/device-state'
import type { Region } from '#schema/device/region'
import type { ReplyOf } from '#schema/kit/call'
import { signalBands } from '#schema/report/report'
import { isCancelled, request } from '../kit/api.ts'
import { goTo } from '../kit/navigation.ts'
import { ifHeld } from '../kit/page-link.tsx'
import classes from './map.module.css'
import { createMap, L, type MapSettings } from './map-canvas.ts'
import type { Frame, Listed, Mark } from './map-clusters.ts'
import { toMap } from './map-datum.ts'
import { HeatLayer } from './map-heat-layer.ts'
import { openMapIndex } from './map-index.ts'
import { type MarkText, openMarks } from './map-marks.ts'
import { openPopup, type Peeked } from './map-popup.ts'
import { type Drawing, openRegion } from './map-region.ts'
import type { View } from './map-view.ts'

export type MapPoints = ReplyOf<typeof getDeviceMap>
export type WeakSignals = ReplyOf<typeof getWeakSignals>
export type InView = { devices: Listed[]; total: number }
/** Names fetched at once: as many markers as fit into a window, and some more. */
const NAMES_AT_ONCE = 500
/** Maximum rows beside the map, and in the popup of one position. */
const LISTED = 40
/** Zoom at which streets are visible. */
const STREET_ZOOM = 16
const PAN_PAUSE_MS = 80
/** Maximum zoom when moving to the devices. */
const FOUND_ZOOM_MAX = 11

const pathOf = (deviceId: number) => ifHeld(deviceDetailScreen, `/device/particulars/0/${deviceId}`)
function openDevice(deviceId: number) {
  const path = pathOf(deviceId)
  if (path !== null) goTo(path)
}

function columns(points: MapPoints) {
  const { deviceIds, states, alarms } = points
  return {
    ids: Int32Array.from(deviceIds),
    longitudes: Float64Array.from(points.longitudes, (value) => value / MAP_SCALE),
    latitudes: Float64Array.from(points.latitudes, (value) => value / MAP_SCALE),
    states: Uint8Array.from(deviceIds, (_, i) => Number(states[i])),
    alarms: Uint8Array.from(deviceIds, (_, i) => Number(alarms[i])),
  }
}

/** Changes when a marker moves, and not with the states of devices. */
const placesOf = ({ longitudes, latitudes }: MapPoints) => `${longitudes.join()} ${latitudes.join()}`

/** South-west and north-east of all devices; null: there are none. */
function boundsOf({ longitudes, latitudes }: MapPoints) {
  if (longitudes.length === 0) return null
  const ends = (values: readonly number[]) =>
    values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)] as const, [
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ] as const)
  const [[west, east], [south, north]] = [ends(longitudes), ends(latitudes)]
  return [
    { longitude: west / MAP_SCALE, latitude: south / MAP_SCALE },
    { longitude: east / MAP_SCALE, latitude: north / MAP_SCALE },
  ]
}

type Watchers = {
  /** What is in view, after every move. */
  onView: (inView: InView, view: View) => void
  /** Which device's popup is open. */
  onPeeked: (peeked: Peeked | null) => void
  /** A region was drawn; null: given up. */
  onDrawn: (region: Region | null) => void
}

export function openMapWorld(element: HTMLElement, settings: MapSettings, view: View, watchers: Watchers) {
  const index = openMapIndex()
  const canvas = createMap(element, settings, index, view)
  const { map } = canvas
  const popup = openPopup(map, watchers.onPeeked)
  const region = openRegion(map, settings.datum, watchers.onDrawn)
  const heat = new HeatLayer(index)
  const texts = new Map<number, MarkText>()
  let over = false
  let turn = 0
  let heatTurn = 0
  let pause: ReturnType<typeof setTimeout> | undefined
  let loaded = false
  let places = ''

  const marks = openMarks(map, {
    textOf: (id) => texts.get(id) ?? null,
    onDevice: openDevice,
    onCluster: (mark, at) => void openCluster(mark, at),
    onPeek: popup.peek,
    onLeave: popup.leave,
  })

  /** Fetches serial number, name and address of devices when they are first seen. */
  async function learn(ids: readonly number[]): Promise<void> {
    const unknown = ids.filter((id) => !texts.has(id)).slice(0, NAMES_AT_ONCE)
    if (unknown.length === 0) return
    try {
      const { list } = await request(getDeviceInfo, { deviceIds: unknown })
      for (const item of list)
        texts.set(item.deviceId, {
          title: item.deviceName,
          lines: [item.deviceSn, ...(item.deviceAddress ? [item.deviceAddress] : [])],
        })
      marks.refresh()
    } catch (error) {
      // Fetched again with the next move; the markers work without names.
      if (!isCancelled(error)) texts.clear()
    }
  }

  const frameOf = (): Frame => {
    const bounds = map.getBounds()
    return {
      west: Math.max(-180, bounds.getWest()),
      south: bounds.getSouth(),
      east: Math.min(180, bounds.getEast()),
      north: bounds.getNorth(),
    }
  }

  async function look(): Promise<void> {
    if (!loaded || over) return
    turn += 1
    const mine = turn
    const [frame, zoom] = [frameOf(), map.getZoom()]
    const [seen, listed] = await Promise.all([
      index.ask('marks', [frame, zoom]),
      index.ask('within', [frame, zoom, LISTED]),
    ])
    if (over || mine !== turn) return
    marks.show(seen)
    const { lat, lng } = map.getCenter()
    watchers.onView(listed, { latitude: lat, longitude: lng, zoom })
    void learn(seen.filter(({ count }) => count === 1).map(({ id }) => id))
  }
  map.on('moveend', () => {
    clearTimeout(pause)
    pause = setTimeout(() => void look(), PAN_PAUSE_MS)
  })

  /** Zooms to where the cluster splits; devices at the same position are listed instead. */
  async function openCluster(mark: Mark, at: L.LatLng): Promise<void> {
    const zoom = await index.ask('opensAt', [mark.id])
    if (over) return
    if (zoom !== null) {
      map.setView(at, zoom)
      return
    }
    const ids = await index.ask('members', [mark.id, LISTED])
    await learn(ids)
    if (!over) L.popup({ maxWidth: 280 }).setLatLng(at).setContent(listOf(ids)).openOn(map)
  }

  function listOf(ids: readonly number[]): HTMLElement {
    const list = document.createElement('ul')
    list.className = classes['popup'] ?? ''
    for (const id of ids) {
      const { title, lines } = texts.get(id) ?? { title: String(id), lines: [] }
      const link = document.createElement('a')
      const path = pathOf(id)
      if (path !== null) link.href = path
      link.textContent = [title, ...lines].join(' · ')
      link.onclick = (event) => {
        event.preventDefault()
        openDevice(id)
      }
      const row = document.createElement('li')
      row.append(link)
      list.append(row)
    }
    return list
  }

  return {
    /** @param find If no device is in the initial view, move to where the devices are. */
    async load(points: MapPoints, find: boolean) {
      const given = columns(points)
      await index.ask(
        'load',
        [given, settings.datum, deviceStates],
        Object.values(given).map(({ buffer }) => buffer),
      )
      texts.clear()
      loaded = true
      const now = placesOf(points)
      if (now !== places) canvas.makeRoom()
      places = now
      if (find && !over && (await index.ask('within', [frameOf(), map.getZoom(), 1])).total === 0) {
        const bounds = boundsOf(points)
        if (bounds && !over)
          map.fitBounds(
            bounds.map((corner) => {
              const { latitude, longitude } = toMap(corner, settings.datum)
              return [latitude, longitude] as [number, number]
            }),
            { animate: false, maxZoom: FOUND_ZOOM_MAX, padding: [32, 32] },
          )
      }
      await look()
    },
    locate(place: { longitude: number; latitude: number }) {
      const { longitude, latitude } = toMap(place, settings.datum)
      map.setView([latitude, longitude], Math.max(STREET_ZOOM, map.getZoom()))
    },
    /** null: without the heat layer. */
    async showHeat(weak: WeakSignals | null) {
      heatTurn += 1
      const mine = heatTurn
      if (weak === null) {
        heat.remove()
        return
      }
      const degrees = (values: readonly number[]) => values.map((value) => value / MAP_SCALE)
      const points = {
        longitudes: degrees(weak.longitudes),
        latitudes: degrees(weak.latitudes),
        dbm: weak.dbm,
      }
      await index.ask('loadHeat', [points, settings.datum, signalBands.fair])
      // Switched off since, or newer data is on the way.
      if (over || mine !== heatTurn) return
      if (map.hasLayer(heat)) heat.redraw()
      else heat.addTo(map)
    },
    select: marks.select,
    draw(drawing: Drawing) {
      popup.close()
      region.draw(drawing)
    },
    giveUpDrawing: region.giveUp,
    showRegion: region.show,
    windowRegion: region.window,
    popupResized: popup.resized,
    closePopup: popup.close,
    recolour: canvas.recolour,
    close() {
      over = true
      region.close()
      clearTimeout(pause)
      marks.close()
      canvas.remove()
      index.close()
    },
  }
}
export type World = ReturnType<typeof openMapWorld>
