/** A Leaflet map with the platform's base layer. Import it lazily: it is the only file that imports Leaflet. */
import L from 'leaflet'
import 'leaflet/dist/leaflet.css'
import { MAP_ZOOM } from '#schema/device/device-map'
import { t } from '../kit/i18n.ts'
import { language } from '../kit/session.ts'
import classes from './map.module.css'
import type { Datum } from './map-datum.ts'
import type { MapIndex } from './map-index.ts'
import { FIRST_VIEW, type View } from './map-view.ts'

export { L }
export type MapSettings = { tileUrl: string | null; attribution: string; datum: Datum }

/** [§2] zh_cn or en. */
const mapLanguage = () => (language() === 'en-US' ? 'en' : 'zh_cn')
const TILE = 256

/** Coastlines in the theme's colours; clipped by the worker, drawn here. */
class Land extends L.GridLayer {
  private readonly index: MapIndex
  constructor(index: MapIndex) {
    super({ tileSize: TILE, updateWhenZooming: false, className: classes['land'] ?? '' })
    this.index = index
  }
  protected override createTile({ x, y, z }: L.Coords, done: L.DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas')
    const sharp = Math.min(2, devicePixelRatio || 1)
    canvas.width = TILE * sharp
    canvas.height = TILE * sharp
    this.index.ask('landTile', [z, x, y]).then(
      (rings) => {
        draw(canvas, rings)
        done(undefined, canvas)
      },
      (error: Error) => done(error, canvas),
    )
    return canvas
  }
}

function draw(canvas: HTMLCanvasElement, rings: readonly Float32Array[]) {
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--map-land')
  pen.beginPath()
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i += 2)
      pen[i === 0 ? 'moveTo' : 'lineTo']((ring[i] ?? 0) * canvas.width, (ring[i + 1] ?? 0) * canvas.height)
    pen.closePath()
  }
  // Lakes are rings within rings.
  pen.fill('evenodd')
}

function baseLayer({ tileUrl, attribution }: MapSettings, index: MapIndex): L.GridLayer {
  if (tileUrl === null) return new Land(index)
  return L.tileLayer(tileUrl.replaceAll('{lang}', mapLanguage()), {
    attribution: escaped(attribution),
    maxZoom: MAP_ZOOM.most,
    className: classes['tiles'] ?? '',
  })
}
/** Leaflet treats the attribution as HTML. */
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

export type MapCanvas = {
  map: L.Map
  /** Called after the colour scheme changed. */
  recolour(): void
  remove(): void
}

export function createMap(
  element: HTMLElement,
  settings: MapSettings,
  index: MapIndex,
  view: View = FIRST_VIEW,
): MapCanvas {
  const map = L.map(element, {
    center: [view.latitude, view.longitude],
    zoom: view.zoom,
    minZoom: MAP_ZOOM.least,
    maxZoom: MAP_ZOOM.most,
    worldCopyJump: true,
    zoomControl: false,
    attributionControl: false,
  })
  L.control.zoom({ zoomInTitle: t('kit:map.zoomIn'), zoomOutTitle: t('kit:map.zoomOut') }).addTo(map)
  if (settings.attribution) L.control.attribution({ prefix: false }).addTo(map)
  L.control.scale({ imperial: false }).addTo(map)
  const base = baseLayer(settings, index).addTo(map)
  const watcher = new ResizeObserver(() => map.invalidateSize({ animate: false }))
  watcher.observe(element)
  return {
    map,
    recolour: () => {
      if (settings.tileUrl === null) base.redraw()
    },
    remove: () => {
      watcher.disconnect()
      map.remove()
    },
  }
}
