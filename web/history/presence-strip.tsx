import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { getPresenceStrips, SEGMENT_MS, STRIP_SEGMENTS } from '#schema/device/presence-strip'
import classes from '../device/device.module.css'
import { clock, duration } from '../kit/format.ts'
import { Hint } from '../kit/hint.tsx'
import { t } from '../kit/i18n.ts'
import { fetchStrip, type Strip } from './presence-batch.ts'

const MINUTE_MS = 60_000
const names = {
  '+': 'device:strip.online',
  '-': 'device:strip.offline',
  '~': 'device:strip.both',
  '?': 'device:strip.unknown',
} as const
type State = keyof typeof names
const states = Object.keys(names) as State[]
const stateAt = (strip: string, i: number): State => states.find((state) => state === strip[i]) ?? '?'

/** Adjacent half hours of one state are one shape: the usual strip has a single one. */
function runs(strip: string) {
  return [...strip.matchAll(/(.)\1*/g)].map(({ 0: run, index }) => ({
    state: stateAt(run, 0),
    at: index,
    length: run.length,
  }))
}

/** Height carries the same information as colour. */
const HEIGHTS: Record<State, number> = { '+': 16, '~': 10, '-': 5, '?': 1 }
const HEIGHT = 16

function Shapes({ strip }: { strip: string }) {
  return (
    <svg viewBox={`0 0 ${STRIP_SEGMENTS} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      {runs(strip).map(({ state, at, length }) => (
        <rect
          key={at}
          x={at}
          width={length}
          y={HEIGHT - HEIGHTS[state]}
          height={HEIGHTS[state]}
          data-state={names[state].split('.').at(-1)}
        />
      ))}
    </svg>
  )
}

/** "Last 24 hours: online 22 hr, offline 1 hr 30 min, unknown 30 min". Half hours with both count as partly online. */
function summary(strip: string): string {
  const parts = states.flatMap((state) => {
    const count = strip.split(state).length - 1
    return count === 0 ? [] : [`${t(names[state])} ${duration((count * SEGMENT_MS) / 1000)}`]
  })
  return t('device:strip.summary', { parts: parts.join(t('kit:comma')) })
}

const segmentText = ({ from, strip }: Strip, i: number) => {
  const start = Date.parse(from) + i * SEGMENT_MS
  return `${clock(new Date(start))}–${clock(new Date(start + SEGMENT_MS))} ${t(names[stateAt(strip, i)])}`
}

function Drawn({ drawn }: { drawn: Strip }) {
  const [at, setAt] = useState<number | null>(null)
  const last = STRIP_SEGMENTS - 1
  const press = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowLeft: Math.max(0, (at ?? last) - 1),
      ArrowRight: Math.min(last, (at ?? last) + 1),
      Home: 0,
      End: last,
    }
    const next = moves[event.key]
    if (next === undefined) return
    event.preventDefault()
    setAt(next)
  }
  const point = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setAt(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * STRIP_SEGMENTS))))
  }
  const shown = at === null ? summary(drawn.strip) : segmentText(drawn, at)
  return (
    <Hint label={shown} opened={at !== null}>
      {/* A read-only slider: the arrow keys move through the half hours, and each is announced. */}
      <div
        className={classes['strip']}
        role="slider"
        tabIndex={0}
        aria-label={summary(drawn.strip)}
        aria-readonly
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={segmentText(drawn, at ?? last)}
        onKeyDown={press}
        onFocus={() => setAt(last)}
        onBlur={() => setAt(null)}
        onPointerMove={point}
        onPointerLeave={() => setAt(null)}
      >
        <Shapes strip={drawn.strip} />
      </div>
    </Hint>
  )
}

/** The last 24 hours of a device in a list row; requested together with the other rows, at most once a minute. */
export function PresenceStrip({ deviceId }: { deviceId: number }) {
  const query = useQuery({
    queryKey: [getPresenceStrips.name, deviceId],
    queryFn: () => fetchStrip(deviceId),
    staleTime: MINUTE_MS,
    // At the same time for all rows, so that they are combined.
    refetchInterval: () => MINUTE_MS - (Date.now() % MINUTE_MS) + 500,
    retry: false,
  })
  return query.data ? <Drawn drawn={query.data} /> : <div className={classes['strip']} />
}
export const presenceStrip = ({ deviceId }: { deviceId: number }) => <PresenceStrip deviceId={deviceId} />
