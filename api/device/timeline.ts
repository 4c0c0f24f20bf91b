import { type AnyColumn, and, gte, inArray, notInArray, type SQL, sql } from 'drizzle-orm'
import { getDeviceTimeline, timelineKinds } from '#schema/device/timeline'
import type { ReplyOf } from '#schema/kit/call'
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
import { cancelReasons } from '#schema/task/end-reason'
import type { Actor } from '../kit/actor.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { pastStart, reachHistory } from '../kit/history.ts'
import { keptName, knownName } from '../kit/known-name.ts'
import { contains, page } from '../kit/paging.ts'
import { visible } from '../kit/scope.ts'

type Kind = (typeof timelineKinds)[number]

/** A version that no task installed is recorded by the worker as a warning `firmware`: `old → new`. */
const ARROW = ' → '

/** Commands and calls that the kinds `backup` and `schedule` show. */
const shownElsewhere = ['uploadBackup', 'setSchedule', 'scheduledReboot'] as const

/** If a user cancelled it, the detail is their name; else why it ended. */
const taskDetail = (actor: Actor) =>
  sql<
    string | null
  >`case when ${taskEvents.what} = 'cancelled' and ${taskEvents.detail} <> all (${sql.param([...cancelReasons])}::text[])
    then ${keptName(actor, sql`${taskEvents.detail}`)} else ${taskEvents.detail} end`

/**
 * Each kind returns the same columns, as named in `frame`. A former owner's connection that
 * ends after the move still belongs to them.
 */
function branches(actor: Actor, id: number, since: SQL): Record<Kind | 'elsewhere', SQL> {
  const who = (id: AnyColumn) => knownName(actor, users, id)
  // A version that no task installed.
  const elsewhere = sql`select ${deviceWarnings.at}, 'firmware', split_part(${deviceWarnings.detail}, ${ARROW}, 2),
      split_part(${deviceWarnings.detail}, ${ARROW}, 1), null, null
      from ${deviceWarnings} where ${deviceWarnings.deviceId} = ${id} and ${deviceWarnings.what} = 'firmware'`
  return {
    elsewhere,
    online: sql`select ${presenceRecords.onlineAt} as at, 'online' as kind, 'online' as what, ${presenceRecords.ip} as detail,
      null::text as actor, null::int as task_id from ${presenceRecords} where ${presenceRecords.deviceId} = ${id}`,
    offline: sql`select ${presenceRecords.offlineAt}, 'offline', coalesce(${presenceRecords.reason}, 'offline'), ${presenceRecords.ip},
      null, null from ${presenceRecords} where ${presenceRecords.deviceId} = ${id} and ${presenceRecords.offlineAt} is not null
      and ${presenceRecords.onlineAt} >= ${since}`,
    command: sql`select ${commands.createdAt}, 'command', concat_ws(' ', ${commands.name}, ${commands.args}->>'action',
      coalesce(${commands.args}->>'target', ${commands.args}->>'name')), concat_ws(': ', ${commands.state}, ${commands.error}),
      ${who(commands.createdBy)}, null from ${commands} left join ${users} on ${users.id} = ${commands.createdBy} where ${commands.deviceId} = ${id}
      and ${notInArray(commands.name, [...shownElsewhere])}`,
    // One row per device and task, with its last event; `readSteps` reads the others.
    task: sql`(select distinct on (${taskEvents.itemId}) ${taskEvents.at}, 'task', ${taskEvents.what}, ${taskDetail(actor)}, ${who(tasks.createdBy)}, ${tasks.id},
      ${taskEvents.itemId} from ${taskEvents} join ${taskItems} on ${taskItems.id} = ${taskEvents.itemId} join ${tasks} on ${tasks.id} = ${taskItems.taskId}
      left join ${users} on ${users.id} = ${tasks.createdBy} where ${taskEvents.deviceId} = ${id} and ${taskEvents.at} >= ${since}
      order by ${taskEvents.itemId}, ${taskEvents.at} desc, ${taskEvents.id} desc)`,
    firmware: sql`select ${taskEvents.at}, 'firmware', ${tasks.version}, ${taskItems.fromVersion}, ${who(tasks.createdBy)}, ${tasks.id}
      from ${taskEvents} join ${taskItems} on ${taskItems.id} = ${taskEvents.itemId} join ${tasks} on ${tasks.id} = ${taskItems.taskId}
      left join ${users} on ${users.id} = ${tasks.createdBy}
      where ${taskEvents.deviceId} = ${id} and ${taskEvents.what} = 'done' and ${tasks.type} = 'upgrade'
      union all ${elsewhere}`,
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
      when ${commands.endedAt} is null and ${commands.id} is not null then 'waiting' else 'failed' end, ${deviceBackups.remark}, ${who(deviceBackups.createdBy)}, null
      from ${deviceBackups} left join ${commands} on ${commands.id} = ${deviceBackups.commandId}
      left join ${users} on ${users.id} = ${deviceBackups.createdBy} where ${deviceBackups.deviceId} = ${id} and ${visible(actor).deviceBackups}`,
    schedule: sql`select ${scheduleRuns.dueAt}, 'schedule', ${scheduleRuns.state}, coalesce(${scheduleRuns.reason}, ${scheduleRuns.by}), null, null
      from ${scheduleRuns} where ${scheduleRuns.deviceId} = ${id}`,
  }
}

type Row = Omit<ReplyOf<typeof getDeviceTimeline>['list'][number], 'at' | 'steps'> & {
  atMs: string | number
  itemId: string | null
}

/** Many events may have one time; rows that differ in none of these are the same on any page. */
const tie = sql`merged.kind, merged.what, merged.detail, merged.actor, merged.task_id, merged.item_id`

type Step = { itemId: string; at: Date; what: string; detail: string | null }

/** A firmware that a task installed is shown as that task, unless tasks are not asked for. */
function wantedOf(parts: Record<Kind | 'elsewhere', SQL>, kinds: readonly Kind[] = timelineKinds): SQL[] {
  // Nulls of a subquery are texts until they are cast.
  const plain = (
    part: SQL,
  ) => sql`select plain.at, plain.kind, plain.what, plain.detail, plain.actor, plain.task_id::int, null::uuid
    from (${part}) as plain (at, kind, what, detail, actor, task_id)`
  return kinds.map((kind) => {
    if (kind === 'task') return parts.task
    return kind === 'firmware' && kinds.includes('task') ? plain(parts.elsewhere) : plain(parts[kind])
  })
}

/** The steps of the tasks on a page, oldest first. */
async function readSteps({ db, actor }: CallContext, itemIds: readonly string[], since: Date) {
  const steps: Step[] = await db
    .select({
      itemId: taskEvents.itemId,
      at: taskEvents.at,
      what: taskEvents.what,
      detail: taskDetail(actor),
    })
    .from(taskEvents)
    .where(and(inArray(taskEvents.itemId, [...itemIds]), gte(taskEvents.at, since)))
    .orderBy(taskEvents.at, taskEvents.id)
  return Map.groupBy(steps, ({ itemId }) => itemId)
}

/** What users read in a row: the names of tasks and packages too. */
const matching = (search: string | undefined) =>
  search === undefined
    ? sql`true`
    : sql`concat_ws(' ', merged.what, merged.detail, merged.actor, ${tasks.name}, ${tasks.packageName}, ${tasks.version}) ilike ${contains(search)}`

const before = (until: string | undefined) =>
  until === undefined ? sql`true` : sql`merged.at < ${until}::timestamptz`

export const getDeviceTimelineHandler = handler(getDeviceTimeline, async (ctx, body) => {
  const device = await reachHistory(ctx, body.deviceId)
  const start = pastStart(device.since, body.days, ctx.now())
  const since = sql`${start.toISOString()}::timestamptz`
  const wanted = wantedOf(branches(ctx.actor, device.id, since), body.kinds)
  // Defines names and types of the union's columns, whichever kinds are requested.
  const frame = sql`select null::timestamptz as at, null::text as kind, null::text as what, null::text as detail, null::text as actor,
    null::int as task_id, null::uuid as item_id where false`
  const found = sql`from (${sql.join([frame, ...wanted], sql` union all `)}) as merged
    left join ${tasks} on ${tasks.id} = merged.task_id where merged.at >= ${since} and ${before(body.until)} and ${matching(body.search)}`
  const order = body.order === 'asc' ? sql`asc` : sql`desc`
  const rows = await ctx.db.execute<Row>(sql`
    select extract(epoch from merged.at) * 1000 as "atMs", merged.kind, merged.what, merged.detail, merged.actor, merged.task_id as "taskId",
      merged.item_id as "itemId", ${tasks.name} as "taskName", ${tasks.kind} as "taskKind", ${tasks.packageName} as "packageName", ${tasks.version}
    ${found} order by merged.at ${order}, ${tie} limit ${body.limit} offset ${page(body)}`)
  const [counted] = await ctx.db.execute<{ total: string | number }>(sql`select count(*) as total ${found}`)
  const itemIds = rows.flatMap(({ itemId }) => itemId ?? [])
  const steps = itemIds.length > 0 ? await readSteps(ctx, itemIds, start) : new Map<string, Step[]>()
  return {
    list: rows.map(({ atMs, itemId, ...row }) => ({
      ...row,
      at: new Date(Number(atMs)),
      steps:
        itemId === null
          ? null
          : (steps.get(itemId) ?? []).map(({ at, what, detail }) => ({ at, what, detail })),
    })),
    total: Number(counted?.total ?? 0),
  }
})
