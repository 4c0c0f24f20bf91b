/** The layer of names. A name that the edge of the map would cut is left out while the map stands still there. */
import L from 'leaflet'
import { drawNames } from './map-draw.ts'
import { isWhole, TILE, type TileLabel } from './map-labels.ts'

type Drawn = { at: L.Coords; labels: readonly TileLabel[]; shown: readonly TileLabel[] }
type Ask = (at: [zoom: number, x: number, y: number]) => Promise<readonly TileLabel[]>

export class NameTiles extends L.GridLayer {
  readonly #ask: Ask
  readonly #drawn = new Map<HTMLCanvasElement, Drawn>()

  constructor(ask: Ask, options: L.GridLayerOptions) {
    super({ tileSize: TILE, updateWhenZooming: false, ...options })
    this.#ask = ask
    this.on('tileunload', ({ tile }: L.TileEvent) => this.#drawn.delete(tile as unknown as HTMLCanvasElement))
  }

  override onAdd(map: L.Map): this {
    map.on('moveend resize', this.#fit, this)
    return super.onAdd(map)
  }

  override onRemove(map: L.Map): this {
    map.off('moveend resize', this.#fit, this)
    return super.onRemove(map)
  }

  protected override createTile(at: L.Coords, done: L.DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas')
    this.#ask([at.z, at.x, at.y]).then(
      (labels) => {
        const shown = this.#whole(at, labels)
        this.#drawn.set(canvas, { at, labels, shown })
        drawNames(canvas, shown)
        done(undefined, canvas)
      },
      (error: Error) => done(error, canvas),
    )
    return canvas
  }

  #whole({ x, y, z }: L.Coords, labels: readonly TileLabel[]): readonly TileLabel[] {
    // A tile of another zoom is about to go.
    const { min, max } = this._map.getPixelBounds()
    if (!min || !max || z !== this._map.getZoom()) return labels
    const window = [min.x - x * TILE, min.y - y * TILE, max.x - x * TILE, max.y - y * TILE] as const
    return labels.filter((label) => isWhole(label, window))
  }

  /** Only the tiles at the edges change. */
  #fit(): void {
    for (const [canvas, drawn] of this.#drawn) {
      const shown = this.#whole(drawn.at, drawn.labels)
      if (shown.length === drawn.shown.length && shown.every((label, i) => label === drawn.shown[i])) continue
      drawn.shown = shown
      drawNames(canvas, shown)
    }
  }
}
