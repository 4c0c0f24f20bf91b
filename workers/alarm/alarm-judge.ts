/**
 * Turns observations into alarms: pending, opened, reopened, ended. Every change is a set-based
 * compare-and-set.
 */
import type { Parameters } from '#infra/parameters'
import { FLAP_WINDOW_MS } from '#schema/alarm/alarm'
import { type AlarmKind, kindsWhere } from '#schema/alarm/alarm-kind'
import { isInWindow } from '#schema/alarm/quiet'
import { inOrder, type Statement } from '../kit/in-order.ts'
import { lockSoon } from '../kit/lock-soon.ts'
import type { Transaction } from '../kit/processor.ts'
import { judgeFormulas } from './judge-formulas.ts'
import { observe, observeTasks } from './observe.ts'
import { covers } from './observer.ts'
import { gatherWatched, observeWatched } from './observers/variable.ts'
import { variableColumns, variableJoins } from './variable-columns.ts'

const events = kindsWhere((facts) => facts.shape === 'event')
const same = (tx: Transaction, of: string) => tx`
  a.rule_id = ${tx(of)}.rule_id and a.device_id = ${tx(of)}.device_id and a.subject = ${tx(of)}.subject`

/** Kept with the connection and emptied with each transaction, to avoid churn in the system tables. */
const prepare = (tx: Transaction): Statement[] => [
  tx`
    create temporary table if not exists observed (rule_id int, device_id int, subject text, beyond boolean, value real, detail text,
      since timestamptz, until timestamptz, times int) on commit delete rows`,
  // Without an index: emptying one would make every plan that reads the table invalid, with each transaction.
  tx`create temporary table if not exists rule_trees (rule_id int, group_id int) on commit delete rows`,
  tx`create temporary table if not exists quiet_trees (maintenance_id int, group_id int) on commit delete rows`,
  tx`
    insert into rule_trees
    with recursive tree as (
      select rule_id, group_id from alarm_rule_groups
      union select t.rule_id, g.id from groups g join tree t on g.parent_id = t.group_id)
    select rule_id, group_id from tree`,
]

type Maintenance = {
  id: number
  startsAt: Date
  endsAt: Date
  repeats: 'once' | 'daily' | 'weekly'
  timeZone: string
}
/** Maintenance windows that are active or will be active again. */
const readMaintenances = (tx: Transaction, at: Date) => tx<Maintenance[]>`
  select id, starts_at as "startsAt", ends_at as "endsAt", repeats, time_zone as "timeZone" from maintenances
  where repeats <> 'once' or ends_at > ${at}`

const idsOfOpen = (maintenances: readonly Maintenance[], at: Date): number[] =>
  maintenances.filter((window) => isInWindow(at, window)).map(({ id }) => id)

const gatherQuiet = (tx: Transaction, quiet: readonly number[]): Statement[] =>
  quiet.length === 0
    ? []
    : [
        tx`
          insert into quiet_trees
          with recursive tree as (
            select maintenance_id, group_id from maintenance_groups where maintenance_id = any(${[...quiet]}::int[])
            union select t.maintenance_id, g.id from groups g join tree t on g.parent_id = t.group_id)
          select maintenance_id, group_id from tree`,
      ]

/**
 * Conditions that have lasted long enough and are not under maintenance: reopens an alarm that ended
 * recently, else opens one.
 */
const open = (tx: Transaction, at: Date, quiet: readonly number[]): Statement => tx`
    with due as (
      select p.rule_id, p.device_id, p.subject, p.since, o.value, o.detail, coalesce(o.times, 1) as times, r.customer_id, r.name as rule_name, r.kind, r.severity,
        d.sn, d.name as device_name, d.group_id, g.name as group_name, ${variableColumns(tx)}
      from alarm_pendings p join observed o on o.rule_id = p.rule_id and o.device_id = p.device_id and o.subject = p.subject and o.beyond
        join alarm_rules r on r.id = p.rule_id join devices d on d.id = p.device_id join groups g on g.id = d.group_id
        ${variableJoins(tx)}
      where p.since <= ${at}::timestamptz - make_interval(mins => r.for_minutes, secs => r.for_seconds)
        and not exists (select 1 from maintenances m where m.id = any(${[...quiet]}::int[]) and m.customer_id = d.customer_id
          and (m.scope = 'customer'
            or exists (select 1 from quiet_trees q where q.maintenance_id = m.id and q.group_id = d.group_id)
            or exists (select 1 from maintenance_devices x where x.maintenance_id = m.id and x.device_id = d.id)))),
    last as (
      select distinct on (a.rule_id, a.device_id, a.subject) a.id, a.rule_id, a.device_id, a.subject, a.ended_at, a.end_reason, a.handled_at
      from due join alarms a on ${same(tx, 'due')} and a.ended_at > ${new Date(at.getTime() - FLAP_WINDOW_MS)} order by a.rule_id, a.device_id, a.subject, a.last_at desc, a.id desc),
    folded as (
      update alarms a set ended_at = null, end_reason = null, last_at = ${at}, times = a.times + due.times, value = due.value, detail = due.detail,
        threshold = due.threshold, condition = due.condition, unknown_since = null, unknown_why = null, incident_id = null, notified = case when a.notified = 'all' then 'nothing' else a.notified end
      from due join last on last.rule_id = due.rule_id and last.device_id = due.device_id and last.subject = due.subject
      where a.id = last.id and last.end_reason = 'recovered' and last.handled_at is null
      returning a.rule_id, a.device_id, a.subject),
    opened as (
      insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, subject,
        value, threshold, detail, started_at, last_at, times, terminal_id, variable_id, terminal_name, variable_name, condition)
      select customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, subject,
        value, threshold, detail, least(since, ${at}), ${at}, times, terminal_id, variable_id, terminal_name, variable_name, condition from due
      where not exists (select 1 from folded a where ${same(tx, 'due')})
      on conflict (rule_id, device_id, subject) where ended_at is null do nothing),
    gone as (delete from alarm_pendings a using due where ${same(tx, 'due')})
    select count(*)::int as n from due`

/**
 * Ends alarms of devices that are deleted, moved, out of scope or no longer covered by a rule, without a
 * notice.
 */
const endUncovered = (tx: Transaction, at: Date) => tx`
  update alarms a set ended_at = ${at}, notified = 'all', held = false, end_reason = case
    when not exists (select 1 from alarm_rules r where r.id = a.rule_id and r.enabled) then 'ruleOff'
    when exists (select 1 from devices d where d.id = a.device_id and d.deleted_at is not null) then 'deviceDeleted' else 'uncovered' end
  where a.ended_at is null and a.device_id is not null and not exists (
    select 1 from alarm_rules r join devices d on ${covers(tx)} where r.id = a.rule_id and r.enabled and d.id = a.device_id)`

/** Grace period for absences of each customer with offline rules. */
async function gracesOf(tx: Transaction, parameters: Parameters): Promise<Map<number, number>> {
  const owners = await tx<{ id: number }[]>`
    select distinct customer_id as id from alarm_rules where enabled and kind = 'offline'`
  const graces = new Map<number, number>()
  for (const { id } of owners) graces.set(id, await parameters.get('offlineGraceS', id, tx))
  return graces
}

/** The condition began and ended between two evaluations: the record has both times. */
const endExcursions = (tx: Transaction, at: Date) => tx`
  update alarms a set ended_at = x.until, last_at = least(a.last_at, x.until), end_reason = 'recovered'
  from observed o cross join lateral (select greatest(o.since, least(o.until, ${at}))) as x(until)
  where ${same(tx, 'o')} and a.ended_at is null and o.beyond and o.until is not null`

/** Ends alarms whose condition no longer holds or is no longer monitored. */
const forgetPendings = (tx: Transaction, onlyTurned: boolean) => tx`
  delete from alarm_pendings a where not exists (select 1 from observed o where ${same(tx, 'o')} and o.beyond is not false)
    and ${onlyTurned ? tx`exists (select 1 from watched w where ${same(tx, 'w')})` : tx`true`}`

/** Turns observations into alarms; the first statements are sent together with those that they depend on. */
async function settle(
  tx: Transaction,
  { at, quiet, onlyTurned }: { at: Date; quiet: readonly number[]; onlyTurned: boolean },
  first: readonly Statement[],
): Promise<{ opened: number }> {
  const opening = open(tx, at, quiet)
  await inOrder(
    ...first,
    // An event for an alarm that is not handled yet: counted again, and the acknowledgement is reset.
    tx`
      update alarms a set times = a.times + 1, last_at = ${at}, detail = o.detail, ack_at = null, ack_by = null
      from observed o where ${same(tx, 'o')} and a.ended_at is null and o.beyond and a.kind = any(${events}::text[])`,
    tx`
      delete from observed o using alarms a where ${same(tx, 'o')} and a.ended_at is null and o.beyond`,
    tx`
      insert into alarm_pendings (rule_id, device_id, subject, since)
      select rule_id, device_id, subject, least(since, ${at}::timestamptz) from observed where beyond on conflict do nothing`,
    forgetPendings(tx, onlyTurned),
    opening,
    endExcursions(tx, at),
    tx`
      update alarms a set ended_at = greatest(a.last_at, least(o.since, ${at}::timestamptz)), end_reason = 'recovered'
      from observed o where ${same(tx, 'o')} and a.ended_at is null and not o.beyond`,
  )
  const [due] = await opening
  return { opened: Number(due?.['n'] ?? 0) }
}

/**
 * Evaluates everything once; null if another process evaluates for long. While conditions of variables change all the time
 * their evaluation and the notices hold the lock nearly always, so it is waited for.
 */
export async function judgeAlarms(
  tx: Transaction,
  now: () => Date,
  parameters: Parameters,
): Promise<{ opened: number } | null> {
  if (!(await lockSoon(tx, tx`hashtext('alarms')`))) return null
  const at = now()
  const quiet = idsOfOpen(await readMaintenances(tx, at), at)
  await inOrder(...prepare(tx), ...gatherQuiet(tx, quiet))
  const kinds = await tx<{ kind: AlarmKind }[]>`select distinct kind from alarm_rules where enabled`
  await endUncovered(tx, at)
  const look = { tx, at, graces: await gracesOf(tx, parameters) }
  await observe(new Set(kinds.map(({ kind }) => kind)), look)
  // Temporary tables have no statistics of their own; without them the planner would guess at the joins.
  const { opened } = await settle(tx, { at, quiet, onlyTurned: false }, [tx`analyze observed`])
  const ofTasks = await observeTasks(look)
  await tx`
    update alarms a set group_id = d.group_id, group_name = g.name from devices d join groups g on g.id = d.group_id
    where a.ended_at is null and d.id = a.device_id and d.group_id <> a.group_id`
  return { opened: opened + ofTasks }
}

/**
 * Evaluates the variables whose truth has changed; null if there is none. The statements go to the server together:
 * while many reports are being stored, each round trip takes longer than most of the statements [decisions/153].
 */
export async function judgeTurned(tx: Transaction, now: () => Date): Promise<{ opened: number } | null> {
  // Waits for a running evaluation; the time is taken afterwards.
  const [, , [look], maintenances] = await Promise.all([
    // The plans are the same for any values, and PostgreSQL's custom plans for the first executions take longer than
    // the work.
    tx`set local plan_cache_mode = force_generic_plan`,
    tx`select pg_advisory_xact_lock(hashtext('alarms'))`,
    tx<{ some: boolean; formulas: boolean }[]>`
      select exists (select 1 from variable_truths where not seen) as some,
        exists (select 1 from alarm_conditions where operator = 'formula') as formulas`,
    readMaintenances(tx, now()),
  ])
  if (!look?.some) return null
  const at = now()
  const quiet = idsOfOpen(maintenances, at)
  const gathered = [...prepare(tx), ...gatherQuiet(tx, quiet), ...gatherWatched(tx, true)]
  if (look.formulas) {
    await inOrder(...gathered)
    await judgeFormulas(tx, at)
  }
  const first = [...(look.formulas ? [] : gathered), ...observeWatched(tx, at, true)]
  return { ...(await settle(tx, { at, quiet, onlyTurned: true }, first)) }
}
