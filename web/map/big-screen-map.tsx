/** Where the gateways are, on the coastlines that the map of the home page has, too. */
import { useComputedColorScheme } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'
import { feature } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import landUrl from 'world-atlas/land-50m.json?url'
import type { ReplyOf } from '#schema/kit/call'
import type { getMonitorBoard } from '#schema/monitor/monitor-board'
import classes from '../monitor/big-screen.module.css'
import { projectRing, type Ring } from './map-land.ts'

type Places = ReplyOf<typeof getMonitorBoard>['places']
/** Part of the world's width that is shown at least: a single gateway still has a coast around it. */
const SPAN_MIN = 0.02
const MARGIN = 1.25

let land: Promise<Ring[]> | undefined
async function readLand(): Promise<Ring[]> {
  const topology = (await (await fetch(landUrl)).json()) as Topology<{ land: GeometryCollection }>
  return feature(topology, topology.objects.land)
    .features.flatMap(({ geometry }) =>
      geometry.type === 'MultiPolygon'
        ? geometry.coordinates
        : geometry.type === 'Polygon'
          ? [geometry.coordinates]
          : [],
    )
    .flatMap((polygon) => polygon.map(projectRing))
}

/** From positions in Mercator units to pixels, so that all places are inside. */
function viewOf(points: readonly (readonly [number, number])[], width: number, height: number) {
  const ends = (axis: 0 | 1) => {
    const all = points.map((point) => point[axis])
    return [Math.min(...all), Math.max(...all)] as const
  }
  const [[west, east], [north, south]] = [ends(0), ends(1)]
  const span = Math.max(SPAN_MIN, (east - west) * MARGIN, ((south - north) * MARGIN * width) / height)
  const scale = width / Math.min(1, span)
  const [x, y] = [(west + east) / 2, (north + south) / 2]
  return ([px, py]: readonly [number, number]) =>
    [(px - x) * scale + width / 2, (py - y) * scale + height / 2] as const
}

export function ScreenMap({ places, none }: { places: Places; none: string }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const { ref, width, height } = useElementSize()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const [rings, setRings] = useState<Ring[]>([])
  useEffect(() => {
    land ??= readLand()
    land.then(setRings, () => {
      // The gateways are shown without coasts; the next screen tries again.
      land = undefined
    })
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours are read again in another scheme
  useEffect(() => {
    const element = canvas.current
    const pen = element?.getContext('2d')
    if (!element || !pen || places.length === 0 || width === 0 || height === 0) return
    const dense = Math.max(1, devicePixelRatio)
    element.width = width * dense
    element.height = height * dense
    pen.scale(dense, dense)
    const style = getComputedStyle(element)
    const ink = (name: string) => style.getPropertyValue(name)
    const points = places.map(({ longitude, latitude }) => {
      const [x = 0, y = 0] = projectRing([[longitude, latitude]])
      return [x, y] as const
    })
    const toPixels = viewOf(points, width, height)
    pen.beginPath()
    for (const ring of rings) {
      for (let i = 0; i < ring.length; i += 2) {
        const [x, y] = toPixels([ring[i] ?? 0, ring[i + 1] ?? 0])
        if (i === 0) pen.moveTo(x, y)
        else pen.lineTo(x, y)
      }
      pen.closePath()
    }
    pen.fillStyle = ink('--land')
    pen.strokeStyle = ink('--line')
    pen.fill('evenodd')
    pen.stroke()
    places.forEach(({ online }, i) => {
      const [x, y] = toPixels(points[i] ?? [0, 0])
      pen.beginPath()
      pen.arc(x, y, online ? 5 : 7, 0, 2 * Math.PI)
      pen.fillStyle = ink(online ? '--ok' : '--alarm')
      pen.fill()
      pen.lineWidth = 1.5
      pen.strokeStyle = ink('--ground')
      pen.stroke()
    })
  }, [places, rings, width, height, scheme])
  if (places.length === 0) return <p className={classes['none']}>{none}</p>
  const away = places.filter(({ online }) => !online).map(({ name }) => name)
  return (
    <div ref={ref} className={classes['map']}>
      <canvas ref={canvas} role="img" aria-label={away.join(', ')} />
    </div>
  )
}
