/** [§7 addConfig] Creating config tasks, and giving a device its backup again. */
import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { sayIn } from '#infra/say'
import { detailRefusals } from '#schema/device/detail-refusals'
import { refuse } from '#schema/kit/refusal'
import { configFileRefusals } from '#schema/task/config-file-refusals'
import { addConfig, preflightConfig, restoreBackup } from '#schema/task/config-task'
import { configFileKind } from '#schema/task/kinds/config-file'
import { groupLeftOut } from '#schema/task/task-target'
import { storedBackup } from '../device/backup.ts'
import { rowOf } from '../kit/about.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { openArchiveCheck } from './archive-check.ts'
import { configLimits } from './config-file.ts'
import { storedConfigFile } from './config-file-object.ts'
import { ownerOf } from './create-task.ts'
import { type Candidate, checkTarget, type Target } from './file-target.ts'
import { addFileTask, groupByReason } from './file-task.ts'
import { mobileDataOf } from './mobile-data.ts'
import { refuseArchive } from './package-intake.ts'
import { ArchiveError } from './tar-walk.ts'

/** Why a device cannot restore the file of this customer; null: it can. */
const hindrance = (customerId: number | null) => (device: Candidate) => {
  if (device.revoked) return 'revoked' as const
  // A customer's settings contain its passwords: they are never sent to another customer's devices.
  if (customerId !== null && device.customerId !== customerId) return 'otherCustomer' as const
  const { needs } = configFileKind
  if (needs && device.features && !device.features.includes(needs)) return 'versionUnsupported' as const
  return null
}

/** How many of the devices have which model. */
function modelsOf(devices: readonly { model: string | null }[]) {
  const counts = new Map<string | null, number>()
  for (const { model } of devices) counts.set(model, (counts.get(model) ?? 0) + 1)
  return [...counts].map(([model, count]) => ({ model, count })).toSorted((a, b) => b.count - a.count)
}

const sizeUp = (ctx: CallContext, target: Target) =>
  checkTarget(ctx, target, hindrance(rowOf(ctx, storedConfigFile).customerId))

export const preflightConfigHandler = handler(preflightConfig, async (ctx, body) => {
  const { eligible, delayed, ineligible } = await sizeUp(ctx, body)
  return {
    matching: eligible.length + ineligible.length,
    eligible: eligible.length,
    delayed: groupByReason(delayed),
    leftOut: groupLeftOut(ineligible),
    models: modelsOf(eligible),
    mobile: await mobileDataOf(
      ctx,
      eligible.map(({ id }) => id),
      rowOf(ctx, storedConfigFile).sizeBytes,
    ),
    waitOfflineMinutes: await ctx.parameters.get('upgradeWaitMinutes', ownerOf(ctx, eligible)),
  }
})

export const addConfigHandler = handler(addConfig, async (ctx, body) => {
  const { id, name, sizeBytes, sha256, md5 } = rowOf(ctx, storedConfigFile)
  const sized = await sizeUp(ctx, body)
  const made = await addFileTask(
    ctx,
    body,
    sized,
    { type: 'config', configFileId: id, packageName: name, sizeBytes, sha256, md5, keepConfig: true },
    async (tx) => {
      const held = await tx.execute(sql`select 1 from config_files where id = ${id} for share`)
      if (held.length === 0) refuse(configFileRefusals.configFileGone, {}, 'spId')
    },
  )
  return { ...made, leftOut: groupLeftOut(sized.ineligible) }
})

/**
 * An archive made by a device is checked like an upload before another machine gets it. @throws Refusal packageUnsafe,
 * packageTruncated
 */
async function checkStored(ctx: CallContext, fileKey: string): Promise<{ md5: string }> {
  const md5 = createHash('md5')
  const archive = openArchiveCheck(configLimits)
  try {
    for await (const chunk of ctx.files.read(fileKey) as AsyncIterable<Buffer>) {
      md5.update(chunk)
      await archive.write(chunk)
    }
    await archive.end()
    return { md5: md5.digest('hex') }
  } catch (error) {
    if (error instanceof ArchiveError) return refuseArchive(error.fault, ctx.language, 'backupId')
    throw error
  } finally {
    archive.destroy()
  }
}

export const restoreBackupHandler = handler(restoreBackup, async (ctx, body) => {
  const { id, customerId, sn, createdAt, deviceId, fileKey, sizeBytes, sha256 } = rowOf(ctx, storedBackup)
  if (fileKey === null || (await ctx.files.size(fileKey)) === null)
    refuse(detailRefusals.backupMissing, {}, 'backupId')
  const { md5 } = await checkStored(ctx, fileKey)
  const sized = await checkTarget(ctx, { dids: [deviceId] }, hindrance(customerId))
  if (sized.ineligible.some(({ reason }) => reason === 'versionUnsupported'))
    refuse(configFileRefusals.restoreUnsupported, {}, 'backupId')
  const at = `${createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  const file = `${sn} ${at}`.slice(0, 64)
  const name = sayIn(ctx.language)('config-file:restored', { sn, at }).slice(0, 64)
  const { taskId } = await addFileTask(
    ctx,
    { name, description: '', requestId: body.requestId },
    sized,
    { type: 'config', backupId: id, packageName: file, sizeBytes, sha256, md5, keepConfig: true },
    async (tx) => {
      const held = await tx.execute(sql`select 1 from device_backups where id = ${id} for share`)
      if (held.length === 0) refuse(detailRefusals.backupMissing, {}, 'backupId')
    },
  )
  return { taskId }
})
