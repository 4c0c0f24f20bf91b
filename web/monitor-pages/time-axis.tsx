/** "What happened at 03:12": connection, configuration, alarms, commands and variables of one gateway on one axis. */
import { MultiSelect, SegmentedControl, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconLink } from '@tabler/icons-react'
import { parseAsInteger, parseAsIsoDateTime, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useState } from 'react'
import { getDeviceTimeline } from '#schema/device/timeline'
import type { Word } from '#schema/kit/words.gen'
import { getMonitorDevices } from '#schema/monitor/monitor-device'
import { timeAxisScreen } from '#schema/monitor/time-axis'
import { getVariableHistory } from '#schema/monitor/variable-history'
import { getVariableValues } from '#schema/monitor/variable-values'
import { useDeviceNamed } from '../device/device-find.ts'
import { eventKey, eventText } from '../history/device-event.ts'
import classes from '../history/time-axis.module.css'
import { DAY_MS, NEAR_MS, spans, stepOf, untilOf, windowOf } from '../history/time-axis.ts'
import { TimeAxisLanes } from '../history/time-axis-lanes.tsx'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { localOf, MomentField } from '../kit/form/date-field.tsx'
import { pills } from '../kit/form/pills.ts'
import { clockTime, moment, UNKNOWN, viewerZone } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCopy } from '../kit/light/copy.ts'
import { FindField } from '../kit/list/find-field.tsx'
import { SEARCH_PAUSE_MS } from '../kit/list/list-state.ts'
import { PageHeader } from '../kit/page/page-header.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { useCall } from '../kit/query.ts'
import { useNow } from '../kit/time.tsx'
import { idsOf, keyOf, pairsOf, withUnseen } from '../monitor/history-state.ts'
import monitorClasses from '../monitor/monitor.module.css'
import { unitText } from '../monitor/variable-columns.tsx'

export const words: readonly Word[] = [
  'time-axis',
  'variable-history',
  'device',
  'device-state',
  'detail',
  'command',
  'task',
  'alarm',
  'severity',
  'operation',
]

const MINUTE_MS = 60_000
const EVENTS = 1_000
const DEVICES = 50
const VARIABLES = 200
const LINES_MAX = 4
const PRESENCE: readonly ('online' | 'offline')[] = ['online', 'offline']

const parsers = {
  deviceId: parseAsInteger,
  at: parseAsIsoDateTime,
  span: parseAsStringLiteral(spans).withDefault('sixHours'),
  series: parseAsString.withDefault(''),
}
type Change = (next: { series: string | null }) => void

/** Connection, configuration and commands of those without terminals are shown, too; they have no variables to choose. */
function useGateways(search: string) {
  const found = useCall(
    getMonitorDevices,
    { limit: DEVICES, ...(search ? { search } : {}) },
    { keepPrevious: true },
  )
  const options = (found.data?.list ?? []).map(({ id, deviceName, deviceSn, terminalCount }) => ({
    value: String(id),
    label: `${deviceName} · ${deviceSn}`,
    group: t(terminalCount > 0 ? 'time-axis:withTerminals' : 'time-axis:withoutTerminals'),
  }))
  const first = t('time-axis:withTerminals')
  return [
    ...options.filter(({ group }) => group === first),
    ...options.filter(({ group }) => group !== first),
  ]
}

function VariablesField({
  deviceId,
  series,
  onChange,
}: {
  deviceId: number
  series: string
  onChange: Change
}) {
  const [search, setSearch] = useState('')
  const [typed] = useDebouncedValue(search.trim(), SEARCH_PAUSE_MS)
  const found = useCall(
    getVariableValues,
    { deviceId, limit: VARIABLES, ...(typed ? { search: typed } : {}) },
    { keepPrevious: true },
  )
  // A gateway may have more than are offered at once.
  const chosen = pairsOf(series)
  const named = useCall(
    getVariableValues,
    { deviceId, ...idsOf(chosen), limit: LINES_MAX },
    { enabled: chosen.length > 0, keepPrevious: true },
  )
  const isKnown = found.data !== undefined && (chosen.length === 0 || named.data !== undefined)
  const rows = [...(named.data?.list ?? []), ...(found.data?.list ?? [])]
  const choices = [...new Map(rows.map((row) => [keyOf(row), row])).entries()]
    .filter(([, { dataType }]) => dataType !== 'text')
    .map(([value, row]) => ({ value, label: `${row.name} · ${row.terminalName}` }))
  const data = isKnown ? withUnseen(choices, chosen.map(keyOf), t('variable-history:unseen')) : []
  return (
    <MultiSelect
      flex="1 1 260px"
      label={t('time-axis:variables')}
      placeholder={series === '' ? t('time-axis:chooseVariables') : ''}
      nothingFoundMessage={t(
        choices.length === 0 && isKnown && typed === '' ? 'time-axis:noVariables' : 'list:noMatch',
      )}
      data={data}
      value={isKnown ? chosen.map(keyOf) : []}
      onChange={(next) => onChange({ series: next.join(',') || null })}
      maxValues={LINES_MAX}
      classNames={pills}
      searchable
      clearable
      searchValue={search}
      onSearchChange={setSearch}
    />
  )
}

export function Page() {
  const [{ deviceId, at, span, series }, setState] = useQueryStates(parsers, { history: 'replace' })
  const nowMs = useNow(MINUTE_MS)
  const { copied, copy } = useCopy()
  const device = useDeviceNamed(deviceId)
  const momentMs = Math.min(at?.getTime() ?? nowMs, nowMs)
  // A click selects a time in the visible range: the axis stays until date or length are changed.
  const [centre, setCentre] = useState(momentMs)
  const held = windowOf(centre, span, nowMs)
  // The address may also come to another time, as by Back.
  const isHeld = at !== null && momentMs >= held.fromMs && momentMs <= held.toMs
  const { fromMs, toMs } = isHeld ? held : windowOf(momentMs, span, nowMs)
  const days = Math.ceil((nowMs - fromMs) / DAY_MS) + 1
  const reads = { enabled: deviceId !== null, keepPrevious: true }
  // Later events must not crowd out a time in the past.
  const asked = { deviceId: deviceId ?? 0, limit: EVENTS, ...untilOf(toMs, nowMs) }
  const timeline = useCall(getDeviceTimeline, { ...asked, days }, { ...reads, refreshS: 60 })
  // Connections of a restless gateway must not be crowded out by what else happened; that of a quiet one began long before.
  const presence = useCall(getDeviceTimeline, { ...asked, kinds: [...PRESENCE] }, { ...reads, refreshS: 60 })
  const pairs = pairsOf(series)
  const history = useCall(
    getVariableHistory,
    {
      ...idsOf(pairs),
      from: new Date(fromMs).toISOString(),
      to: new Date(toMs).toISOString(),
      step: stepOf[span],
      zone: viewerZone(),
    },
    { enabled: pairs.length > 0, keepPrevious: true },
  )
  const others = (timeline.data?.list ?? []).filter(({ kind }) => kind !== 'online' && kind !== 'offline')
  const events = [...others, ...(presence.data?.list ?? [])]
  const near = events
    .filter((event) => Math.abs(new Date(event.at).getTime() - momentMs) <= NEAR_MS)
    .sort((one, other) => one.at.localeCompare(other.at))
  const moveTo = (ms: number) => {
    if (Number.isNaN(ms)) return
    setCentre(ms)
    void setState({ at: new Date(ms) })
  }
  return (
    <>
      <PageHeader
        title={screenTitle(timeAxisScreen)}
        actions={
          <ActionButton
            icon={IconLink}
            label={t(copied ? 'kit:copied' : 'time-axis:link')}
            reason={deviceId === null ? t('time-axis:choose') : null}
            onPress={() => {
              const link = new URL(location.href)
              link.searchParams.set('at', new Date(momentMs).toISOString())
              copy(link.href)
            }}
          />
        }
      />
      <div className={classes['filters']}>
        <FindField
          w={260}
          label={t('time-axis:gateway')}
          placeholder={t('time-axis:choose')}
          useFound={useGateways}
          known={device}
          value={deviceId === null ? null : String(deviceId)}
          onChange={(value) =>
            void setState({ deviceId: value === null ? null : Number(value), series: null })
          }
        />
        <MomentField
          w={180}
          label={t('time-axis:moment')}
          value={localOf(momentMs)}
          onChange={(local) => moveTo(new Date(local).getTime())}
        />
        <SegmentedControl
          aria-label={t('time-axis:span')}
          value={span}
          data={spans.map((value) => ({ value, label: t(`variable-history:range.${value}`) }))}
          onChange={(value) => {
            setCentre(momentMs)
            void setState({ span: spans.find((one) => one === value) ?? null })
          }}
        />
        {deviceId === null ? null : (
          <VariablesField deviceId={deviceId} series={series} onChange={(next) => void setState(next)} />
        )}
      </div>
      {deviceId === null ? (
        <Empty title={t('time-axis:none.title')} text={t('time-axis:none.text')} />
      ) : (
        <div className={monitorClasses['stack']}>
          <ReadBar read={timeline} />
          {pairs.length > 0 ? <ReadBar read={history} /> : null}
          <Card>
            <TimeAxisLanes
              fromMs={fromMs}
              toMs={toMs}
              momentMs={Math.max(fromMs, Math.min(toMs, momentMs))}
              onMoment={(ms) => {
                setCentre((fromMs + toMs) / 2)
                void setState({ at: new Date(Math.round(ms)) })
              }}
              events={events}
              lines={(history.data?.series ?? []).map((one) => ({
                key: keyOf(one),
                name: `${one.terminalName} / ${one.variableName}`,
                unit: unitText(one.unit),
                digits: one.digits,
                values: one.avg,
              }))}
            />
            {(timeline.data?.total ?? 0) > EVENTS ? (
              <Text size="xs" c="dimmed" mt={8}>
                {t('time-axis:more', { n: EVENTS })}
              </Text>
            ) : null}
          </Card>
          <Card title={t('time-axis:near', { at: moment(new Date(momentMs)) })}>
            {near.length === 0 ? (
              <Text c="dimmed">{timeline.data && presence.data ? t('time-axis:nothing') : UNKNOWN}</Text>
            ) : (
              <ul className={classes['events']}>
                {near.map((event) => (
                  <li key={eventKey(event)}>
                    <span className="tabular">{clockTime(event.at)}</span>
                    <span>{eventText(event)}</span>
                  </li>
                ))}
              </ul>
            )}
          </Card>
        </div>
      )}
    </>
  )
}
