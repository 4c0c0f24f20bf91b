/** §2 (cloudMonitorHome): The big screen: figures of the area, its projects, the values of one of them, and what is wrong. */
import { Button, Skeleton, Switch, Text, UnstyledButton } from '@mantine/core'
import { useFullscreenElement, useInterval } from '@mantine/hooks'
import { IconMaximize } from '@tabler/icons-react'
import { parseAsBoolean, parseAsInteger, useQueryStates } from 'nuqs'
import { useEffect } from 'react'
import type { Call, ReplyOf } from '#schema/kit/call'
import type { Word } from '#schema/kit/words.gen'
import { monitorHomeScreen } from '#schema/monitor/monitor-status'
import { getProjectList, getProjectTotals, projectListPermission } from '#schema/monitor/project'
import { getVariableAlarmList, variableAlarmsPermission } from '#schema/monitor/variable-alarm'
import { variableListPermission } from '#schema/monitor/variable-pages'
import { getVariableValues } from '#schema/monitor/variable-values'
import { conditionText, seenText, unknownText } from '../alarm/alarm-chips.tsx'
import { SeverityChip } from '../alarm/alarm-mark.tsx'
import { Card, Tile } from '../kit/card.tsx'
import { type Read, ReadBar } from '../kit/error-bar.tsx'
import { clock, number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Row } from '../kit/list/list-types.ts'
import { PageHeader } from '../kit/page/page-header.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { useCall } from '../kit/query.ts'
import { inServerTime } from '../kit/server/server-clock.ts'
import { can } from '../kit/session.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'
import { BigScreen } from '../monitor/big-screen.tsx'
import { LiveMark } from '../monitor/live-mark.tsx'
import classes from '../monitor/monitor.module.css'
import { unitText } from '../monitor/variable-columns.tsx'
import { isDoubtful, QualityChip, type Value, ValueCell, valueText } from '../monitor/variable-value.tsx'

export const words: readonly Word[] = [
  'monitor-home',
  'big-screen',
  'project',
  'variable',
  'alarm',
  'severity',
  'printer',
]

const REFRESH_S = 10
const NEXT_MS = 15_000
const PROJECTS = 200
const VALUES = 48
const LONG = 10
const ALARMS = 30

type Project = Row<typeof getProjectList>
type ReadOf<C extends Call> = Read & { data: ReplyOf<C> | undefined }
const isReading = ({ data, error }: Read) => data === undefined && error === null
const share = (n: number | undefined, total: number | undefined) =>
  n === undefined || total === undefined ? UNKNOWN : `${number(n)} / ${number(total)}`

/** Red as soon as one of its devices is offline, or one terminal does not respond. */
const toneOf = (one: Project) =>
  one.deviceCount === 0
    ? 'offline'
    : one.onlineCount < one.deviceCount
      ? 'major'
      : one.answeringCount < one.terminalCount
        ? 'warning'
        : 'online'

const More = ({ count }: { count: number }) =>
  count > 0 ? (
    <Text span size="xs" c="dimmed">
      {t('monitor-home:more', { count })}
    </Text>
  ) : null

/** As much as will come: nothing moves then, and nobody takes a list that is read for an empty one. */
const Reading = ({ count, height }: { count: number; height: number }) =>
  Array.from({ length: count }, (_, n) => <Skeleton key={String(n)} height={height} />)

function Projects({
  read,
  chosen,
  onChoose,
}: {
  read: ReadOf<typeof getProjectList>
  chosen: number
  onChoose: (id: number) => void
}) {
  const { data } = read
  const list = data?.list
  return (
    <Card title={t('monitor-home:projects')} side={<More count={(data?.total ?? 0) - (list?.length ?? 0)} />}>
      <div className={classes['projects']}>
        {list?.map((one) => (
          <UnstyledButton
            key={one.id}
            className={classes['project']}
            aria-pressed={one.id === chosen}
            onClick={() => onChoose(one.id)}
          >
            <Text fw={600} truncate>
              {one.name}
            </Text>
            <StatusChip tone={toneOf(one)} label={t(`monitor-home:state.${toneOf(one)}`)} />
            <Text size="xs" c="var(--text-2)">
              {t(`project:type.${one.type}`)}
            </Text>
            <Text size="xs" c="var(--text-2)">
              {t('monitor-home:devices')} {share(one.onlineCount, one.deviceCount)}
            </Text>
            <Text size="xs" c="var(--text-2)">
              {t('monitor-home:terminals')} {share(one.answeringCount, one.terminalCount)}
            </Text>
          </UnstyledButton>
        ))}
        {list?.length === 0 ? <Text c="dimmed">{t('monitor-home:noProject')}</Text> : null}
        {isReading(read) ? <Reading count={1} height={128} /> : null}
      </div>
    </Card>
  )
}

/** With its unit it would need a second line: "35,315.16 kWh". */
const isLong = (row: Value) => `${valueText(row)} ${unitText(row.unit)}`.length > LONG

function Values({ project }: { project: Project | undefined }) {
  const body = { limit: VALUES, ...(project ? { projectId: project.id } : {}) }
  const values = useCall(getVariableValues, body, { refreshS: REFRESH_S, keepPrevious: true })
  const list = values.data?.list ?? []
  const more = (values.data?.total ?? 0) - list.length
  return (
    <Card
      title={project ? t('monitor-home:valuesOf', { name: project.name }) : t('monitor-home:values')}
      side={<More count={more} />}
    >
      <ReadBar read={values} />
      <div className={classes['values']}>
        {list.map((row) => (
          <div
            key={`${row.terminalId}.${row.variableId}`}
            className={classes['value']}
            data-doubt={isDoubtful(row) || undefined}
          >
            <Text size="xs" c="dimmed" truncate>
              {row.terminalName}
            </Text>
            <Text size="sm" truncate>
              {row.name}
            </Text>
            <div className={classes['figure']} data-long={isLong(row) || undefined}>
              <ValueCell row={row} />
            </div>
            <div className={classes['age']}>
              {isDoubtful(row) ? <QualityChip row={row} /> : null}
              <Text span size="xs" c="dimmed">
                {row.at ? <When at={row.at} /> : null}
              </Text>
            </div>
          </div>
        ))}
        {values.data && list.length === 0 ? <Text c="dimmed">{t('monitor-home:noValue')}</Text> : null}
        {isReading(values) ? <Reading count={8} height={114} /> : null}
      </div>
    </Card>
  )
}

function Alarms({ read }: { read: ReadOf<typeof getVariableAlarmList> }) {
  const list = read.data?.list
  return (
    <Card
      title={t('monitor-home:alarms')}
      side={
        <Text span size="sm" c="dimmed">
          {number(read.data?.total ?? null)}
        </Text>
      }
    >
      <ReadBar read={read} />
      <div className={classes['alarms']}>
        {list?.map((row) => (
          <div key={row.id} className={classes['alarm']}>
            <SeverityChip severity={row.severity} />
            <div style={{ minWidth: 0 }}>
              <Text size="sm">{[row.terminalName, conditionText(row)].filter(Boolean).join(' · ')}</Text>
              <Text size="xs" c="dimmed">
                {unknownText(row) ?? [seenText(row), row.deviceName].filter(Boolean).join(' · ')}
              </Text>
              <Text size="xs" c="dimmed">
                <When at={row.startedAt} />
              </Text>
            </div>
          </div>
        ))}
        {list?.length === 0 ? <Text c="dimmed">{t('monitor-home:noAlarm')}</Text> : null}
        {isReading(read) ? <Reading count={2} height={72} /> : null}
      </div>
    </Card>
  )
}

export function Page() {
  const [{ project: chosen, turn }, setState] = useQueryStates(
    { project: parseAsInteger.withDefault(0), turn: parseAsBoolean.withDefault(false) },
    { history: 'replace' },
  )
  const { ref, toggle, fullscreen } = useFullscreenElement<HTMLDivElement>()
  const seesProjects = can(projectListPermission)
  const seesAlarms = can(variableAlarmsPermission)
  const projects = useCall(
    getProjectList,
    { limit: PROJECTS },
    { enabled: seesProjects, refreshS: REFRESH_S, keepPrevious: true },
  )
  const totals = useCall(getProjectTotals, {}, { enabled: seesProjects, refreshS: REFRESH_S })
  const alarms = useCall(
    getVariableAlarmList,
    { limit: ALARMS, state: 'active' },
    { enabled: seesAlarms, refreshS: REFRESH_S, keepPrevious: true },
  )
  const list = projects.data?.list
  const all = totals.data
  // The devices of projects: without one there are none to be counted, and 0 / 0 would look like an outage.
  const counted = all?.projectCount === 0 ? undefined : all
  const at = list?.findIndex(({ id }) => id === chosen) ?? -1
  const shown = list?.[Math.max(0, at)]
  const next = list?.[(Math.max(0, at) + 1) % Math.max(1, list.length)]
  const { start, stop } = useInterval(() => next && void setState({ project: next.id }), NEXT_MS)
  useEffect(() => {
    if (turn) start()
    return stop
  }, [turn, start, stop])
  if (fullscreen)
    return (
      <div ref={ref} className={classes['wall']}>
        <BigScreen projectId={shown?.id} groupId={shown?.groupId} />
      </div>
    )
  const press = () => {
    if (!document.fullscreenEnabled) return void toast('warning', t('shell:fullscreen.unsupported'))
    void toggle()
  }
  return (
    <div ref={ref} className={classes['board']}>
      <PageHeader
        title={screenTitle(monitorHomeScreen)}
        actions={
          <>
            <Switch
              label={t('monitor-home:turn')}
              checked={turn}
              onChange={(event) => void setState({ turn: event.currentTarget.checked })}
            />
            <LiveMark />
            {projects.dataUpdatedAt > 0 ? (
              <Text span size="sm" c="dimmed">
                {t('monitor-home:asOf', { at: clock(inServerTime(projects.dataUpdatedAt)) })}
              </Text>
            ) : null}
            <Button variant="default" leftSection={<IconMaximize size={16} stroke={1.5} />} onClick={press}>
              {t('big-screen:open')}
            </Button>
          </>
        }
      />
      {seesProjects ? <ReadBar read={projects} /> : null}
      <div className={classes['tiles']}>
        <Tile label={t('monitor-home:projects')} value={all ? number(all.projectCount) : UNKNOWN} />
        <Tile
          label={t('monitor-home:devicesOnline')}
          value={share(counted?.onlineCount, counted?.deviceCount)}
        />
        <Tile
          label={t('monitor-home:terminalsAnswering')}
          value={share(counted?.answeringCount, counted?.terminalCount)}
        />
        <Tile label={t('monitor-home:alarms')} value={alarms.data ? number(alarms.data.total) : UNKNOWN} />
      </div>
      <div className={classes['columns']}>
        {seesProjects ? (
          <Projects
            read={projects}
            chosen={shown?.id ?? 0}
            onChoose={(id) => void setState({ project: id })}
          />
        ) : null}
        {can(variableListPermission) ? <Values project={shown} /> : null}
        {seesAlarms ? <Alarms read={alarms} /> : null}
      </div>
    </div>
  )
}
