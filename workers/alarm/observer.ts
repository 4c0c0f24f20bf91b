/**
 * How a kind of alarm is observed, as rows of the temporary table `observed`: a row for each value beyond the
 * threshold, a row for a good value only if an alarm is open, and none if the value is unknown. One or two
 * statements per kind, never one per device: bad rows start from the fleet, good rows from the few open
 * alarms.
 */
import { STALE_MS } from '#schema/alarm/alarm'
import { type AlarmKind, factsOf } from '#schema/alarm/alarm-kind'
import { ofKind } from '#schema/kit/kind'
import type { Transaction } from '../kit/processor.ts'

export type Look = {
  readonly tx: Transaction
  readonly at: Date
  /** Grace period in seconds for absences, by customer. */
  readonly graces: ReadonlyMap<number, number>
}
/** Fills `observed` for one kind; only called while an enabled rule is of that kind. */
export type Observer = {
  readonly kind: 'observer'
  readonly alarm: AlarmKind
  run(look: Look): Promise<void>
}
/** Declares how one kind is observed; each module of observers/ exports such values. */
export const observes = (alarm: AlarmKind, run: Observer['run']): Observer => ({
  kind: 'observer',
  alarm,
  run,
})
export const isObserver = ofKind<Observer>('observer')

/**
 * Kinds about tasks: open and end their alarms themselves in every evaluation; `run` returns how many it
 * opened.
 */
export type TaskObserver = {
  readonly kind: 'taskObserver'
  readonly alarm: AlarmKind
  run(tx: Transaction, at: Date): Promise<number>
}
export const observesTasks = (alarm: AlarmKind, run: TaskObserver['run']): TaskObserver => ({
  kind: 'taskObserver',
  alarm,
  run,
})
export const isTaskObserver = ofKind<TaskObserver>('taskObserver')

/**
 * Rules `r` and the devices `d` that they cover. `rule_trees` contains the groups of a rule with their
 * subgroups.
 */
export const covers = (tx: Transaction) => tx`
  d.customer_id = r.customer_id and d.deleted_at is null and (r.scope = 'customer'
    or (r.scope = 'groups' and exists (select 1 from rule_trees t where t.rule_id = r.id and t.group_id = d.group_id))
    or (r.scope = 'devices' and (exists (select 1 from alarm_rule_devices x where x.rule_id = r.id and x.device_id = d.id)
      or exists (select 1 from alarm_rule_terminals x join terminals y on y.id = x.terminal_id
        where x.rule_id = r.id and y.device_id = d.id))))`

/** The open alarms `a` of a kind, with rule and device. */
export const open = (tx: Transaction, kind: AlarmKind) => tx`
  (select id, rule_id, device_id, subject from alarms where ended_at is null and kind = ${kind}) a
  join alarm_rules r on r.id = a.rule_id and r.enabled join devices d on d.id = a.device_id`

type Part = ReturnType<typeof covers>

/** Values beyond the threshold, or on the good side of the recovery threshold while an alarm is open. */
export async function observeLevel(tx: Transaction, kind: AlarmKind, from: Part, value: Part): Promise<void> {
  const below = factsOf(kind).direction === 'below'
  const beyond = below ? tx`v.value <= r.threshold` : tx`v.value >= r.threshold`
  const good = below
    ? tx`v.value > r.threshold and v.value >= coalesce(r.recover_at, r.threshold)`
    : tx`v.value < r.threshold and v.value <= coalesce(r.recover_at, r.threshold)`
  const figure = tx`${from} cross join lateral (select (${value})::real as value) v`
  await tx`
    insert into observed (rule_id, device_id, subject, beyond, value)
    select r.id, d.id, '', true, v.value from alarm_rules r join devices d on ${covers(tx)} ${figure}
    where r.enabled and r.kind = ${kind} and ${beyond}
    union all
    select a.rule_id, a.device_id, '', false, v.value from ${open(tx, kind)} ${figure} where ${good}`
}

/**
 * Figures of devices that are online and have reported recently: late data raises no alarm, silence ends
 * none.
 */
export const fresh = (tx: Transaction, at: Date) => tx`
  join device_states s on s.device_id = d.id and s.online and s.status_at > ${at}::timestamptz - make_interval(secs => ${STALE_MS / 1000})`
