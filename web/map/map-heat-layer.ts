/** The heat layer of weak signal over the base layer; its tiles come from the worker. */
import classes from './map.module.css'
import { L } from './map-canvas.ts'
import { HEAT_CELLS } from './map-heat.ts'
import type { MapIndex } from './map-index.ts'
import { TILE } from './map-labels.ts'

export class HeatLayer extends L.GridLayer {
  private readonly index: MapIndex
  constructor(index: MapIndex) {
    super({ tileSize: TILE, updateWhenZooming: false, zIndex: 2, className: classes['heat'] ?? '' })
    this.index = index
  }
  protected override createTile({ x, y, z }: L.Coords, done: L.DoneCallback): HTMLElement {
    const canvas = document.createElement('canvas')
    canvas.width = HEAT_CELLS
    canvas.height = HEAT_CELLS
    this.index.ask('heatTile', [z, x, y]).then(
      (pixels) => {
        if (pixels) canvas.getContext('2d')?.putImageData(new ImageData(pixels, HEAT_CELLS), 0, 0)
        done(undefined, canvas)
      },
      (error: Error) => done(error, canvas),
    )
    return canvas
  }
}
