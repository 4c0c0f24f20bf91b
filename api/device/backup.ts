import { randomUUID } from 'node:crypto'
import { and, eq, or, sql } from 'drizzle-orm'
import {
  BACKUP_LINK_MS,
  backupObject,
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
import { deviceBackups } from '#schema/tables/backup'
import { commands } from '#schema/tables/command'
import { devices } from '#schema/tables/device'
import { tasks } from '#schema/tables/task'
import { users } from '#schema/tables/user'
import { configFileRefusals } from '#schema/task/config-file-refusals'
import { orderDevice } from '../command/order-command.ts'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, downloadHandler, handler } from '../kit/handler.ts'
import { reachHistory } from '../kit/history.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { stored } from '../kit/stored.ts'
import { taskUsing } from '../task/task-using.ts'
import { readBackup } from './backup-contents.ts'
import { shownFiles } from './mask-settings.ts'

/** Kept when the file is stored; failed if its command ended without a file. */
const state = sql<'kept' | 'failed' | 'waiting'>`case when ${deviceBackups.fileKey} is not null then 'kept'
  when ${commands.endedAt} is not null or ${commands.id} is null then 'failed' else 'waiting' end`

const commandEnded = sql`(select c.ended_at is not null from commands c where c.id = ${deviceBackups.commandId})`

const deviceSn = sql<string>`(select d.sn from devices d where d.id = ${deviceBackups.deviceId})`

export const storedBackup = stored({
  object: backupObject,
  table: deviceBackups,
  id: deviceBackups.id,
  name: sql`${deviceSn} || ' '
    || to_char(${deviceBackups.createdAt} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  customerId: deviceBackups.customerId,
  deviceId: deviceBackups.deviceId,
  // Backups of the customer that owned the device then, and only while it is visible.
  seen: (walls) =>
    and(
      walls.deviceBackups,
      sql`exists (select 1 from ${devices} where ${devices.id} = ${deviceBackups.deviceId}
      and ${or(walls.devices, walls.unusualDevices)})`,
    ),
  row: () => ({
    id: deviceBackups.id,
    customerId: deviceBackups.customerId,
    sn: deviceSn,
    createdAt: deviceBackups.createdAt,
    fileKey: deviceBackups.fileKey,
    deviceId: deviceBackups.deviceId,
    sizeBytes: deviceBackups.sizeBytes,
    sha256: deviceBackups.sha256,
    state: sql<'kept' | 'failed' | 'waiting'>`case when ${deviceBackups.fileKey} is not null then 'kept'
      when coalesce(${commandEnded}, true) then 'failed' else 'waiting' end`,
  }),
  parts: {
    main: { table: deviceBackups, id: deviceBackups.id, fields: { remark: deviceBackups.remark } },
  },
})

export const createBackupHandler = handler(createBackup, async (ctx, body) => {
  const backupId = randomUUID()
  const { commandId } = await orderDevice(ctx, uploadBackup, { backupId }, (tx, { commandId, device }) =>
    tx.insert(deviceBackups).values({
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
    }),
  )
  return { backupId, commandId }
})

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
          createdBy: knownName(ctx.actor, users, deviceBackups.createdBy),
          fromSn: deviceBackups.fromSn,
          remark: deviceBackups.remark,
          sizeBytes: deviceBackups.sizeBytes,
          sha256: deviceBackups.sha256,
          configHash: deviceBackups.configHash,
          firmware: deviceBackups.firmware,
          edition: editionOf(storedBackup.parts.main),
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

async function openFile(ctx: CallContext) {
  const backup = rowOf(ctx, storedBackup)
  if (backup.fileKey === null || (await ctx.files.size(backup.fileKey)) === null)
    refuse(detailRefusals.backupMissing)
  return { ...backup, stream: ctx.files.read(backup.fileKey) }
}

export const modifyBackupHandler = handler(modifyBackup, async (ctx, body) => {
  const { id } = rowOf(ctx, storedBackup)
  await edit(ctx, { opened: body.edition }, (tx) =>
    tx
      .update(deviceBackups)
      .set({ remark: body.remark || null })
      .where(eq(deviceBackups.id, id)),
  )
  return null
})

export const deleteBackupHandler = handler(deleteBackup, async (ctx) => {
  const backup = rowOf(ctx, storedBackup)
  if (backup.state === 'waiting') refuse(detailRefusals.backupWaiting)
  const gone = await ctx.db.transaction(async (tx) => {
    // A task that restores it holds this row while it is created or retried.
    await tx.execute(sql`select 1 from device_backups where id = ${backup.id} for update`)
    const task = await taskUsing(ctx, tx, eq(tasks.backupId, backup.id))
    if (task !== null) refuse(configFileRefusals.configFileInUse, { task })
    // Of a backup whose command has failed, the file may have arrived since the row was read.
    return tx
      .delete(deviceBackups)
      .where(eq(deviceBackups.id, backup.id))
      .returning({ fileKey: deviceBackups.fileKey })
  })
  for (const { fileKey } of gone) if (fileKey !== null) await ctx.files.remove(fileKey)
  return null
})

export const downloadBackupHandler = downloadHandler(downloadBackup, async (ctx) => {
  const { sn, createdAt, stream } = await openFile(ctx)
  const at = createdAt.toISOString().slice(0, 19).replaceAll(':', '')
  return { fileName: `${sn}-${at}.tar.gz`, mime: 'application/gzip', stream }
})

export const getBackupFilesHandler = handler(getBackupFiles, async (ctx) => {
  const { createdAt, stream } = await openFile(ctx)
  const { files, complete } = await readBackup(stream)
  return { createdAt, complete, files: shownFiles(files, ctx.env.JWT_SECRET) }
})
