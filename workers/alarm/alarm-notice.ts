/** Writes a notice: its text, and a row for each delivery, in the transaction that marks it as notified. */
import { sayIn } from '#infra/say'
import { alarmScreen, type OutageGround } from '#schema/alarm/alarm'
import {
  type AlarmPayload,
  LISTED_MAX,
  type NoticedAlarm,
  type NoticeKind,
} from '#schema/alarm/alarm-channel'
import type { AlarmKind, Severity } from '#schema/alarm/alarm-kind'
import { conditionName, figureAt, fill, lasted, localMoment } from '#schema/alarm/alarm-text'
import type { Language } from '#schema/kit/refusal'
import type { Say } from '#schema/kit/say'
import type { AlarmCondition } from '#schema/monitor/notice/variable-condition'
import { variableAlarmScreen } from '#schema/monitor/variable-alarm'
import type { Transaction } from '../kit/processor.ts'
import { addNotice, plainOnce, type Telling } from './notice-deliveries.ts'

export type Rule = {
  id: number
  customerId: number
  name: string
  kind: AlarmKind
  severity: Severity
  language: Language
  timeZone: string
  alertText: string
  recoveryText: string
  byEmail: boolean
  toUsers: boolean
}
export type NoticeAlarm = Omit<
  NoticedAlarm,
  'startedAt' | 'endedAt' | 'task' | 'terminal' | 'variable' | 'condition'
> & {
  taskId: number | null
  terminalName: string | null
  variableName: string | null
  /** Groups in which it is visible. */
  groupIds: readonly number[]
  condition: AlarmCondition | null
  startedAt: Date
  /** When it began the last time. */
  lastAt: Date
  endedAt: Date | null
}
export type Incident = { id: number; ground: OutageGround; name: string }
export type NoticeContent = { kind: NoticeKind; alarms: readonly NoticeAlarm[]; incident: Incident | null }

const valuesOf = (rule: Rule, alarm: NoticeAlarm, at: Date, say: Say) => ({
  rule: rule.name,
  severity: say(`severity:${rule.severity}`),
  device: alarm.deviceName,
  terminal: alarm.terminalName ?? '',
  variable: alarm.variableName ?? '',
  task: alarm.deviceName,
  sn: alarm.sn,
  group: alarm.groupName,
  condition: conditionName({ ...alarm, kind: rule.kind }, say),
  value: figureAt({ ...alarm, kind: rule.kind }, at.getTime(), say),
  threshold: alarm.threshold ?? '',
  time: localMoment(alarm.startedAt, rule.timeZone),
  duration: lasted((alarm.endedAt ?? at).getTime() - alarm.startedAt.getTime(), say),
  times: alarm.times,
})

function lineOf(rule: Rule, alarm: NoticeAlarm, kind: NoticeKind, at: Date, say: Say): string {
  const state =
    kind === 'summary' ? ` · ${say(alarm.endedAt ? 'alarm:message.over' : 'alarm:message.open')}` : ''
  const device = alarm.sn ? `${alarm.deviceName} (${alarm.sn})` : alarm.deviceName
  const name = [device, alarm.terminalName, alarm.variableName].filter(Boolean).join(' / ')
  return `• ${name} · ${figureAt({ ...alarm, kind: rule.kind }, at.getTime(), say) || conditionName({ ...alarm, kind: rule.kind }, say)} · ${localMoment(alarm.startedAt, rule.timeZone)}${state}`
}

/** Subject and text: for one alarm from the rule's own text, for several as a list. */
export function wordsOf(rule: Rule, tale: NoticeContent, at: Date): { subject: string; text: string } {
  const say = sayIn(rule.language)
  const { alarms, incident, kind } = tale
  const [only] = alarms
  const over = kind === 'recovery'
  if (only && alarms.length === 1 && !incident && kind !== 'summary') {
    const values = valuesOf(rule, only, at, say)
    return {
      subject: say(`alarm:message.${kind as 'alert' | 'recovery' | 'repeat'}Subject`, values),
      text: fill(over ? rule.recoveryText : rule.alertText, values),
    }
  }
  const name = incident
    ? say(`alarm:message.outage.${incident.ground}`, { name: incident.name })
    : say(`alarm:kind.${rule.kind}`)
  const [begun, ended] = incident
    ? (['outageSubject', 'outageOverSubject'] as const)
    : (['manySubject', 'manyOverSubject'] as const)
  const subject = say(`alarm:message.${kind === 'summary' ? 'summarySubject' : over ? ended : begun}`, {
    rule: rule.name,
    severity: say(`severity:${rule.severity}`),
    name,
    count: alarms.length,
  })
  const more = alarms.length - LISTED_MAX
  const lines = alarms.slice(0, LISTED_MAX).map((alarm) => lineOf(rule, alarm, kind, at, say))
  const head = kind === 'summary' ? say('alarm:message.summary') : name
  return {
    subject,
    text: [head, ...lines, ...(more > 0 ? [say('alarm:message.more', { count: more })] : [])].join('\n'),
  }
}

export type Receivers = {
  mails: { email: string; groupIds: number[] | null }[]
  phones: string[]
  channels: { id: number; kind: string; name: string }[]
}

/**
 * [§3 User] Users whose alarm switch is off get no notices, not even as a contact. Normal users are notified
 * about their groups only.
 */
export async function receiversOf(tx: Transaction, rule: Rule): Promise<Receivers> {
  const people = await tx<{ email: string; phone: string }[]>`
    select c.email, c.phone from alarm_rule_contacts x join contacts c on c.id = x.contact_id where x.rule_id = ${rule.id}
      and not exists (select 1 from users u where u.customer_id = c.customer_id and lower(u.email) = lower(c.email) and u.alarm_state = 0)
    order by c.id`
  const users = rule.toUsers
    ? await tx<{ email: string; groupIds: number[] | null }[]>`
        select u.email, case when u.type = 'normal' then array(
          with recursive tree as (
            select ug.group_id as id from user_groups ug where ug.user_id = u.id
            union select g.id from groups g join tree t on g.parent_id = t.id) select id from tree) end as "groupIds"
        from users u where u.customer_id = ${rule.customerId} and u.status = 1 and u.alarm_state = 1 and u.email is not null order by u.id`
    : []
  const channels = await tx<{ id: number; kind: string; name: string }[]>`
    select c.id, c.kind, c.name from alarm_rule_channels x join alarm_channels c on c.id = x.channel_id where x.rule_id = ${rule.id} and c.enabled`
  const mails = [...(rule.byEmail ? people.map(({ email }) => ({ email, groupIds: null })) : []), ...users]
  return { mails: plainOnce(mails), phones: people.map(({ phone }) => phone), channels }
}

const taskUrl = (url: string, taskId: number) => `${url}/task/upgrade/${taskId}`

/** Fields are listed one by one, so that internal ones do not become part of the public format. */
const wire = (alarm: NoticeAlarm, url: string): NoticedAlarm => ({
  id: alarm.id,
  sn: alarm.sn,
  deviceName: alarm.deviceName,
  task: alarm.taskId === null ? null : { id: alarm.taskId, url: taskUrl(url, alarm.taskId) },
  groupName: alarm.groupName,
  ...(alarm.terminalName === null
    ? {}
    : { terminal: alarm.terminalName, variable: alarm.variableName, condition: alarm.condition }),
  subject: alarm.subject,
  value: alarm.value,
  threshold: alarm.threshold,
  detail: alarm.detail,
  startedAt: alarm.startedAt.toISOString(),
  endedAt: alarm.endedAt?.toISOString() ?? null,
  times: alarm.times,
})

/** Links of the notice: to the paused tasks, to the outage, or else to the alarms; those about variables have a page of their own. */
const linksOf = ({ alarms, incident }: NoticeContent, url: string): readonly string[] => {
  const ofVariables = incident === null && alarms.every(({ variableName }) => variableName !== null)
  const taskIds = [...new Set(alarms.flatMap(({ taskId }) => (taskId === null ? [] : [taskId])))]
  return taskIds.length > 0
    ? taskIds.slice(0, LISTED_MAX).map((id) => taskUrl(url, id))
    : ofVariables
      ? [url + variableAlarmScreen.path]
      : [`${url}${alarmScreen.path}${incident ? `?incidentId=${incident.id}` : ''}`]
}

/** Writes the notice and its deliveries. */
export async function writeNotice(
  tx: Transaction,
  rule: Rule,
  tale: NoticeContent,
  to: Receivers,
  of: Telling,
): Promise<void> {
  const { subject, text } = wordsOf(rule, tale, of.at)
  const { name, kind, severity, customerId } = rule
  const payload: AlarmPayload = {
    rule: { id: rule.id, name, kind, severity },
    incident: tale.incident,
    count: tale.alarms.length,
    alarms: tale.alarms.slice(0, LISTED_MAX).map((alarm) => wire(alarm, of.url)),
    text,
  }
  const mails = to.mails.flatMap(({ email, groupIds }) => {
    const alarms = groupIds
      ? tale.alarms.filter((alarm) => alarm.groupIds.some((id) => groupIds.includes(id)))
      : tale.alarms
    if (alarms.length === 0) return []
    const words = wordsOf(rule, { ...tale, alarms }, of.at)
    const links = linksOf({ ...tale, alarms }, of.url)
    return [{ email, subject: words.subject, text: `${words.text}\n\n${links.join('\n')}\n` }]
  })
  const notice = { customerId, ruleId: rule.id, kind: tale.kind, subject, payload }
  await addNotice(tx, notice, { ...to, mails }, of)
}
