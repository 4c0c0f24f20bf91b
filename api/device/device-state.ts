/**
 * The state of a device and its active alarms, in SQL: the only place that decides which state a device is in. The
 * query must left join `device_states`. For a page the planner looks up each device by an index; for a whole fleet it
 * reads the few running items and open commands once.
 */
import { and, count, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { returningCommands } from '#infra/task-kinds'
import { alarmListPermission } from '#schema/alarm/alarm'
import type { Severity } from '#schema/alarm/alarm-kind'
import { type DeviceState, deviceStates as states } from '#schema/device/device-state'
import { alarms, severityRank } from '#schema/tables/alarm'
import { commands } from '#schema/tables/command'
import { deviceStates, devices } from '#schema/tables/device'
import { taskItems, tasks } from '#schema/tables/task'
import { type Actor, holds } from '../kit/actor.ts'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

const restarting = sql.param([...returningCommands])

/** At most one row per device: the unique index `task_items_active`. Commands of other kinds change no state. */
const itemsThat = (does: SQL) => sql`from ${taskItems} join ${tasks} on ${tasks.id} = ${taskItems.taskId}
  where ${taskItems.deviceId} = ${devices.id} and ${taskItems.outcome} is null and ${taskItems.sending} <> 'none' and ${does}`
const upgrading = itemsThat(sql`${tasks.command} is null`)
const restartingByTask = itemsThat(sql`${tasks.command} = any(${restarting}::text[])`)

/** `delayS` of a reboot that begins later; rows written before the declared bounds may contain any value. */
const beginsAt = sql`${commands.sentAt} + make_interval(secs => case when jsonb_typeof(${commands.args}->'delayS') = 'number'
  then (${commands.args}->>'delayS')::float8 else 0 end)`

const restartingByCommand = (now: Date) => sql`from ${commands}
  where ${commands.deviceId} = ${devices.id} and ${commands.endedAt} is null and ${commands.state} in ('sent', 'accepted')
    and ${commands.name} = any(${restarting}::text[]) and ${commands.deadlineAt} > ${now.toISOString()}::timestamptz
    and ${beginsAt} <= ${now.toISOString()}::timestamptz`

const exists = (rows: SQL) => sql`exists (select 1 ${rows})`

/**
 * The states in the order in which they apply: a device is in the first one whose condition is true. `not` is the opposite,
 * in a form that the planner can estimate: it takes a comparison with a `case` to be true for hardly any row, and would
 * sort a whole fleet for ten of them.
 */
const applies = (now: Date): readonly { state: DeviceState; is: SQL; not: SQL }[] => [
  {
    state: 'revoked',
    is: sql`${devices.secretHash} is null`,
    not: sql`${devices.secretHash} is not null`,
  },
  { state: 'upgrading', is: exists(upgrading), not: sql`not ${exists(upgrading)}` },
  {
    state: 'rebooting',
    is: sql`(${exists(restartingByTask)} or ${exists(restartingByCommand(now))})`,
    not: sql`not ${exists(restartingByTask)} and not ${exists(restartingByCommand(now))}`,
  },
  { state: 'online', is: sql`${deviceStates.online}`, not: sql`${deviceStates.online} is not true` },
  {
    state: 'offline',
    is: sql`${deviceStates.onlineChangedAt} is not null`,
    not: sql`${deviceStates.onlineChangedAt} is null`,
  },
]

export const stateOf = (now: Date) => {
  const cases = applies(now).map(({ state, is }) => sql`when ${is} then ${sql.raw(`'${state}'`)}`)
  return sql<DeviceState>`case ${sql.join(cases, sql` `)} else 'neverSeen' end`
}

/** Whether it is in this state. */
export function isState(state: DeviceState, now: Date): SQL {
  const all = applies(now)
  const place = all.findIndex((one) => one.state === state)
  const own = all[place]
  const others = (own ? all.slice(0, place) : all).map(({ not }) => not)
  return sql.join(own ? [own.is, ...others] : others, sql` and `)
}

/** The place in `deviceStates`, from 0. */
export const stateRank = (now: Date) =>
  sql<number>`array_position(${sql.param([...states])}::text[], ${stateOf(now)}) - 1`

const stateAt = (now: Date) =>
  sql<number | null>`extract(epoch from case ${stateOf(now)}
  when 'revoked' then ${devices.secretChangedAt}
  when 'upgrading' then (select coalesce(${taskItems.offeredAt}, ${taskItems.sendingAt}) ${upgrading})
  when 'rebooting' then greatest((select max(${beginsAt}) ${restartingByCommand(now)}), (select ${taskItems.offeredAt} ${restartingByTask}))
  else ${deviceStates.onlineChangedAt} end)::float8 * 1000`.mapWith(Number)

const statePercent = sql<number | null>`(select ${taskItems.percent} ${upgrading})`

/** A user who may not list alarms sees none here either. */
const seenAlarms = (actor: Actor) =>
  and(isNull(alarms.endedAt), holds(actor, alarmListPermission) ? visible(actor).alarms : sql`false`)

/** The fields of `stated`. */
export const statedColumns = (now: Date) => ({ state: stateOf(now), stateAt: stateAt(now), statePercent })

/** The fields of `deviceStateFields`. */
export const stateColumns = ({ actor, now }: { actor: Actor; now: Date }) => {
  const own = and(eq(alarms.deviceId, devices.id), seenAlarms(actor))
  return {
    ...statedColumns(now),
    alarmSeverity: sql<Severity | null>`(select ${alarms.severity} from ${alarms} where ${own} order by ${severityRank(alarms.severity)} limit 1)`,
    alarmCount: sql<number>`(select count(*)::int from ${alarms} where ${own})`,
  }
}

/** The state alone, null unless `shown`: the device may belong to another customer by now. */
export const workColumns = (now: Date, shown: SQL) => ({
  state: sql<DeviceState | null>`case when ${shown} then ${stateOf(now)} end`,
  stateAt: sql<number | null>`case when ${shown} then ${stateAt(now)} end`.mapWith(Number),
  statePercent: sql<number | null>`case when ${shown} then ${statePercent} end`,
})

/** What is wrong with one device, worst first. */
export const readActiveAlarms = ({ db, actor }: Pick<CallContext, 'db' | 'actor'>, deviceId: number) =>
  db
    .select({ kind: alarms.kind, severity: alarms.severity, count: count() })
    .from(alarms)
    .where(and(eq(alarms.deviceId, deviceId), seenAlarms(actor)))
    .groupBy(alarms.kind, alarms.severity)
    .orderBy(severityRank(alarms.severity), alarms.kind)

/** For whole fleets: the highest severity of each device with active alarms, as `worst` from 1, by `device_id`. */
export const worstAlarms = (
  actor: Actor,
) => sql`(select ${alarms.deviceId} as device_id, min(${severityRank(alarms.severity)}) as worst
  from ${alarms} where ${seenAlarms(actor)} and ${alarms.deviceId} is not null group by ${alarms.deviceId})`
