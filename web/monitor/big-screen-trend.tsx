import { sparkPath } from '../kit/chart/spark-line.tsx'
import { clock, UNKNOWN } from '../kit/format.ts'
import classes from './big-screen.module.css'

const WIDTH = 400
const HEIGHT = 150

type Props = {
  label: string
  at: readonly string[]
  values: readonly (number | null)[]
  least: number
  most?: number
  format: (value: number) => string
}

const HOUR_MS = 3_600_000

/** @param at the starts of the last hours; as a line, gaps stay gaps */
export function ScreenTrend({ label, at, values, least, most, format }: Props) {
  const known = values.filter((value) => value !== null)
  const top = most ?? Math.max(4, ...known)
  const last = known.at(-1)
  const end = at.at(-1)
  // The path fits what it is given between its edges: the ends of the axis are given with it, and not drawn.
  const height = (value: number) => HEIGHT - ((value - least) / (top - least)) * HEIGHT
  const path = sparkPath(
    [...values, least, top],
    (WIDTH * (values.length + 1)) / Math.max(1, values.length - 1),
    HEIGHT,
  )
  const drawn = path
    .split(/(?=[ML])/)
    .slice(0, -2)
    .join('')
  return (
    <figure className={classes['trend']}>
      <svg viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`} preserveAspectRatio="none" role="img" aria-label={label}>
        {[least, (least + top) / 2, top].map((value) => (
          <line
            key={value}
            x1={0}
            x2={WIDTH}
            y1={height(value)}
            y2={height(value)}
            className={classes['grid']}
          />
        ))}
        <path d={drawn} className={classes['line']} vectorEffect="non-scaling-stroke" />
      </svg>
      <span className={classes['top']}>{format(top)}</span>
      <span className={classes['low']}>{format(least)}</span>
      <figcaption>
        <span>{at[0] ? clock(at[0]) : ''}</span>
        <strong className="tabular">{last === undefined ? UNKNOWN : format(last)}</strong>
        {/* Where the last hour ends: otherwise a day would seem to be an hour short. */}
        <span>{end ? clock(new Date(Date.parse(end) + HOUR_MS).toISOString()) : ''}</span>
      </figcaption>
    </figure>
  )
}
