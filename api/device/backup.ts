import { randomUUID } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import {
  BACKUP_LINK_MS,
  createBackup,
  deleteBackup,
  downloadBackup,
  getBackupFiles,
  getBackupList,
  modifyBackup,
} from '#schema/device/backup'
import { uploadBackup } from '#schema/device/commands/backup'
import { detailRefusals } from '#schema/device/detail-refusals'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { deviceBackups } from '#schema/tables/backup'
import { commands } from '#schema/tables/command'
import { users } from '#schema/tables/user'
import { orderDevice } from '../command/order-command.ts'
import { editables } from '../kit/editables.ts'
import { editionOf, holdEdition } from '../kit/edition.ts'
import { type CallContext, downloadHandler, handler } from '../kit/handler.ts'
import { reachHistory } from '../kit/history.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { readBackup } from './backup-contents.ts'

export const createBackupHandler = handler(createBackup, async (ctx, body) => {
  const backupId = randomUUID()
  const { commandId } = await orderDevice(
    ctx,
    uploadBackup,
    body.deviceId,
    { backupId },
    async (tx, { commandId, device }) => {
      await tx.insert(deviceBackups).values({
        id: backupId,
        deviceId: device.id,
        customerId: device.customerId,
        commandId,
        createdBy: ctx.actor.userId,
        createdAt: ctx.now(),
        remark: body.remark || null,
        linkExpiresAt: new Date(ctx.now().getTime() + BACKUP_LINK_MS),
        configHash: device.configHash,
        firmware: device.firmware,
      })
      ctx.note({ object: device.sn, after: { remark: body.remark ?? null } })
    },
  )
  return { backupId, commandId }
})

/** Kept once the file is there; failed when its command ended without. */
const state = sql<'kept' | 'failed' | 'waiting'>`case when ${deviceBackups.fileKey} is not null then 'kept'
  when ${commands.endedAt} is not null or ${commands.id} is null then 'failed' else 'waiting' end`

export const getBackupListHandler = listOf(
  getBackupList,
  'deviceBackups',
  async (ctx, { deviceId }) => {
    const device = await reachHistory(ctx, deviceId)
    return {
      table: deviceBackups,
      rows: ctx.db
        .select({
          backupId: deviceBackups.id,
          state,
          ended: commands.state,
          said: commands.error,
          createdAt: deviceBackups.createdAt,
          createdBy: knownName(ctx.actor),
          fromSn: deviceBackups.fromSn,
          remark: deviceBackups.remark,
          sizeBytes: deviceBackups.sizeBytes,
          sha256: deviceBackups.sha256,
          configHash: deviceBackups.configHash,
          firmware: deviceBackups.firmware,
          edition: editionOf(editables.backup),
        })
        .from(deviceBackups)
        .leftJoin(commands, eq(commands.id, deviceBackups.commandId))
        .leftJoin(users, eq(users.id, deviceBackups.createdBy)),
      filters: { deviceId: () => eq(deviceBackups.deviceId, device.id) },
    }
  },
  (rows) =>
    rows.map(({ ended, said, ...row }) => ({
      ...row,
      error: row.state === 'failed' ? (said ?? ended ?? null) : null,
    })),
)

/** @throws Refusal noPermission unless the actor may see the device, and owned it when the backup was made. */
async function reachBackup(ctx: CallContext, backupId: string) {
  const [found] = await ctx.db
    .select({
      id: deviceBackups.id,
      deviceId: deviceBackups.deviceId,
      createdAt: deviceBackups.createdAt,
      remark: deviceBackups.remark,
      fileKey: deviceBackups.fileKey,
      state,
    })
    .from(deviceBackups)
    .leftJoin(commands, eq(commands.id, deviceBackups.commandId))
    .where(and(visible(ctx.actor).deviceBackups, eq(deviceBackups.id, backupId)))
  if (!found) refuse(sessionRefusals.noPermission)
  const device = await reachHistory(ctx, found.deviceId)
  ctx.note({ object: `${device.sn} ${found.createdAt.toISOString()}` })
  return { ...found, sn: device.sn }
}

async function openFile(ctx: CallContext, backupId: string) {
  const backup = await reachBackup(ctx, backupId)
  if (backup.fileKey === null || (await ctx.files.size(backup.fileKey)) === null)
    refuse(detailRefusals.backupMissing)
  return { ...backup, stream: ctx.files.read(backup.fileKey) }
}

export const modifyBackupHandler = handler(modifyBackup, async (ctx, body) => {
  const { id, remark } = await reachBackup(ctx, body.backupId)
  await ctx.db.transaction(async (tx) => {
    await holdEdition(ctx, tx, editables.backup, { id }, body.edition)
    await tx
      .update(deviceBackups)
      .set({ remark: body.remark || null })
      .where(eq(deviceBackups.id, id))
  })
  ctx.note({ before: { remark }, after: { remark: body.remark || null } })
  return null
})

export const deleteBackupHandler = handler(deleteBackup, async (ctx, body) => {
  const backup = await reachBackup(ctx, body.backupId)
  if (backup.state === 'waiting') refuse(detailRefusals.backupWaiting)
  await ctx.db.delete(deviceBackups).where(eq(deviceBackups.id, backup.id))
  if (backup.fileKey !== null) await ctx.files.remove(backup.fileKey)
  return null
})

export const downloadBackupHandler = downloadHandler(downloadBackup, async (ctx, body) => {
  const { sn, createdAt, stream } = await openFile(ctx, body.backupId)
  const at = createdAt.toISOString().slice(0, 19).replaceAll(':', '')
  return { fileName: `${sn}-${at}.tar.gz`, mime: 'application/gzip', stream }
})

export const getBackupFilesHandler = handler(getBackupFiles, async (ctx, body) => {
  const { createdAt, stream } = await openFile(ctx, body.backupId)
  return { createdAt, ...(await readBackup(stream)) }
})
