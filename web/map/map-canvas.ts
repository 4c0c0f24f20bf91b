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
import { drawTile, SOURCES } from './map-draw.ts'
import type { MapIndex } from './map-index.ts'
import { TILE } from './map-labels.ts'
import { NameTiles } from './map-names.ts'
import { FIRST_VIEW, type View } from './map-view.ts'

export { L }
export type MapSettings = ReplyOf<typeof getMapSettings>

/** [§2] zh_cn or en. */
const mapLanguage = () => (language() === 'en-US' ? 'en' : 'zh_cn')

/** Tiles of our own base layer in the theme's colours: clipped and placed by the worker, drawn here. */
class Tiles extends L.GridLayer {
  private readonly draw: (canvas: HTMLCanvasElement, at: [number, number, number]) => Promise<void>
  constructor(draw: Tiles['draw'], options: L.GridLayerOptions) {
    super({ tileSize: TILE, updateWhenZooming: false, ...options })
    this.draw = draw
  }
  protected override createTile({ x, y, z }: L.Coords, done: L.DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas')
    this.draw(canvas, [z, x, y]).then(
      () => done(undefined, canvas),
      (error: Error) => done(error, canvas),
    )
    return canvas
  }
}

/** Land and waters below, names above the heat layer; names make room for markers, so they are drawn again with them. */
function ownLayers(map: L.Map, index: MapIndex, borders: boolean) {
  const loaded = openBase(index, borders)
  const land = new Tiles(
    async (canvas, at) => {
      await loaded
      drawTile(canvas, await index.ask('baseTile', at))
    },
    { attribution: SOURCES, zIndex: 1 },
  )
  const names = new NameTiles(
    async (at) => {
      await loaded
      return index.ask('nameTile', at)
    },
    { zIndex: 3 },
  )
  land.addTo(map)
  names.addTo(map)
  return { land, names }
}

async function openBase(index: MapIndex, hasBorders: boolean): Promise<void> {
  const borders = hasBorders ? await request(getMapBorders, {}).catch(reportError) : null
  await index.ask('loadBase', [{ language: language(), borders: borders?.lines ?? [] }])
}

const tileLayer = (tileUrl: string, attribution: string) =>
  L.tileLayer(tileUrl.replaceAll('{lang}', mapLanguage()), {
    attribution: escaped(attribution),
    maxZoom: MAP_ZOOM.most,
    className: classes['tiles'] ?? '',
  })
/** Leaflet treats the attribution as HTML. */
const escaped = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

export type MapCanvas = {
  map: L.Map
  /** Called after the colour scheme changed. */
  recolour(): void
  /** Called after the markers' places changed. */
  makeRoom(): void
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
  // Leaflet focuses the map when anything on it is pressed, and then restores only the scroll position of the window.
  // The page would scroll to a map that is partly in view, and the press would miss the marker that it was made on.
  element.focus = (options) => HTMLElement.prototype.focus.call(element, { ...options, preventScroll: true })
  L.control.zoom({ zoomInTitle: t('kit:map.zoomIn'), zoomOutTitle: t('kit:map.zoomOut') }).addTo(map)
  if (settings.attribution || settings.tileUrl === null) L.control.attribution({ prefix: false }).addTo(map)
  L.control.scale({ imperial: false }).addTo(map)
  const own = settings.tileUrl === null ? ownLayers(map, index, settings.borders) : null
  if (settings.tileUrl !== null) tileLayer(settings.tileUrl, settings.attribution).addTo(map)
  const watcher = new ResizeObserver(() => map.invalidateSize({ animate: false }))
  watcher.observe(element)
  return {
    map,
    recolour: () => {
      own?.land.redraw()
      own?.names.redraw()
    },
    makeRoom: () => void own?.names.redraw(),
    remove: () => {
      watcher.disconnect()
      map.remove()
    },
  }
}
