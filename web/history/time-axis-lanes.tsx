import { Text } from '@mantine/core'
import type { PointerEvent, ReactNode } from 'react'
import { sparkPath } from '../kit/chart/spark-line.tsx'
import { moment, number, shortMoment, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { type Event, eventKey, eventText } from './device-event.ts'
import classes from './time-axis.module.css'
import { type Lane, laneOf, lanes, stretches } from './time-axis.ts'

const WIDTH = 1_000
const HEIGHT = 60
const TICKS = 6

export type Line = {
  key: string
  name: string
  /** '' if there is none. */
  unit: string
  digits: number
  values: readonly (number | null)[]
}
type Props = {
  fromMs: number
  toMs: number
  momentMs: number
  onMoment: (ms: number) => void
  events: readonly Event[]
  lines: readonly Line[]
}

function Row({ label, children }: { label: ReactNode; children: ReactNode }) {
  return (
    <>
      <div className={classes['label']}>{label}</div>
      <div className={classes['track']}>{children}</div>
    </>
  )
}

/** Lanes below each other, on one axis; a press anywhere, or the arrow keys, choose the moment. */
export function TimeAxisLanes({ fromMs, toMs, momentMs, onMoment, events, lines }: Props) {
  const share = (ms: number) => `${(100 * (ms - fromMs)) / (toMs - fromMs)}%`
  const inView = events.filter(({ at }) => {
    const ms = new Date(at).getTime()
    return ms >= fromMs && ms <= toMs
  })
  const press = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    onMoment(fromMs + ((event.clientX - left) / width) * (toMs - fromMs))
  }
  const marks = (lane: Lane) =>
    inView
      .filter(({ kind }) => laneOf[kind] === lane)
      .map((event) => (
        <i
          key={eventKey(event)}
          data-kind={event.kind}
          title={`${moment(event.at)} ${eventText(event)}`}
          style={{ left: share(new Date(event.at).getTime()) }}
        />
      ))
  const valueAt = ({ values }: Line) =>
    values[Math.floor(((momentMs - fromMs) / (toMs - fromMs)) * values.length)] ?? null
  return (
    <div className={classes['axis']}>
      {lanes.map((lane) => (
        <Row key={lane} label={t(`time-axis:lane.${lane}`)}>
          {lane === 'connection'
            ? stretches(events, fromMs, toMs).map((one) => (
                <b
                  key={one.fromMs}
                  data-state={one.state}
                  title={t(`time-axis:state.${one.state}`)}
                  style={{ left: share(one.fromMs), right: `calc(100% - ${share(one.toMs)})` }}
                />
              ))
            : null}
          {marks(lane)}
        </Row>
      ))}
      {lines.map((line) => {
        const known = line.values.filter((value) => value !== null)
        const value = valueAt(line)
        return (
          <Row
            key={line.key}
            label={
              <>
                {line.name}
                <Text size="xs" c="dimmed" className="tabular">
                  {value === null ? UNKNOWN : `${number(value, line.digits)} ${line.unit}`.trimEnd()}
                </Text>
              </>
            }
          >
            <svg
              viewBox={`0 -3 ${WIDTH} ${HEIGHT + 6}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={line.name}
            >
              <path d={sparkPath(line.values, WIDTH, HEIGHT)} vectorEffect="non-scaling-stroke" />
            </svg>
            {known.length > 0 ? (
              <small>
                {number(Math.min(...known), line.digits)} –{' '}
                {`${number(Math.max(...known), line.digits)} ${line.unit}`.trimEnd()}
              </small>
            ) : null}
          </Row>
        )
      })}
      <div className={classes['label']} />
      <div className={classes['ticks']}>
        {Array.from({ length: TICKS }, (_, i) => fromMs + (i * (toMs - fromMs)) / TICKS).map((ms) => (
          <span key={ms}>{shortMoment(new Date(ms), toMs)}</span>
        ))}
      </div>
      <div className={classes['over']} onPointerDown={press}>
        <hr style={{ left: share(momentMs) }} />
      </div>
      <input
        type="range"
        className={classes['keys']}
        aria-label={t('time-axis:moment')}
        aria-valuetext={moment(new Date(momentMs))}
        min={fromMs}
        max={toMs}
        step={Math.round((toMs - fromMs) / 240)}
        value={momentMs}
        onChange={(event) => onMoment(Number(event.currentTarget.value))}
      />
    </div>
  )
}
