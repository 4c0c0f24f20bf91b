/** Creating upgrade tasks. */

import { sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { devices } from '#schema/tables/device'
import { tasks } from '#schema/tables/task'
import { packageRefusals } from '#schema/task/package-refusals'
import { dispatchTasks, upgradeKind } from '#schema/task/task'
import { taskRefusals } from '#schema/task/task-refusals'
import { addLevelUp, getFileServers, preflightUpgrade } from '#schema/task/upgrade'
import { amongIds } from '../device/device-filter.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { wake } from '../kit/wake-job.ts'
import { reachPackage, type Sized, sizeUp } from './upgrade-target.ts'

const SAMPLE = 5

function group<R extends string>(entries: readonly { sn: string; reason: R }[]) {
  const groups = new Map<R, { reason: R; count: number; sample: string[] }>()
  for (const { sn, reason } of entries) {
    const found = groups.get(reason) ?? { reason, count: 0, sample: [] }
    groups.set(reason, found)
    found.count++
    if (found.sample.length < SAMPLE) found.sample.push(sn)
  }
  return [...groups.values()]
}

export const preflightUpgradeHandler = handler(preflightUpgrade, async (ctx, body) => {
  const sized = await sizeUp(ctx, await reachPackage(ctx, body.spId), body)
  return {
    eligible: sized.eligible.length,
    delayed: group(sized.delayed),
    ineligible: group(sized.ineligible),
    waitOfflineMinutes: await ctx.parameters.get('upgradeWaitMinutes', ownerOf(ctx, sized)),
  }
})

/** The file server as stored: null is the platform itself. */
function serverOf({ env }: CallContext, given: string | undefined): string | null {
  const server = given?.replace(/\/$/, '')
  if (!server || server === env.PUBLIC_URL) return null
  return env.FILE_SERVERS.includes(server) ? server : refuse(taskRefusals.fileServerUnknown, {}, 'server')
}

/** The one customer whose devices these are; null: several, then only platform users see the task. */
function ownerOf(ctx: CallContext, { eligible }: Sized): number | null {
  const first = eligible[0]?.customerId ?? null
  return ctx.actor.customerId ?? (eligible.every(({ customerId }) => customerId === first) ? first : null)
}

export const addLevelUpHandler = handler(addLevelUp, async (ctx, body) => {
  const found = await reachPackage(ctx, body.spId)
  if (found.syncedAt === null) refuse(packageRefusals.packageNotSynced, {}, 'spId')
  if (body.packageType && body.packageType !== found.type)
    refuse(sessionRefusals.invalid, { field: 'packageType', reason: found.type }, 'packageType')
  const server = serverOf(ctx, body.server)
  const sized = await sizeUp(ctx, found, body)
  if (sized.eligible.length === 0) refuse(taskRefusals.taskNoEligible)
  const now = ctx.now()
  const startAt = body.startAt ? new Date(Math.max(now.getTime(), Date.parse(body.startAt))) : now
  const owner = ownerOf(ctx, sized)
  const waitOfflineMinutes =
    body.waitOfflineMinutes ?? (await ctx.parameters.get('upgradeWaitMinutes', owner))
  const waitMs = waitOfflineMinutes * 60_000 * ctx.env.TASK_DEADLINE_SCALE
  const deadlineAt = new Date(startAt.getTime() + waitMs)
  const taskId = await ctx.db.transaction(async (tx) => {
    // Deleting waits for this lock and then sees the task; deleted first, it is no longer there to be used.
    const kept = await tx.execute(
      sql`select 1 from packages where id = ${found.id} and deleted_at is null for share`,
    )
    if (kept.length === 0) refuse(sessionRefusals.noPermission)
    const [task] = await tx
      .insert(tasks)
      .values({
        kind: upgradeKind.name,
        customerId: owner,
        name: body.name,
        description: body.description,
        packageId: found.id,
        packageName: found.name,
        type: found.type,
        model: found.model,
        version: found.version,
        sizeBytes: found.sizeBytes,
        sha256: found.sha256,
        md5: found.md5,
        keepConfig: body.keepConfig,
        server,
        startAt,
        waitOfflineMinutes,
        maxFailures: body.maxFailures ?? null,
        maxFailurePercent: body.maxFailurePercent ?? null,
        maxInFlight: body.maxInFlight,
        language: ctx.language,
        createdBy: ctx.actor.userId,
      })
      .returning({ id: tasks.id })
    const id = task?.id ?? 0
    await tx.execute(sql`
      with made as (
        insert into task_items (id, task_id, device_id, customer_id, deadline_at, from_version)
        select gen_random_uuid(), ${id}::int, devices.id, devices.customer_id, ${deadlineAt.toISOString()}::timestamptz,
          case when ${found.type}::text = 'upgrade' then devices.firmware else devices.packages->>${found.name}::text end
        from devices
        where ${amongIds(
          devices.id,
          sized.eligible.map((device) => device.id),
        )}
        returning id, device_id)
      insert into task_events (item_id, device_id, what) select id, device_id, 'created' from made`)
    return id
  })
  const { name, version } = found
  ctx.note({
    object: body.name,
    after: {
      taskId,
      package: `${name} ${version}`,
      devices: sized.eligible.length,
      skipped: sized.ineligible.length,
    },
    customerId: owner,
  })
  // A start in the future is found by the schedule: a delayed wake-up would hold back every other one till then.
  if (startAt <= now) await wake(ctx, dispatchTasks)
  return {
    taskId,
    devices: sized.eligible.length,
    skipped: sized.ineligible.map(({ id, reason }) => ({ deviceId: id, reason })),
  }
})

export const getFileServersHandler = handler(getFileServers, async ({ env }) => ({
  list: [env.PUBLIC_URL, ...env.FILE_SERVERS].map((url, index) => ({ url, isDefault: index === 0 })),
}))
