/**
 * The big screen: a canvas of at least 1920 × 1080 that is scaled until it fills its window, whatever the window's
 * proportions; on a narrow window its panels stand below each other. Unknown numbers are never shown as 0, and the age
 * of the data is visible.
 */
import { useInterval } from '@mantine/hooks'
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { getMonitorBoard } from '#schema/monitor/monitor-board'
import { getVariableAlarmList } from '#schema/monitor/variable-alarm'
import { getVariableValues } from '#schema/monitor/variable-values'
import { conditionText, seenText } from '../alarm/alarm-chips.tsx'
import { isSessionEnd } from '../kit/api.ts'
import { clock, duration, number, percent, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { inServerTime } from '../kit/server/server-clock.ts'
import { When } from '../kit/time.tsx'
import { ScreenMap } from '../map/big-screen-map.tsx'
import classes from './big-screen.module.css'
import { ScreenTrend } from './big-screen-trend.tsx'
import { useLiveValues } from './live-values.ts'
import { unitText } from './variable-columns.tsx'
import { isDoubtful, valueText } from './variable-value.tsx'

const WIDTH = 1920
const HEIGHT = 1080
/** Below this width a scaled canvas would be illegible. */
const FLOW_PX = 900
const BOARD_S = 30
const VALUES_S = 10
const VALUES = 12
const ALARMS = 30
/** Prevents burn-in: everything moves by two pixels an hour, for eight hours, around its centre. */
const SHIFT_PX = 2
const SHIFTS = 8
const HOUR_MS = 3_600_000

/** How a canvas fills the element; null: its panels stand below each other. */
function useScale() {
  const frame = useRef<HTMLDivElement>(null)
  const [fit, setFit] = useState<{ scale: number; width: number; height: number } | null>(null)
  useLayoutEffect(() => {
    const element = frame.current
    if (!element) return
    const measure = () => {
      const { clientWidth, clientHeight } = element
      const scale = Math.min(clientWidth / WIDTH, clientHeight / HEIGHT)
      setFit(
        clientWidth < FLOW_PX ? null : { scale, width: clientWidth / scale, height: clientHeight / scale },
      )
    }
    const watcher = new ResizeObserver(measure)
    watcher.observe(element)
    measure()
    return () => watcher.disconnect()
  }, [])
  return { frame, fit }
}

function useShift(): string {
  const read = () => ((Math.floor(Date.now() / HOUR_MS) % SHIFTS) - (SHIFTS - 1) / 2) * SHIFT_PX
  const [shift, setShift] = useState(read)
  useInterval(() => setShift(read()), 60_000, { autoInvoke: true })
  return `translate(${shift}px, ${-shift}px)`
}

const Panel = ({ title, area, children }: { title: string; area: string; children: ReactNode }) => (
  <section className={classes['panel']} style={{ gridArea: area }}>
    <h2>{title}</h2>
    {children}
  </section>
)

type FigureProps = { label: string; value: string; bad?: 'alarm' | 'warn' | undefined }
const Figure = ({ label, value, bad }: FigureProps) => (
  <div className={classes['figure']} data-bad={bad}>
    <span>{label}</span>
    <strong className="tabular">{value}</strong>
  </div>
)

type Ranked = { name: string; n: number; shown: string }
function Ranking({ list, none }: { list: readonly Ranked[]; none: string }) {
  const most = Math.max(1, ...list.map(({ n }) => n))
  if (list.length === 0) return <p className={classes['none']}>{none}</p>
  return (
    <ol className={classes['ranking']}>
      {list.map(({ name, n, shown }) => (
        <li key={`${name}.${n}`}>
          <span className={classes['name']}>{name}</span>
          <span className="tabular">{shown}</span>
          <i style={{ width: `${(100 * n) / most}%` }} />
        </li>
      ))}
    </ol>
  )
}

function Ticker({ groupId }: { groupId: number | undefined }) {
  const { data } = useCall(
    getVariableAlarmList,
    { limit: ALARMS, state: 'active', ...(groupId ? { groupId } : {}) },
    { refreshS: VALUES_S, keepPrevious: true },
  )
  const rows = data?.list ?? []
  if (data && rows.length === 0) return <p className={classes['none']}>{t('big-screen:noAlarm')}</p>
  const list = (hidden: boolean) => (
    <ul aria-hidden={hidden || undefined}>
      {rows.map((row) => (
        <li key={row.id} data-severity={row.severity}>
          <b>{t(`severity:${row.severity}`)}</b>
          <span className={classes['name']}>
            {[row.terminalName, conditionText(row)].filter(Boolean).join(' · ')}
          </span>
          <small>{seenText(row)}</small>
          <small>
            <When at={row.startedAt} />
          </small>
        </li>
      ))}
    </ul>
  )
  const runs = rows.length > 5
  return (
    <section
      className={classes['ticker']}
      data-runs={runs || undefined}
      aria-label={t('big-screen:alarms')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it stops while it has the focus, for those without a mouse
      tabIndex={0}
    >
      <div style={runs ? { animationDuration: `${rows.length * 3}s` } : undefined}>
        {list(false)}
        {runs ? list(true) : null}
      </div>
    </section>
  )
}

function Values({ projectId }: { projectId: number | undefined }) {
  const { data } = useCall(
    getVariableValues,
    { limit: VALUES, ...(projectId ? { projectId } : {}) },
    { refreshS: VALUES_S, keepPrevious: true },
  )
  useLiveValues()
  if (data && data.list.length === 0) return <p className={classes['none']}>{t('big-screen:noValue')}</p>
  return (
    <div className={classes['values']}>
      {data?.list.map((row) => (
        <div key={`${row.terminalId}.${row.variableId}`} data-doubt={isDoubtful(row) || undefined}>
          {/* The variable first: terminals of one make have long names that begin alike. */}
          <span className={classes['name']}>{`${row.name} · ${row.terminalName}`}</span>
          <strong className="tabular">
            {valueText(row)} <small>{row.value === null ? '' : unitText(row.unit)}</small>
          </strong>
        </div>
      ))}
    </div>
  )
}

type Shown = { projectId?: number | undefined; groupId?: number | undefined }

/** @param projectId absent: all that the viewer sees; of a link, that is its project */
export function BigScreen({ projectId, groupId }: Shown) {
  const { frame, fit } = useScale()
  const shift = useShift()
  const read = useCall(getMonitorBoard, projectId ? { projectId } : {}, {
    refreshS: BOARD_S,
    keepPrevious: true,
  })
  const board = read.data
  const figures = board?.figures
  const share = (n: number | undefined, of: number | undefined) =>
    n === undefined || of === undefined ? UNKNOWN : `${number(n)} / ${number(of)}`
  if (read.error && isSessionEnd(read.error))
    return (
      <div className={classes['frame']}>
        <p className={classes['ended']}>{t('big-screen:ended')}</p>
      </div>
    )
  return (
    <div ref={frame} className={classes['frame']}>
      <div
        className={classes['canvas']}
        data-flow={fit === null || undefined}
        style={
          fit
            ? { width: fit.width, height: fit.height, transform: `scale(${fit.scale}) ${shift}` }
            : undefined
        }
      >
        <header className={classes['head']}>
          <span>
            {read.dataUpdatedAt > 0
              ? t('big-screen:asOf', { at: clock(inServerTime(read.dataUpdatedAt)) })
              : null}
          </span>
          <h1>{board?.projectName ?? t('big-screen:title')}</h1>
          <span>{read.error ? <em role="status">{t('big-screen:reconnecting')}</em> : null}</span>
        </header>
        <Panel title={t('big-screen:figures')} area="figures">
          <div className={classes['figures']}>
            <Figure label={t('big-screen:gateways')} value={share(figures?.online, figures?.gateways)} />
            <Figure label={t('big-screen:terminals')} value={share(figures?.answering, figures?.terminals)} />
            <Figure label={t('big-screen:variables')} value={figures ? number(figures.values) : UNKNOWN} />
            <Figure
              label={t('big-screen:alarms')}
              value={figures?.alarms == null ? UNKNOWN : number(figures.alarms)}
              bad={figures?.critical ? 'alarm' : figures?.alarms ? 'warn' : undefined}
            />
          </div>
        </Panel>
        <Panel title={t('big-screen:onlineRate')} area="online">
          <ScreenTrend
            label={t('big-screen:onlineRate')}
            at={board?.at ?? []}
            values={board?.onlinePercent ?? []}
            least={0}
            most={100}
            format={(value) => percent(value, 1)}
          />
        </Panel>
        <Panel title={t('big-screen:alarmTrend')} area="trend">
          <ScreenTrend
            label={t('big-screen:alarmTrend')}
            at={board?.at ?? []}
            values={board?.alarmCounts ?? []}
            least={0}
            format={(value) => number(value)}
          />
        </Panel>
        <Panel title={t('big-screen:map')} area="map">
          <ScreenMap places={board?.places ?? []} none={board ? t('big-screen:noPlace') : ''} />
        </Panel>
        <Panel title={t('big-screen:values')} area="values">
          <Values projectId={projectId} />
        </Panel>
        <Panel title={t('big-screen:offline')} area="offline">
          <Ranking
            none={board ? t('big-screen:noOffline') : ''}
            list={(board?.offline ?? []).slice(0, 6).map(({ name, seconds }) => ({
              name,
              n: seconds,
              shown: duration(seconds),
            }))}
          />
        </Panel>
        <Panel title={t('big-screen:alarming')} area="alarming">
          <Ranking
            none={board ? t('big-screen:noAlarming') : ''}
            list={(board?.alarming ?? []).slice(0, 6).map(({ name, count }) => ({
              name,
              n: count,
              shown: number(count),
            }))}
          />
        </Panel>
        <Panel title={t('big-screen:alarms')} area="alarms">
          <Ticker groupId={groupId} />
        </Panel>
      </div>
    </div>
  )
}
