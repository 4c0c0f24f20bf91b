import { notInArray, type SQL, sql } from 'drizzle-orm'
import { getDeviceTimeline, type timelineKinds } from '#schema/device/timeline'
import { alarms } from '#schema/tables/alarm'
import { deviceBackups } from '#schema/tables/backup'
import { commands } from '#schema/tables/command'
import { deviceWarnings } from '#schema/tables/inbox'
import { operations } from '#schema/tables/operation'
import { presenceRecords } from '#schema/tables/presence'
import { scheduleRuns } from '#schema/tables/schedule'
import { simSwitches } from '#schema/tables/section'
import { taskEvents, taskItems, tasks } from '#schema/tables/task'
import { users } from '#schema/tables/user'
import type { Actor } from '../kit/actor.ts'
import { handler } from '../kit/handler.ts'
import { reachHistory } from '../kit/history.ts'
import { keptName, knownName } from '../kit/known-name.ts'
import { page } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'
import { endReasons } from './end-device-work.ts'

type Kind = (typeof timelineKinds)[number]

/** A version that no task installed is recorded by the worker as a warning `firmware`: `old → new`. */
const ARROW = ' → '

/** Commands and calls that the kinds `backup` and `schedule` show. */
const shownElsewhere = ['uploadBackup', 'setSchedule', 'scheduledReboot'] as const

/**
 * Each kind returns the same six columns: at, kind, what, detail, actor, task_id. A former owner's connection that
 * ends after the move still belongs to them.
 */
function branches(actor: Actor, id: number, since: SQL): Record<Kind, SQL> {
  const who = knownName(actor)
  // If a user cancelled it, the detail is their name; else why it ended.
  const taskDetail = sql`case when ${taskEvents.what} = 'cancelled' and ${taskEvents.detail} <> all (${sql.param([...endReasons])}::text[])
    then ${keptName(actor, sql`${taskEvents.detail}`)} else ${taskEvents.detail} end`
  return {
    online: sql`select ${presenceRecords.onlineAt} as at, 'online' as kind, 'online' as what, ${presenceRecords.ip} as detail,
      null::text as actor, null::int as task_id from ${presenceRecords} where ${presenceRecords.deviceId} = ${id}`,
    offline: sql`select ${presenceRecords.offlineAt}, 'offline', coalesce(${presenceRecords.reason}, 'offline'), ${presenceRecords.ip},
      null, null from ${presenceRecords} where ${presenceRecords.deviceId} = ${id} and ${presenceRecords.offlineAt} is not null
      and ${presenceRecords.onlineAt} >= ${since}`,
    command: sql`select ${commands.createdAt}, 'command', concat_ws(' ', ${commands.name}, ${commands.args}->>'action',
      coalesce(${commands.args}->>'target', ${commands.args}->>'name')), concat_ws(': ', ${commands.state}, ${commands.error}),
      ${who}, null from ${commands} left join ${users} on ${users.id} = ${commands.createdBy} where ${commands.deviceId} = ${id}
      and ${notInArray(commands.name, [...shownElsewhere])}`,
    task: sql`select ${taskEvents.at}, 'task', ${taskEvents.what}, ${taskDetail}, ${who}, ${tasks.id}
      from ${taskEvents} join ${taskItems} on ${taskItems.id} = ${taskEvents.itemId} join ${tasks} on ${tasks.id} = ${taskItems.taskId}
      left join ${users} on ${users.id} = ${tasks.createdBy} where ${taskEvents.deviceId} = ${id}`,
    firmware: sql`select ${taskEvents.at}, 'firmware', ${tasks.version}, ${taskItems.fromVersion}, ${who}, ${tasks.id}
      from ${taskEvents} join ${taskItems} on ${taskItems.id} = ${taskEvents.itemId} join ${tasks} on ${tasks.id} = ${taskItems.taskId}
      left join ${users} on ${users.id} = ${tasks.createdBy}
      where ${taskEvents.deviceId} = ${id} and ${taskEvents.what} = 'done' and ${tasks.type} = 'upgrade'
      union all select ${deviceWarnings.at}, 'firmware', split_part(${deviceWarnings.detail}, ${ARROW}, 2),
      split_part(${deviceWarnings.detail}, ${ARROW}, 1), null, null
      from ${deviceWarnings} where ${deviceWarnings.deviceId} = ${id} and ${deviceWarnings.what} = 'firmware'`,
    // [decisions/023] Customers see what platform users did to their device, but not their names.
    operation: sql`select ${operations.at}, 'operation', ${operations.call}, case when ${operations.code} <> 0 then ${operations.code}::text end,
      ${knownName(actor, operations)}, null from ${operations} where ${operations.deviceId} = ${id} and ${operations.call} <> 'backup/createBackup' and ${visible(actor).operations}`,
    warning: sql`select ${deviceWarnings.at}, 'warning', ${deviceWarnings.what}, ${deviceWarnings.detail}, null, null
      from ${deviceWarnings} where ${deviceWarnings.deviceId} = ${id} and ${deviceWarnings.what} <> 'firmware'`,
    // An end is a separate event, `kind:over`.
    alarm: sql`select ${alarms.startedAt}, 'alarm', ${alarms.kind}, concat_ws(' ', ${alarms.ruleName}, case when ${alarms.times} > 1 then '×' || ${alarms.times} end),
      null, null from ${alarms} where ${alarms.deviceId} = ${id} and ${visible(actor).alarms}
      union all select ${alarms.endedAt}, 'alarm', ${alarms.kind} || ':over', ${alarms.ruleName}, null, null
      from ${alarms} where ${alarms.deviceId} = ${id} and ${alarms.endedAt} is not null and ${visible(actor).alarms}`,
    sim: sql`select ${simSwitches.at}, 'sim', ${simSwitches.reason}, concat_ws(' ', 'SIM', ${simSwitches.fromSlot}::text, '→', ${simSwitches.toSlot}::text, ${simSwitches.operator}),
      null, null from ${simSwitches} where ${simSwitches.deviceId} = ${id}`,
    backup: sql`select ${deviceBackups.createdAt}, 'backup', case when ${deviceBackups.fileKey} is not null then 'kept'
      when ${commands.endedAt} is null and ${commands.id} is not null then 'waiting' else 'failed' end, ${deviceBackups.remark}, ${who}, null
      from ${deviceBackups} left join ${commands} on ${commands.id} = ${deviceBackups.commandId}
      left join ${users} on ${users.id} = ${deviceBackups.createdBy} where ${deviceBackups.deviceId} = ${id} and ${visible(actor).deviceBackups}`,
    schedule: sql`select ${scheduleRuns.dueAt}, 'schedule', ${scheduleRuns.state}, coalesce(${scheduleRuns.reason}, ${scheduleRuns.by}), null, null
      from ${scheduleRuns} where ${scheduleRuns.deviceId} = ${id}`,
  }
}

type Row = {
  atMs: string | number
  kind: Kind
  what: string
  detail: string | null
  actor: string | null
  taskId: number | null
}

export const getDeviceTimelineHandler = handler(getDeviceTimeline, async (ctx, body) => {
  const device = await reachHistory(ctx, body.deviceId)
  const since = sql`${device.since.toISOString()}::timestamptz`
  const parts = branches(ctx.actor, device.id, since)
  const wanted = Object.entries(parts)
    .filter(([kind]) => body.kind === undefined || kind === body.kind)
    .map(([, part]) => part)
  // Defines names and types of the union's columns, whichever kinds are requested.
  const frame = sql`select null::timestamptz as at, null::text as kind, null::text as what, null::text as detail, null::text as actor,
    null::int as task_id where false`
  const merged = sql.join([frame, ...wanted], sql` union all `)
  const order = body.order === 'asc' ? sql`asc` : sql`desc`
  const rows = await ctx.db.execute<Row>(sql`
    select extract(epoch from at) * 1000 as "atMs", kind, what, detail, actor, task_id as "taskId" from (${merged}) as merged
    where at >= ${since} order by at ${order}, kind limit ${body.limit} offset ${page(body)}`)
  const [counted] = await ctx.db.execute<{ total: string | number }>(
    sql`select count(*) as total from (${merged}) as merged where at >= ${since}`,
  )
  return {
    list: rows.map(({ atMs, ...row }) => ({ at: new Date(Number(atMs)), ...row })),
    total: Number(counted?.total ?? 0),
  }
})
