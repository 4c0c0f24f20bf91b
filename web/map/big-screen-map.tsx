/** Where the gateways are, on the land, waters and names that the map of the home page has, too. */
import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import type { ReplyOf } from '#schema/kit/call'
import type { getMonitorBoard } from '#schema/monitor/monitor-board'
import { language } from '../kit/session.ts'
import classes from '../monitor/big-screen.module.css'
import { type Colour, paintNames, paintTile, SOURCES } from './map-draw.ts'
import { type MapIndex, openMapIndex } from './map-index.ts'
import { type Covering, TILE } from './map-labels.ts'
import { projectRing } from './map-land.ts'
import { fitWindow, type Point, type WindowTile } from './map-window.ts'

type Places = ReplyOf<typeof getMonitorBoard>['places']
type Pen = CanvasRenderingContext2D
type Painted = { land(pen: Pen, colour: Colour): void; names(pen: Pen, colour: Colour): void }
type Base = (tile: WindowTile, points: readonly Point[]) => Promise<Painted>

const POINT_PX = 6
const OFFLINE_PX = 8
/** Over the edges of a tile, between which the ground would show as a line. */
const SEAM_PX = 0.5

/** What names near a tile make room for, in pixels of the whole map. */
function marksNear({ zoom, x, y, scale }: WindowTile, points: readonly Point[]): Covering[] {
  const world = TILE * 2 ** zoom
  return points
    .map(([px, py]) => ({ x: px * world, y: py * world, radius: OFFLINE_PX / scale }))
    .filter((mark) => Math.abs(mark.x / TILE - x - 0.5) < 1.5 && Math.abs(mark.y / TILE - y - 0.5) < 1.5)
}

function openBase(index: MapIndex): Base {
  const loaded = index.ask('loadBase', [{ language: language(), borders: [] }])
  return async (tile, points) => {
    const { zoom, x, y, left, top, scale } = tile
    await loaded
    const [land, names] = await Promise.all([
      index.ask('baseTile', [zoom, x, y]),
      index.ask('nameTile', [zoom, x, y, marksNear(tile, points)]),
    ])
    const inside = (pen: Pen, over: number, paint: () => void) => {
      pen.save()
      pen.translate(left, top)
      pen.scale(scale, scale)
      pen.beginPath()
      pen.rect(-over, -over, TILE + 2 * over, TILE + 2 * over)
      pen.clip()
      paint()
      pen.restore()
    }
    return {
      land: (pen, colour) => inside(pen, SEAM_PX, () => paintTile(pen, land, colour)),
      names: (pen, colour) => inside(pen, 0, () => paintNames(pen, names, colour)),
    }
  }
}

export function ScreenMap({ places, none }: { places: Places; none: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { ref, width, height } = useElementSize()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const [base, setBase] = useState<Base>()
  useEffect(() => {
    const index = openMapIndex()
    const opened = openBase(index)
    setBase(() => opened)
    return () => index.close()
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read again in another scheme
  useEffect(() => {
    const element = canvas.current
    if (!element || places.length === 0 || width === 0 || height === 0) return
    let ended = false
    const points = places.map(({ longitude, latitude }): Point => {
      const [x = 0, y = 0] = projectRing([[longitude, latitude]])
      return [x, y]
    })
    const { toPixels, tiles } = fitWindow(points, { width, height })
    const draw = (painted: readonly Painted[]) => {
      const pen = element.getContext('2d')
      if (!pen) return
      // The big screen is scaled as a whole: the canvas has the pixels that the monitor has.
      const dense = Math.max(1, (devicePixelRatio * element.getBoundingClientRect().width) / width)
      element.width = width * dense
      element.height = height * dense
      pen.scale(dense, dense)
      const style = getComputedStyle(element)
      const colour = (name: string) => style.getPropertyValue(name)
      for (const { land } of painted) land(pen, colour)
      for (const { names } of painted) names(pen, colour)
      // Those that are offline are listed first, and must not be covered.
      for (const [i, { online }] of [...places.entries()].reverse()) {
        const [x, y] = toPixels(points[i] ?? [0, 0])
        pen.beginPath()
        pen.arc(x, y, online ? POINT_PX : OFFLINE_PX, 0, 2 * Math.PI)
        pen.fillStyle = colour(online ? '--ok' : '--alarm')
        pen.fill()
        pen.lineWidth = 2
        pen.strokeStyle = colour('--ground')
        pen.stroke()
      }
    }
    // Without the base layer the gateways are shown nevertheless.
    Promise.all(base ? tiles().map((tile) => base(tile, points)) : [])
      .catch(() => [])
      .then((painted) => {
        if (!ended) draw(painted)
      })
    return () => {
      ended = true
    }
  }, [places, base, width, height, scheme])
  if (places.length === 0) return <p className={classes['none']}>{none}</p>
  const away = places.filter(({ online }) => !online).map(({ name }) => name)
  return (
    <div ref={ref} className={classes['map']}>
      <canvas ref={canvas} role="img" aria-label={away.join(', ')} />
      <small>{SOURCES}</small>
    </div>
  )
}
