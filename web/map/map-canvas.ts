/** A Leaflet map with the platform's base layer. Import it lazily: it is the only file that imports Leaflet. */
import L from 'leaflet'
import 'leaflet/dist/leaflet.css'
import { getMapBorders, type getMapSettings, MAP_ZOOM } from '#schema/device/device-map'
import type { ReplyOf } from '#schema/kit/call'
import { request } from '../kit/api.ts'
import { t } from '../kit/i18n.ts'
import { reportError } from '../kit/query.ts'
import { language } from '../kit/session.ts'
import classes from './map.module.css'
import { drawTile } from './map-draw.ts'
import type { MapIndex } from './map-index.ts'
import { TILE } from './map-labels.ts'
import { FIRST_VIEW, type View } from './map-view.ts'

export { L }
export type MapSettings = ReplyOf<typeof getMapSettings>

/** [§2] zh_cn or en. */
const mapLanguage = () => (language() === 'en-US' ? 'en' : 'zh_cn')

/** The licence of the names requires it. */
const SOURCES = 'GeoNames (CC BY 4.0), Natural Earth'

/** Our own base layer in the theme's colours: clipped and placed by the worker, drawn here. */
class Land extends L.GridLayer {
  private readonly index: MapIndex
  private readonly loaded: Promise<void>
  constructor(index: MapIndex, borders: boolean) {
    super({
      tileSize: TILE,
      updateWhenZooming: false,
      className: classes['land'] ?? '',
      attribution: SOURCES,
    })
    this.index = index
    this.loaded = openBase(index, borders)
  }
  protected override createTile({ x, y, z }: L.Coords, done: L.DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas')
    this.loaded
      .then(() => this.index.ask('baseTile', [z, x, y]))
      .then(
        (tile) => {
          drawTile(canvas, tile)
          done(undefined, canvas)
        },
        (error: Error) => done(error, canvas),
      )
    return canvas
  }
}

async function openBase(index: MapIndex, hasBorders: boolean): Promise<void> {
  const borders = hasBorders ? await request(getMapBorders, {}).catch(reportError) : null
  await index.ask('loadBase', [{ language: language(), borders: borders?.lines ?? [] }])
}

function baseLayer({ tileUrl, attribution, borders }: MapSettings, index: MapIndex): L.GridLayer {
  if (tileUrl === null) return new Land(index, borders)
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
  if (settings.attribution || settings.tileUrl === null) L.control.attribution({ prefix: false }).addTo(map)
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
