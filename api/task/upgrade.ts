/** Creating upgrade tasks. */

import { sql } from 'drizzle-orm'
import { deadlinesFor, taskKinds } from '#infra/task-kinds'
import { refuse } from '#schema/kit/refusal'
import type { TaskKind } from '#schema/kit/task-kind'
import { sessionRefusals } from '#schema/people/session-refusals'
import { commandRefusals } from '#schema/task/command-refusals'
import { packageRefusals } from '#schema/task/package-refusals'
import { dispatchTasks } from '#schema/task/task'
import { isGuarded, TASK_MAX_ACTIVE } from '#schema/task/task-guard'
import { taskRefusals } from '#schema/task/task-refusals'
import { groupLeftOut } from '#schema/task/task-target'
import { addLevelUp, getFileServers, preflightUpgrade } from '#schema/task/upgrade'
import { rowOf } from '../kit/about.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { wake } from '../kit/wake-job.ts'
import { approvalUntil, createTask, findByRequestId, ownerOf } from './create-task.ts'
import { storedPackage } from './package-object.ts'
import { checkTarget } from './upgrade-target.ts'

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

/** The kind that installs packages of this type. @throws if none is declared, which would be a bug */
function kindFor(type: string): TaskKind {
  const found = [...taskKinds.values()].find(
    ({ sends }) => sends.by === 'offer' && sends.packageType === type,
  )
  if (!found) throw new Error(`no task kind installs packages of type ${type}`)
  return found
}

export const preflightUpgradeHandler = handler(preflightUpgrade, async (ctx, body) => {
  const sized = await checkTarget(ctx, rowOf(ctx, storedPackage), body)
  return {
    eligible: sized.eligible.length,
    delayed: group(sized.delayed),
    ineligible: group(sized.ineligible),
    waitOfflineMinutes: await ctx.parameters.get('upgradeWaitMinutes', ownerOf(ctx, sized.eligible)),
  }
})

/** The file server as stored: null is the platform itself. */
function serverOf({ env }: CallContext, given: string | undefined): string | null {
  const server = given?.replace(/\/$/, '')
  if (!server || server === env.PUBLIC_URL) return null
  return env.FILE_SERVERS.includes(server) ? server : refuse(taskRefusals.fileServerUnknown, {}, 'server')
}

export const addLevelUpHandler = handler(addLevelUp, async (ctx, body) => {
  const found = rowOf(ctx, storedPackage)
  if (found.syncedAt === null) refuse(packageRefusals.packageNotSynced, {}, 'spId')
  if (body.packageType && body.packageType !== found.type)
    refuse(sessionRefusals.invalid, { field: 'packageType', reason: found.type }, 'packageType')
  const server = serverOf(ctx, body.server)
  const sized = await checkTarget(ctx, found, body)
  if (sized.eligible.length === 0) refuse(taskRefusals.taskNoEligible)
  const now = ctx.now()
  const startAt = body.startAt ? new Date(Math.max(now.getTime(), Date.parse(body.startAt))) : now
  const owner = ownerOf(ctx, sized.eligible)
  const waitOfflineMinutes =
    body.waitOfflineMinutes ?? (await ctx.parameters.get('upgradeWaitMinutes', owner))
  const guard = { maxFailures: body.maxFailures ?? null, maxFailurePercent: body.maxFailurePercent ?? null }
  const kind = kindFor(found.type)
  const matching = sized.eligible.length + sized.ineligible.length
  if (body.atMost !== undefined && matching > body.atMost)
    refuse(commandRefusals.taskGrew, { count: matching }, 'atMost')
  const deadlines = await deadlinesFor(kind, null, ctx.parameters, owner)
  const until = await approvalUntil(ctx, kind, body.approval, owner)
  const skipped = sized.ineligible.map(({ id, reason }) => ({ deviceId: id, reason }))
  const { made, before } = await ctx.db.transaction(async (tx) => {
    // Deleting the package waits for this lock and then sees the task; if it was deleted first, it cannot be used.
    const kept = await tx.execute(
      sql`select 1 from packages where id = ${found.id} and deleted_at is null for share`,
    )
    if (kept.length === 0) refuse(sessionRefusals.noPermission)
    const earlier = await findByRequestId(tx, ctx, body.requestId)
    if (earlier) return { made: earlier.taskId, before: earlier }
    const id = await createTask(
      tx,
      ctx,
      { kind, command: null },
      {
        ...guard,
        deadlines,
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
        maxInFlight: body.maxInFlight ?? TASK_MAX_ACTIVE,
        maxPerSecond: body.maxPerSecond ?? null,
        groupShare: body.groupSharePercent ? body.groupSharePercent / 100 : null,
        slowStart: body.slowStart ?? isGuarded(guard),
        requestId: body.requestId ?? null,
        approvalUntil: until,
        matching,
        leftOut: groupLeftOut(sized.ineligible),
      },
      sized.eligible.map((device) => device.id),
    )
    return { made: id, before: null }
  })
  if (before) return { taskId: made, devices: before.devices, skipped }
  const taskId = made
  ctx.note({ after: { devices: sized.eligible.length, skipped: sized.ineligible.length } })
  // A start in the future is found by the schedule: a delayed wake-up would hold back all others until then.
  if (startAt <= now && !until) await wake(ctx, dispatchTasks)
  return {
    taskId,
    devices: sized.eligible.length,
    skipped,
  }
})

export const getFileServersHandler = handler(getFileServers, async ({ env }) => ({
  list: [env.PUBLIC_URL, ...env.FILE_SERVERS].map((url, index) => ({ url, isDefault: index === 0 })),
}))
