import { Pagination, Skeleton, Stack, Text } from '@mantine/core'
import { createLoader, parseAsString, useQueryStates } from 'nuqs'
import { Suspense, useState } from 'react'
import { ALARMS_AT_ONCE, alarmScreen, getAlarmList } from '#schema/alarm/alarm'
import { getAlarmOutages } from '#schema/alarm/alarm-outage'
import { alarmRuleScreen } from '#schema/alarm/alarm-rule'
import type { BodyOf } from '#schema/kit/call'
import type { Word } from '#schema/kit/words.gen'
import classes from '../alarm/alarm.module.css'
import { useAcknowledge } from '../alarm/alarm-acknowledge.ts'
import { type AlarmRow, outageTitle, ruleText } from '../alarm/alarm-chips.tsx'
import { groupAlarms } from '../alarm/alarm-groups.ts'
import { AlarmHeading } from '../alarm/alarm-heading.tsx'
import { useAlarmKeys } from '../alarm/alarm-keys.ts'
import { AlarmOutages, type Outage } from '../alarm/alarm-outages.tsx'
import { AlarmLine, focusAlarm } from '../alarm/alarm-row.tsx'
import { useAlarmSelection } from '../alarm/alarm-selection.ts'
import {
  AlarmBulk,
  AlarmFacets,
  type AlarmFilter,
  AlarmTools,
  ClearFilters,
  FreshBar,
  KeyHelp,
  toHandle,
} from '../alarm/alarm-tools.tsx'
import { useFrozenRows } from '../alarm/frozen-rows.ts'
import { request } from '../kit/api.ts'
import { lazy } from '../kit/chunk.ts'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import { useFirstRows } from '../kit/light/first-rows.ts'
import { searchParameter } from '../kit/list/list-state.ts'
import { lastPage, pageNumber, useLastPage } from '../kit/list/page-number.ts'
import { PageHeader } from '../kit/page/page-header.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { askAhead, reportError, useCall } from '../kit/query.ts'
import { holdsScreen } from '../kit/session.ts'
import { useSlow } from '../kit/slow.ts'
import { sentences } from '../kit/words/sentences.ts'

/** With the declared forms of all calls: not before it is asked for. */
const HandleDialog = lazy(() =>
  import('../alarm/alarm-handle.tsx').then((module) => ({ default: module.HandleDialog })),
)

export const words: readonly Word[] = ['alarm', 'printer', 'severity']

const LIMIT = 50
/** No row is lower. */
const ROW_PX = 44
const REFRESH_S = 10
const text = parseAsString.withDefault('')
const address = {
  state: parseAsString.withDefault('active'),
  ack: text,
  severity: text,
  ruleId: text,
  groupId: text,
  deviceId: text,
  incidentId: text,
  search: searchParameter,
  by: parseAsString.withDefault('none'),
  offset: pageNumber,
}
const NONE: AlarmFilter = {
  state: 'active',
  ack: '',
  severity: '',
  ruleId: '',
  groupId: '',
  deviceId: '',
  incidentId: '',
  search: '',
  by: 'none',
}

/** With a filter or search each alarm is listed; otherwise an outage is shown once. */
const isNarrowed = (filter: AlarmFilter) => JSON.stringify({ ...filter, by: 'none' }) !== JSON.stringify(NONE)

const questionOf = ({ by: _, ...asked }: AlarmFilter, offset: number, folded: boolean) =>
  ({
    ...(folded ? { fold: 'outages' } : {}),
    ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== '')),
    offset,
    limit: LIMIT,
  }) as BodyOf<typeof getAlarmList>

Page.ahead = (search: string) => {
  const { offset, ...filter } = createLoader(address)(new URLSearchParams(search))
  askAhead(getAlarmOutages, {})
  askAhead(getAlarmList, questionOf(filter, offset, !isNarrowed(filter)))
}

export function Page() {
  const [{ offset, ...filter }, setAddress] = useQueryStates(address, { history: 'replace' })
  const change = (next: Partial<AlarmFilter>) => void setAddress({ ...next, offset: 1 })
  const { by } = filter
  const narrowed = isNarrowed(filter)
  const outagesRead = useCall(getAlarmOutages, {}, { refreshS: REFRESH_S, keepPrevious: true })
  const outages = outagesRead.data?.list ?? []
  // If the outages cannot be loaded, their alarms stay in the list.
  const areOutagesUnknown = outagesRead.isError && outagesRead.data === undefined
  const body = questionOf(filter, offset, !narrowed && !areOutagesUnknown)
  const query = useCall(getAlarmList, body, { refreshS: REFRESH_S, keepPrevious: true })
  const slow = useSlow(query.isPending)
  const frozen = useFrozenRows(
    query.isPlaceholderData ? undefined : query.data?.list,
    // Rows that joined or left an outage are not "gone": the list is reset.
    JSON.stringify([body, narrowed ? [] : outages.map(({ incidentId }) => incidentId).toSorted()]),
    LIMIT,
    offset,
  )
  const total = query.data?.total ?? 0
  const isBeyond = useLastPage(
    query.isSuccess && !query.isPlaceholderData ? frozen.rows : undefined,
    { offset, limit: LIMIT, total },
    (last) => void setAddress({ offset: last }),
  )
  const drawn = useFirstRows(frozen.rows, ROW_PX)
  const groups = groupAlarms(drawn, by, ruleText)
  const rows = groups.flatMap((group) => group.rows)

  const selection = useAlarmSelection(rows, JSON.stringify({ ...body, offset: 1 }))
  const [current, setCurrent] = useState<number | null>(null)
  const [handling, setHandling] = useState<readonly AlarmRow[]>([])
  const [handledOutage, handleOutage] = useState<Outage | null>(null)
  const opened = handling.length > 0 || handledOutage !== null
  const [wanted, setWanted] = useState(opened)
  if (opened && !wanted) setWanted(true)
  const acknowledge = useAcknowledge()
  const { selected } = selection
  const [gathering, setGathering] = useState(false)
  const selectMatching = async () => {
    setGathering(true)
    try {
      const { list } = await request(getAlarmList, { ...body, offset: 1, limit: ALARMS_AT_ONCE })
      selection.set(list, true)
    } catch (error) {
      reportError(error)
    } finally {
      setGathering(false)
    }
  }
  const place = rows.findIndex(({ id }) => id === current)
  const at = rows[place]
  const meant = selected.length > 0 ? selected : at ? [at] : []
  const move = (step: number) => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, place + step))]
    if (!next) return
    setCurrent(next.id)
    focusAlarm(next.id)
  }
  useAlarmKeys({
    j: () => move(1),
    k: () => move(place < 0 ? 1 : -1),
    x: () => at && selection.toggle(at),
    e: () => acknowledge(meant),
    h: () => setHandling(toHandle(meant)),
  })

  const content = () => {
    // Not "no alarms": the bar above says that they could not be loaded.
    if (!query.data && query.error) return null
    if (query.isPending || isBeyond || (query.isPlaceholderData && rows.length === 0))
      return (
        <Stack gap={12} p={12} mih={320} aria-busy>
          {slow ? Array.from({ length: 6 }, (_, i) => <Skeleton key={String(i)} height={32} />) : null}
        </Stack>
      )
    if (rows.length === 0)
      return narrowed ? (
        <Empty
          kind="noMatch"
          text={t('list:noMatchText')}
          action={<ClearFilters onClear={() => void setAddress({ ...NONE, offset: 1 })} />}
        />
      ) : (
        <Empty
          title={t(outages.length > 0 ? 'alarm:outages.noOther' : 'alarm:empty.title')}
          text={
            outages.length > 0
              ? t('alarm:outages.noOtherText')
              : sentences([
                  t('alarm:empty.text'),
                  // Who may not open that page could do nothing there.
                  holdsScreen(alarmRuleScreen) ? t('alarm:empty.rules') : null,
                ])
          }
        />
      )
    return groups.map(({ key, title, rows: list }) => (
      <section key={key} aria-label={title || screenTitle(alarmScreen)}>
        <AlarmHeading
          title={title}
          count={list.length}
          selected={list.filter(selection.has).length}
          partial={total > frozen.rows.length}
          onSelect={(on) => selection.set(list, on)}
        />
        {list.map((row) => (
          <AlarmLine
            key={row.id}
            row={row}
            current={row.id === current}
            first={place < 0 && row.id === rows[0]?.id}
            selected={selection.has(row)}
            onSelect={() => selection.toggle(row)}
            onCurrent={() => setCurrent(row.id)}
            onAcknowledge={() => acknowledge([row])}
            onHandle={() => setHandling([row])}
          />
        ))}
      </section>
    ))
  }
  return (
    <>
      <PageHeader title={screenTitle(alarmScreen)} actions={<KeyHelp />} />
      <ReadBar read={query} />
      <div className={classes['list']}>
        {selected.length > 0 ? (
          <AlarmBulk
            rows={selected}
            matching={rows.every(selection.has) ? total : 0}
            busy={gathering}
            onMatching={() => void selectMatching()}
            onClear={selection.clear}
            onAcknowledge={() => acknowledge(selected)}
            onHandle={() => setHandling(toHandle(selected))}
          />
        ) : (
          <AlarmTools filter={filter} onChange={change} />
        )}
        <AlarmFacets filter={filter} onChange={change} severities={query.data?.severities} />
        {narrowed && filter.incidentId === '' ? null : (
          <AlarmOutages
            outages={outages}
            chosen={filter.incidentId}
            onChoose={(incidentId) => change({ ...NONE, by, incidentId })}
            onHandle={handleOutage}
          />
        )}
        <FreshBar count={frozen.waiting} onShow={frozen.adopt} />
        {content()}
        <div className={classes['pager']}>
          <Text size="xs" c="dimmed">
            {t('list:total', { count: total })}
          </Text>
          {total > LIMIT || offset > 1 ? (
            <Pagination
              size="sm"
              total={lastPage(total, LIMIT)}
              value={offset}
              onChange={(next) => void setAddress({ offset: next })}
              getControlProps={(control) => ({ 'aria-label': t(`list:page.${control}`) })}
            />
          ) : null}
        </div>
      </div>
      <Suspense>
        {wanted ? (
          <HandleDialog
            rows={handling}
            outage={handledOutage && { ...handledOutage, title: outageTitle(handledOutage) }}
            onClose={() => {
              setHandling([])
              handleOutage(null)
            }}
            onDone={selection.clear}
          />
        ) : null}
      </Suspense>
    </>
  )
}
