/** Creating upgrade tasks. */

import { sql } from 'drizzle-orm'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { packageRefusals } from '#schema/task/package-refusals'
import { installedVersion } from '#schema/task/task'
import { taskRefusals } from '#schema/task/task-refusals'
import { addLevelUp, getFileServers, ineligibleFor, preflightUpgrade } from '#schema/task/upgrade'
import { isOlder } from '#schema/task/version-order'
import { rowOf } from '../kit/about.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { refuseChoice } from '../kit/refuse-choice.ts'
import type { RowOf } from '../kit/stored.ts'
import { ownerOf } from './create-task.ts'
import { type Candidate, checkTarget } from './file-target.ts'
import { addFileTask, groupByReason, SAMPLE } from './file-task.ts'
import { memoryShortOf } from './memory-short.ts'
import { mobileDataOf } from './mobile-data.ts'
import { storedPackage } from './package-object.ts'

type PackageRow = RowOf<typeof storedPackage>

/** What a task copies of its package. */
export function packageFacts(found: PackageRow) {
  const { id, name, type, model, version, sizeBytes, sha256, md5, signature } = found
  return { packageId: id, packageName: name, type, model, version, sizeBytes, sha256, md5, signature }
}

/** Whether the package would replace a newer version. */
function isDowngrade({ type, name, version }: PackageRow, device: Candidate): boolean {
  const installed = installedVersion({ type, packageName: name }, device)
  return installed !== null && isOlder(version, installed)
}

export const preflightUpgradeHandler = handler(preflightUpgrade, async (ctx, body) => {
  const found = rowOf(ctx, storedPackage)
  const downgraded: string[] = []
  const sized = await checkTarget(ctx, body, (device: Candidate) => {
    const reason = ineligibleFor(found, device)
    if (!reason && isDowngrade(found, device)) downgraded.push(device.sn)
    return reason
  })
  const eligible = sized.eligible.map(({ id }) => id)
  return {
    eligible: sized.eligible.length,
    delayed: groupByReason(sized.delayed),
    ineligible: groupByReason(sized.ineligible),
    mobile: await mobileDataOf(ctx, eligible, found.sizeBytes),
    memoryShort: await memoryShortOf(ctx, eligible, found.sizeBytes),
    downgraded: { count: downgraded.length, sample: downgraded.slice(0, SAMPLE) },
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
  if (body.packageType && body.packageType !== found.type) refuseChoice(ctx, 'packageType', [found.type])
  const { id } = found
  const server = serverOf(ctx, body.server)
  const sized = await checkTarget(ctx, body, (device: Candidate) => ineligibleFor(found, device))
  const made = await addFileTask(
    ctx,
    body,
    sized,
    {
      ...packageFacts(found),
      keepConfig: body.keepConfig,
      server,
    },
    async (tx) => {
      const kept = await tx.execute(
        sql`select 1 from packages where id = ${id} and deleted_at is null for share`,
      )
      if (kept.length === 0) refuse(sessionRefusals.noPermission)
    },
  )
  return { ...made, skipped: sized.ineligible.map(({ id, reason }) => ({ deviceId: id, reason })) }
})

export const getFileServersHandler = handler(getFileServers, async ({ env }) => ({
  list: [env.PUBLIC_URL, ...env.FILE_SERVERS].map((url, index) => ({ url, isDefault: index === 0 })),
}))
