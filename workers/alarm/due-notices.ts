/**
 * Decides which notices are due. `notified` is what receivers were notified of, the alarm itself is the current
 * state; a notice is due where they differ. So a crash neither repeats nor loses a notice; quiet hours and an
 * exhausted budget only delay it.
 */
import { budgetWaitMs } from '#infra/send-budget'
import { OUTAGE_GATHER_MS, SETTLE_MS } from '#schema/alarm/alarm'
import { isQuiet } from '#schema/alarm/quiet'
import type { SendPurpose } from '#schema/platform/send-budget'
import type { Transaction } from '../kit/processor.ts'
import {
  type Incident,
  type NoticeAlarm,
  type NoticeContent,
  type Receivers,
  type Rule,
  receiversOf,
  writeNotice,
} from './alarm-notice.ts'
import { outageWindow } from './alarm-outage.ts'
import type { Telling } from './notice-deliveries.ts'

/** From this number on, alarms of one rule in one evaluation are sent as one notice. */
const TOGETHER_MIN = 5
/**
 * A rule that wrote this many notices within a minute writes one at most every quarter of a minute: variables are evaluated
 * several times a second, and a flood would send as many mails and short messages to everybody.
 */
const PER_MINUTE = 10
const GATHER_S = 15
/** Limit per evaluation; the rest follows with the next. Each rule has its share: what one of them holds back for hours delays no other. */
const AT_ONCE = 5_000

/** `alone`: alarms of lost devices that belong to no outage. */
type DueTelling = Telling & { alone: readonly number[] }
type State = 'nothing' | 'alert' | 'all'
type Due = NoticeAlarm & {
  ruleId: number
  notified: State
  held: boolean
  kind: string
  /** The state (open or over) has lasted longer than it must settle. */
  settled: boolean
  endReason: string | null
  repeats: boolean
  incidentId: number | null
}
type DueIncident = Incident & {
  ruleId: number
  notified: State
  held: boolean
  open: number
  repeats: boolean
}
type RuleRow = Rule & { quietFrom: string | null; quietTo: string | null }

/** By customer: budgets are locked in this order, here and in guardTasks, so that no two transactions deadlock. */
const ruleRows = (tx: Transaction, ids: readonly number[]) => tx<RuleRow[]>`
  select id, customer_id as "customerId", name, kind, severity, language, time_zone as "timeZone", alert_text as "alertText",
    recovery_text as "recoveryText", by_email as "byEmail", to_users as "toUsers", quiet_from as "quietFrom", quiet_to as "quietTo"
  from alarm_rules where id = any(${[...ids]}::int[]) order by customer_id, id`

const noticeColumns = (tx: Transaction) => tx`
  a.id, a.sn, a.device_name as "deviceName", a.task_id as "taskId", case when a.task_id is null then array_remove(array[a.group_id], null) else array(
    select distinct d.group_id from task_items i join devices d on d.id = i.device_id where i.task_id = a.task_id and not i.superseded) end as "groupIds",
  a.group_name as "groupName", a.subject, a.value, a.threshold, a.detail,
  a.terminal_name as "terminalName", a.variable_name as "variableName", a.condition,
  a.started_at as "startedAt", a.last_at as "lastAt", a.ended_at as "endedAt", a.times`

const isRepeated = (tx: Transaction, at: Date, notified: string) => tx`
  (r.mode = 'repeat' and ${tx(notified)}.notified = 'alert' and ${tx(notified)}.notified_at <= ${at}::timestamptz - make_interval(mins => r.interval_minutes))`

/**
 * Alarms whose state was not notified yet, or is to be repeated. An offline alarm is notified only after outages have
 * been searched for, else devices that were lost together would be notified one by one.
 */
const dueAlarms = (tx: Transaction, { at, alone }: DueTelling) => tx<Due[]>`
  with due as (
    select a.id, row_number() over (partition by a.rule_id order by a.held, a.id) as nth from alarms a join alarm_rules r on r.id = a.rule_id
    where a.notified <> 'all' and (a.notified = 'nothing' or a.ended_at is not null or a.held or ${isRepeated(tx, at, 'a')})
    order by nth, a.id limit ${AT_ONCE})
  select ${noticeColumns(tx)}, a.rule_id as "ruleId", a.notified, a.held, a.kind, a.end_reason as "endReason", a.incident_id as "incidentId",
    coalesce(a.ended_at, a.last_at) <= ${at}::timestamptz - make_interval(secs => (case
      when a.times > 1 then ${SETTLE_MS / 1000}::int when a.kind = 'offline' and a.ended_at is null then ${OUTAGE_GATHER_MS / 1000}::int else 0 end))
      and (a.kind <> 'offline' or a.ended_at is not null or a.last_at <= ${outageWindow(at)} or a.id = any(${[...alone]}::bigint[])) as settled,
    coalesce(a.ended_at is null and a.ack_at is null and a.unknown_since is null and ${isRepeated(tx, at, 'a')}, false) as repeats
  from due join alarms a on a.id = due.id join alarm_rules r on r.id = a.rule_id
  order by a.id`

/** As alarms: only what there is something to do about, and each rule has its share. */
const dueIncidents = (tx: Transaction, at: Date) => tx<DueIncident[]>`
  with due as (
    select i.*, n.open, coalesce(n.unseen > 0 and ${isRepeated(tx, at, 'i')}, false) as repeats,
      row_number() over (partition by i.rule_id order by i.held, i.id) as nth
    from alarm_incidents i join alarm_rules r on r.id = i.rule_id
      cross join lateral (select count(*) filter (where a.ended_at is null)::int as open,
        count(*) filter (where a.ended_at is null and a.ack_at is null)::int as unseen from alarms a where a.incident_id = i.id) n
    where i.notified <> 'all' and (i.held or i.notified = 'nothing' or n.open = 0 or (n.unseen > 0 and ${isRepeated(tx, at, 'i')}))
    order by nth, i.id limit ${AT_ONCE})
  select id, ground, name, rule_id as "ruleId", notified, held, open, repeats from due order by id`

const alarmsOf = (tx: Transaction, incidentId: number) => tx<NoticeAlarm[]>`
  select ${noticeColumns(tx)} from alarms a where a.incident_id = ${incidentId} order by a.id`

type Step = { tale: NoticeContent; next: State; alarms: Due[]; incident: DueIncident | null }

/**
 * A value was beyond its limit for less time than an evaluation takes: notified like others, unless it keeps returning.
 */
const isBrief = ({ kind, endReason, times }: Due) =>
  kind === 'variable' && endReason === 'recovered' && times === 1

/** Single alarms of one rule to be notified, outside quiet hours. */
function stepsOf(due: readonly Due[]): { steps: Step[]; silent: Due[] } {
  const open = due.filter(
    (alarm) => alarm.notified === 'nothing' && (alarm.endedAt === null || isBrief(alarm)) && alarm.settled,
  )
  const over = due.filter(
    (alarm) => alarm.notified === 'alert' && alarm.endReason === 'recovered' && alarm.settled,
  )
  const again = due.filter((alarm) => alarm.repeats)
  // A task that was resumed and paused itself again has one of either: the last message tells how it is now.
  const groups = [
    { kind: 'recovery' as const, next: 'all' as const, alarms: over },
    { kind: 'alert' as const, next: 'alert' as const, alarms: open },
    { kind: 'repeat' as const, next: 'alert' as const, alarms: again },
  ]
  const steps = groups.flatMap(({ kind, next, alarms }) => {
    if (alarms.length === 0) return []
    const parts = alarms.length >= TOGETHER_MIN ? [alarms] : alarms.map((alarm) => [alarm])
    return parts.map((part) => ({
      tale: { kind, alarms: part, incident: null },
      next,
      alarms: part,
      incident: null,
    }))
  })
  // It started and ended before a notice was sent, or it ended because it is no longer monitored.
  const silent = due.filter(
    (alarm) =>
      alarm.endedAt !== null &&
      ((alarm.notified === 'nothing' && !isBrief(alarm)) || alarm.endReason !== 'recovered'),
  )
  return { steps, silent }
}

const mark = (tx: Transaction, step: Pick<Step, 'alarms' | 'incident' | 'next'>, at: Date) => [
  tx`update alarms set notified = ${step.next}, notified_at = ${at}, held = false where id = any(${step.alarms.map(({ id }) => id)}::bigint[])`,
  ...(step.incident
    ? [
        tx`update alarm_incidents set notified = ${step.next}, notified_at = ${at}, held = false,
          ended_at = case when ${step.next} = 'all' then coalesce(ended_at, ${at}) else ended_at end where id = ${step.incident.id}`,
      ]
    : []),
]

/**
 * Which channel of the rule has no budget left; null: none. Notices held back are sent as one summary when
 * every channel has budget again: a queue of single notices would report yesterday's alarms while today's
 * wait.
 */
async function spentBudget(
  tx: Transaction,
  { customerId }: Rule,
  to: Receivers,
  { parameters }: Telling,
): Promise<SendPurpose | null> {
  const ways = [
    ...(to.mails.length > 0 ? (['alarm'] as const) : []),
    ...(to.channels.length > 0 ? (['notice'] as const) : []),
  ]
  for (const purpose of ways)
    if ((await budgetWaitMs(tx, parameters, { customerId, purpose })) > 0) return purpose
  return null
}

async function isFlooding(tx: Transaction, { id, customerId }: Rule, at: Date): Promise<boolean> {
  const [flood] = await tx`
    select 1 from alarm_notices where customer_id = ${customerId} and rule_id = ${id} and created_at > ${at}::timestamptz - interval '1 minute'
    having count(*) >= ${PER_MINUTE} and max(created_at) > ${at}::timestamptz - make_interval(secs => ${GATHER_S}::int)`
  return flood !== undefined
}

async function tellRule(
  tx: Transaction,
  rule: RuleRow,
  due: readonly Due[],
  incidents: readonly DueIncident[],
  of: Telling,
): Promise<number> {
  const { at } = of
  const wanted = (incident: DueIncident) =>
    (incident.notified === 'nothing' && incident.open > 0) ||
    (incident.notified === 'alert' && incident.open === 0)
  const to = await receiversOf(tx, rule)
  const quiet = isQuiet(at, rule)
  const spent = quiet ? null : await spentBudget(tx, rule, to, of)
  if (quiet || spent) {
    const ids = [
      ...stepsOf(due)
        .steps.filter(({ tale }) => tale.kind !== 'repeat')
        .flatMap(({ alarms }) => alarms),
    ]
    const held =
      await tx`update alarms set held = true where id = any(${ids.map(({ id }) => id)}::bigint[]) and not held`
    if (spent && held.count > 0)
      of.log.warn(
        { rule: rule.id, customer: rule.customerId, budget: spent, alarms: held.count },
        'alarms held back',
      )
    await tx`update alarm_incidents set held = true where id = any(${incidents.filter(wanted).map(({ id }) => id)}::int[]) and not held`
    const silent = stepsOf(due).silent.filter(({ held }) => !held)
    await Promise.all(mark(tx, { alarms: silent, incident: null, next: 'all' }, at))
    return 0
  }
  if (await isFlooding(tx, rule, at)) return 0
  let notified = 0
  const say = async (step: Step) => {
    await writeNotice(tx, rule, step.tale, to, of)
    for (const query of mark(tx, step, at)) await query
    notified += 1
  }
  const heldAlarms = due.filter(({ held }) => held)
  const heldIncidents = incidents.filter(({ held }) => held)
  const listed = [
    ...heldAlarms,
    ...(await Promise.all(heldIncidents.map(({ id }) => alarmsOf(tx, id)))).flat(),
  ]
  if (listed.length > 0) {
    await writeNotice(tx, rule, { kind: 'summary', alarms: listed, incident: null }, to, of)
    notified += 1
    // Of a night there may be thousands, and no alarm is judged meanwhile: not one by one.
    for (const next of ['all', 'alert'] as const) {
      const told = heldAlarms.filter(({ endedAt }) => (endedAt ? 'all' : 'alert') === next)
      for (const query of mark(tx, { alarms: told, incident: null, next }, at)) await query
    }
    for (const incident of heldIncidents)
      for (const query of mark(tx, { alarms: [], incident, next: incident.open > 0 ? 'alert' : 'all' }, at))
        await query
  }
  const { steps, silent } = stepsOf(due.filter(({ held }) => !held))
  for (const step of steps) await say(step)
  for (const query of mark(tx, { alarms: silent, incident: null, next: 'all' }, at)) await query
  let told = 0
  const later: number[] = []
  for (const incident of incidents.filter(({ held }) => !held)) {
    const kind = wanted(incident)
      ? incident.open > 0
        ? 'alert'
        : 'recovery'
      : incident.repeats
        ? 'repeat'
        : null
    // A storm that is an outage of each of a hundred groups: the rest follows as one summary, and repeats with later evaluations.
    if (kind && told === PER_MINUTE) {
      if (kind !== 'repeat') later.push(incident.id)
    } else if (kind) {
      told += 1
      const alarms = await alarmsOf(tx, incident.id)
      const { id, ground, name } = incident
      await say({
        tale: { kind, alarms, incident: { id, ground, name } },
        next: kind === 'recovery' ? 'all' : 'alert',
        alarms: [],
        incident,
      })
    } else if (incident.open === 0)
      for (const query of mark(tx, { alarms: [], incident, next: 'all' }, at)) await query
  }
  if (later.length > 0) await tx`update alarm_incidents set held = true where id = any(${later}::int[])`
  return notified
}

/**
 * Writes every notice that is due; returns how many. Must run in the transaction that holds the alarm lock.
 */
export async function writeDueNotices(tx: Transaction, of: DueTelling): Promise<number> {
  const due = await dueAlarms(tx, of)
  const incidents = await dueIncidents(tx, of.at)
  const ruleIds = new Set([...due, ...incidents].map(({ ruleId }) => ruleId))
  if (ruleIds.size === 0) return 0
  let notified = 0
  for (const rule of await ruleRows(tx, [...ruleIds]))
    notified += await tellRule(
      tx,
      rule,
      due.filter(({ ruleId }) => ruleId === rule.id),
      incidents.filter(({ ruleId }) => ruleId === rule.id),
      of,
    )
  return notified
}
