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
import { TILE } from './map-labels.ts'
import { projectRing } from './map-land.ts'
import { fitWindow, type Point, type WindowTile } from './map-window.ts'

type Places = ReplyOf<typeof getMonitorBoard>['places']
type Base = (tile: WindowTile) => Promise<(pen: CanvasRenderingContext2D, colour: Colour) => void>

function openBase(index: MapIndex): Base {
  const loaded = index.ask('loadBase', [{ language: language(), borders: [] }])
  return async ({ zoom, x, y, left, top, scale }) => {
    await loaded
    const [land, names] = await Promise.all([
      index.ask('baseTile', [zoom, x, y]),
      index.ask('nameTile', [zoom, x, y]),
    ])
    return (pen, colour) => {
      pen.save()
      pen.translate(left, top)
      pen.scale(scale, scale)
      pen.beginPath()
      pen.rect(0, 0, TILE, TILE)
      pen.clip()
      paintTile(pen, land, colour)
      paintNames(pen, names, colour)
      pen.restore()
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
    const draw = (painted: Awaited<ReturnType<Base>>[]) => {
      const pen = element.getContext('2d')
      if (!pen) return
      // The big screen is scaled as a whole: the canvas has the pixels that the monitor has.
      const dense = Math.max(1, (devicePixelRatio * element.getBoundingClientRect().width) / width)
      element.width = width * dense
      element.height = height * dense
      pen.scale(dense, dense)
      const style = getComputedStyle(element)
      const colour = (name: string) => style.getPropertyValue(name)
      for (const paint of painted) paint(pen, colour)
      // Those that are offline are listed first, and must not be covered.
      for (const [i, { online }] of [...places.entries()].reverse()) {
        const [x, y] = toPixels(points[i] ?? [0, 0])
        pen.beginPath()
        pen.arc(x, y, online ? 6 : 8, 0, 2 * Math.PI)
        pen.fillStyle = colour(online ? '--ok' : '--alarm')
        pen.fill()
        pen.lineWidth = 2
        pen.strokeStyle = colour('--ground')
        pen.stroke()
      }
    }
    // Without the base layer the gateways are shown nevertheless.
    Promise.all(base ? tiles().map(base) : [])
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
