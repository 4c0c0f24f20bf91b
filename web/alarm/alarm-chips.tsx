import type { getAlarmList, OutageGround } from '#schema/alarm/alarm'
import { type AlarmKind, alarmKindNames, factsOf, isDeviceKind, severities } from '#schema/alarm/alarm-kind'
import { conditionName, figureAt } from '#schema/alarm/alarm-text'
import { taskListPermission } from '#schema/task/task-pages'
import { detailLink } from '../device/device-options.ts'
import { moment, number, quantity, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { doerText } from '../kit/known-name.ts'
import type { Row } from '../kit/list/list-types.ts'
import { PageLink } from '../kit/page-link.tsx'
import { serverNow } from '../kit/server/server-clock.ts'
import { can } from '../kit/session.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import classes from './alarm.module.css'

export type AlarmRow = Row<typeof getAlarmList>

export const outageTitle = ({ ground, name }: { ground: OutageGround; name: string }) =>
  t(`alarm:outage.${ground}`, { name })
export const severityOptions = () => severities.map((value) => ({ value, label: t(`severity:${value}`) }))
export const kindOptions = () => alarmKindNames.map((value) => ({ value, label: t(`alarm:kind.${value}`) }))
/** Those that rules about devices have. */
export const deviceKindOptions = () => kindOptions().filter(({ value }) => isDeviceKind(value))

/** [§4] In alarm or restored, and whether a user has seen it. */
export function AlarmStateChip({
  row,
}: {
  row: Pick<AlarmRow, 'endedAt' | 'ackAt' | 'handledAt' | 'endReason'>
}) {
  if (row.endedAt)
    return (
      <StatusChip
        tone="online"
        label={t('alarm:state.cleared')}
        hint={row.endReason ? t(`alarm:endReason.${row.endReason}`) : undefined}
      />
    )
  if (row.ackAt) return <StatusChip tone="pending" label={t('alarm:state.acknowledged')} />
  return <StatusChip tone="critical" label={t('alarm:state.active')} />
}
export const HandledChip = ({ row }: { row: Pick<AlarmRow, 'handledAt'> }) => (
  <StatusChip
    tone={row.handledAt ? 'online' : 'offline'}
    label={t(row.handledAt ? 'alarm:state.processed' : 'alarm:state.unprocessed')}
  />
)

/** A value with its unit: "17 min", "−106 dBm". */
export function withUnit(kind: AlarmKind, value: number | null): string {
  if (value === null) return UNKNOWN
  const { unit } = factsOf(kind)
  return unit === undefined || unit === 'load'
    ? number(value, 1)
    : quantity(number(value, 1), t(`alarm:unit.${unit}`))
}

/** The observed value, or how long it has lasted. */
export const seenText = (
  row: Pick<AlarmRow, 'kind' | 'value' | 'detail' | 'startedAt' | 'lastAt' | 'endedAt' | 'times'>,
): string =>
  row.value === null || row.kind === 'variable' || factsOf(row.kind).timed
    ? figureAt(row, serverNow(), t)
    : withUnit(row.kind, row.value)

/** "Device offline ≥ 5 min"; of a variable "Temperature > 80 °C". */
export function conditionText(
  rule: { kind: AlarmKind; threshold: number | null } & Partial<Pick<AlarmRow, 'condition' | 'variableName'>>,
): string {
  if (rule.condition) return conditionName({ variableName: null, ...rule, condition: rule.condition }, t)
  const { direction } = factsOf(rule.kind)
  const name = t(`alarm:kind.${rule.kind}`)
  return rule.threshold === null || !direction
    ? name
    : `${name} ${direction === 'below' ? '≤' : '≥'} ${withUnit(rule.kind, rule.threshold)}`
}

export const Times = ({ times }: { times: number }) =>
  times > 1 ? (
    <span className={classes['times']} title={t('alarm:timesHint', { count: times })}>
      ×{number(times)}
    </span>
  ) : null

type About = Pick<AlarmRow, 'deviceName' | 'sn' | 'groupId' | 'deviceId' | 'taskId'>

/**
 * The page of the device, or of the task that paused itself; null if the task is deleted or not visible to this user.
 */
export function pathOf({ groupId, deviceId, taskId }: About): string | null {
  if (groupId !== null && deviceId !== null) return detailLink({ groupId, deviceId })
  return taskId !== null && can(taskListPermission) ? `/task/upgrade/${taskId}` : null
}
/** "Office (SN-1)"; for a task its name. */
export const aboutText = ({ deviceName, sn }: Pick<About, 'deviceName' | 'sn'>) =>
  sn ? `${deviceName} (${sn})` : deviceName
/** The device's group, with the terminal if it is about one; for a task, that it is one. */
export const placeText = (row: Pick<AlarmRow, 'groupName' | 'kind' | 'terminalName'>) =>
  factsOf(row.kind).about === 'task'
    ? t('alarm:task')
    : [row.terminalName, row.groupName].filter(Boolean).join(' · ')
/** Since when and why the value of a variable in alarm is not known; null: it is. */
export const unknownText = ({
  unknownSince,
  unknownWhy,
  endedAt,
}: Pick<AlarmRow, 'unknownSince' | 'unknownWhy' | 'endedAt'>) =>
  unknownSince && unknownWhy && !endedAt
    ? t(`alarm:unknown.${unknownWhy}`, { at: moment(unknownSince) })
    : null
/** '' if nobody did it yet. */
export const handlerText = ({ handledAt, handledBy }: Pick<AlarmRow, 'handledAt' | 'handledBy'>) =>
  handledAt ? doerText(handledBy) : ''
export const handlerColumn = {
  key: 'handledBy',
  title: 'alarm:field.handledBy',
  width: 120,
  extra: true,
  render: handlerText,
  text: handlerText,
} as const
export const acknowledgerText = ({ ackAt, ackBy }: Pick<AlarmRow, 'ackAt' | 'ackBy'>) =>
  ackAt ? doerText(ackBy) : ''
export const ruleText = ({ ruleName }: Pick<AlarmRow, 'ruleName'>) => ruleName || t('alarm:noRule')

function AboutName({ row }: { row: About }) {
  return (
    <PageLink to={pathOf(row)} className={classes['name']}>
      {row.deviceName}
    </PageLink>
  )
}

export const AboutLink = ({ row }: { row: About }) => (
  <div className={classes['about']}>
    <AboutName row={row} />
    {row.sn === '' || row.deviceName === row.sn ? null : <span className={classes['serial']}>{row.sn}</span>}
  </div>
)
