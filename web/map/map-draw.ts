/** Draws a tile of the base layer in the theme's colours. */
import type { BaseTile } from './map-base.ts'
import { TILE, type TileLabel } from './map-labels.ts'

/** Beside each map: the licence of the names requires it. */
export const SOURCES = 'GeoNames (CC BY 4.0), Natural Earth'

type Pen = CanvasRenderingContext2D
/** The value of a theme's colour, such as `--map-land`. */
export type Colour = (name: string) => string
/** Lines become thicker on screens of a higher resolution, like everything else. */
const SHARP_MAX = 2

function trace(pen: Pen, shapes: readonly Float32Array[], closed: boolean) {
  pen.beginPath()
  for (const shape of shapes) {
    for (let i = 0; i < shape.length; i += 2)
      pen[i === 0 ? 'moveTo' : 'lineTo']((shape[i] ?? 0) * TILE, (shape[i + 1] ?? 0) * TILE)
    if (closed) pen.closePath()
  }
}

function fill(pen: Pen, rings: readonly Float32Array[], colour: string) {
  pen.fillStyle = colour
  trace(pen, rings, true)
  // Islands in lakes, and lakes in the coastline's data, are rings within rings.
  pen.fill('evenodd')
}

function stroke(pen: Pen, lines: readonly Float32Array[], colour: string, width: number) {
  pen.strokeStyle = colour
  pen.lineWidth = width
  pen.lineJoin = 'round'
  trace(pen, lines, false)
  pen.stroke()
}

function write(pen: Pen, label: TileLabel, colour: Colour, font: string) {
  const { name, x, y, country, text } = label
  pen.font = `${country ? '600 13px' : '12px'} ${font}`
  pen.textAlign = country ? 'center' : 'left'
  pen.textBaseline = 'middle'
  pen.lineJoin = 'round'
  pen.lineWidth = 3
  pen.strokeStyle = colour('--map-land')
  pen.fillStyle = colour(country ? '--map-country' : '--map-city')
  if (!country) {
    pen.beginPath()
    pen.arc(x, y, 2.5, 0, 2 * Math.PI)
    pen.stroke()
    pen.fill()
  }
  const left = country ? x : text
  pen.strokeText(name, left, y)
  pen.fillText(name, left, y)
}

/** In CSS pixels, sharp on screens of a higher resolution. */
function open(canvas: HTMLCanvasElement) {
  const sharp = Math.min(SHARP_MAX, devicePixelRatio || 1)
  canvas.width = TILE * sharp
  canvas.height = TILE * sharp
  const pen = canvas.getContext('2d')
  pen?.scale(sharp, sharp)
  const styles = getComputedStyle(document.documentElement)
  return { pen, colour: (name: string) => styles.getPropertyValue(name) }
}

/** @param pen its unit is a pixel of the tile */
export function paintTile(pen: Pen, tile: BaseTile, colour: Colour) {
  fill(pen, tile.land, colour('--map-land'))
  stroke(pen, tile.rivers, colour('--map-river'), 1)
  fill(pen, tile.lakes, colour('--map-sea'))
  pen.setLineDash([4, 3])
  stroke(pen, tile.borders, colour('--map-border'), 1)
  pen.setLineDash([])
}

export function paintNames(pen: Pen, labels: readonly TileLabel[], colour: Colour) {
  const font = colour('--font-sans') || 'sans-serif'
  for (const label of labels) write(pen, label, colour, font)
}

export function drawTile(canvas: HTMLCanvasElement, tile: BaseTile) {
  const { pen, colour } = open(canvas)
  if (pen) paintTile(pen, tile, colour)
}

export function drawNames(canvas: HTMLCanvasElement, labels: readonly TileLabel[]) {
  const { pen, colour } = open(canvas)
  if (pen) paintNames(pen, labels, colour)
}
