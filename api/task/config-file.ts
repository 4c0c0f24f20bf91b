/** Configuration files: upload, list, contents, remark, deletion. */
import { eq } from 'drizzle-orm'
import { sayIn } from '#infra/say'
import { faultText } from '#schema/kit/fault'
import { refuse } from '#schema/kit/refusal'
import { isPlatformType } from '#schema/people/session'
import { sessionRefusals } from '#schema/people/session-refusals'
import { customers } from '#schema/tables/customer'
import { configFiles } from '#schema/tables/package'
import { tasks } from '#schema/tables/task'
import { users } from '#schema/tables/user'
import {
  CONFIG_FILE_MAX_BYTES,
  CONFIG_FOLDER,
  deleteConfigFile,
  downloadConfigFile,
  getConfigFileContents,
  getConfigFileList,
  modifyConfigFile,
  uploadConfigFile,
} from '#schema/task/config-file'
import { configFileRefusals } from '#schema/task/config-file-refusals'
import { backupLimits, readBackup } from '../device/backup-contents.ts'
import { shownFiles } from '../device/mask-settings.ts'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, downloadHandler, handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import type { ArchiveLimits } from './archive-check.ts'
import { storedConfigFile } from './config-file-object.ts'
import { takeUpload } from './package-intake.ts'
import { taskUsing } from './task-using.ts'

/** A backup as devices make it: small, and with nothing outside of its folder. */
export const configLimits: ArchiveLimits = { ...backupLimits, under: CONFIG_FOLDER }

const selectRows = ({ db, actor }: Pick<CallContext, 'db' | 'actor'>) =>
  db
    .select({
      spId: configFiles.id,
      name: configFiles.name,
      spFileSize: configFiles.sizeBytes,
      sha256: configFiles.sha256,
      md5: configFiles.md5,
      customerId: configFiles.customerId,
      customerName: customers.name,
      uploader: knownName(actor, users, configFiles.uploaderId),
      uploadedAt: configFiles.uploadedAt,
      remark: configFiles.remark,
      edition: editionOf(storedConfigFile.parts.main),
    })
    .from(configFiles)
    .leftJoin(customers, eq(customers.id, configFiles.customerId))
    .leftJoin(users, eq(users.id, configFiles.uploaderId))

export const getConfigFileListHandler = listOf(getConfigFileList, 'configFiles', (ctx) => ({
  table: configFiles,
  rows: selectRows(ctx),
}))

/** A customer's user uploads for their own customer; the customer in the body is loaded by `serve()`. */
function ownerOf({ actor, language }: CallContext, customerId: number | undefined): number {
  if (isPlatformType(actor.type))
    return (
      customerId ??
      refuse(
        sessionRefusals.invalid,
        { field: 'customerId', reason: faultText({ reason: 'required' }, sayIn(language)) },
        'customerId',
      )
    )
  const foreign = customerId !== undefined && customerId !== actor.customerId
  return actor.customerId === null || foreign ? refuse(sessionRefusals.noPermission) : actor.customerId
}

/** Of two simultaneous uploads of one name, the index accepts one. */
const taken = (name: string) =>
  whenTaken({ config_files_name: () => refuse(configFileRefusals.configFileExists, { name }, 'name') })

export const uploadConfigFileHandler = handler(uploadConfigFile, async (ctx, body) => {
  const customerId = ownerOf(ctx, body.customerId)
  const { name } = body
  const [before] = await ctx.sql`
    select 1 from config_files where customer_id = ${customerId} and lower(name) = lower(${name})`
  if (before) refuse(configFileRefusals.configFileExists, { name }, 'name')
  const { key, ...upload } = await takeUpload(ctx, CONFIG_FILE_MAX_BYTES, configLimits)
  let id: number
  try {
    const [row] = await ctx.db
      .insert(configFiles)
      .values({
        ...upload,
        fileKey: key,
        customerId,
        name,
        uploaderId: ctx.actor.userId,
        uploadedAt: ctx.now(),
        remark: body.remark || null,
      })
      .returning({ id: configFiles.id })
    id = row?.id ?? 0
  } catch (error) {
    await ctx.files.remove(key)
    return taken(name)(error)
  }
  // Not above: from here on the file has a row.
  const [made] = await selectRows(ctx).where(eq(configFiles.id, id))
  if (!made) throw new Error('insert returned nothing')
  return made
})

export const modifyConfigFileHandler = handler(modifyConfigFile, async (ctx, body) => {
  const { id } = rowOf(ctx, storedConfigFile)
  const { name } = body
  await edit(ctx, { opened: body.edition }, (tx) =>
    tx
      .update(configFiles)
      .set({ name, remark: body.remark || null })
      .where(eq(configFiles.id, id)),
  ).catch(taken(name))
  return null
})

export const deleteConfigFileHandler = handler(deleteConfigFile, async (ctx) => {
  const { id, fileKey } = rowOf(ctx, storedConfigFile)
  await ctx.db.transaction(async (tx) => {
    // A task that uses it holds this row while it is created or retried.
    await tx.select({ id: configFiles.id }).from(configFiles).where(eq(configFiles.id, id)).for('update')
    const task = await taskUsing(ctx, tx, eq(tasks.configFileId, id))
    if (task !== null) refuse(configFileRefusals.configFileInUse, { task })
    await tx.delete(configFiles).where(eq(configFiles.id, id))
  })
  await ctx.files.remove(fileKey)
  return null
})

async function openFile(ctx: CallContext) {
  const { name, fileKey } = rowOf(ctx, storedConfigFile)
  if ((await ctx.files.size(fileKey)) === null) refuse(configFileRefusals.configFileGone)
  return { name, stream: ctx.files.read(fileKey) }
}

export const downloadConfigFileHandler = downloadHandler(downloadConfigFile, async (ctx) => {
  const { name, stream } = await openFile(ctx)
  return { fileName: `${name.replace(/\.tar\.gz$/i, '')}.tar.gz`, mime: 'application/gzip', stream }
})

export const getConfigFileContentsHandler = handler(getConfigFileContents, async (ctx) => {
  const { files, complete } = await readBackup((await openFile(ctx)).stream)
  return { complete, files: shownFiles(files, ctx.env.JWT_SECRET) }
})
