import { and, eq, sql } from 'drizzle-orm'
import { sayIn } from '#infra/say'
import { faultText } from '#schema/kit/fault'
import { refuse } from '#schema/kit/refusal'
import { isPlatformType } from '#schema/people/session'
import { sessionRefusals } from '#schema/people/session-refusals'
import { customers } from '#schema/tables/customer'
import { packages } from '#schema/tables/package'
import { tasks } from '#schema/tables/task'
import { users } from '#schema/tables/user'
import {
  deletePackage,
  getPackageList,
  modifyPackage,
  PACKAGE_MAX_BYTES,
  syncPackage,
  uploadPackage,
} from '#schema/task/package'
import { packageRefusals } from '#schema/task/package-refusals'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { takeUpload } from './package-intake.ts'
import { storedPackage } from './package-object.ts'
import { checkSignature } from './signing-key.ts'
import { taskUsing } from './task-using.ts'

const selectRows = ({ db, actor }: Pick<CallContext, 'db' | 'actor'>) =>
  db
    .select({
      spId: packages.id,
      name: packages.name,
      version: packages.version,
      model: packages.model,
      type: packages.type,
      spFileSize: packages.sizeBytes,
      sha256: packages.sha256,
      md5: packages.md5,
      signed: sql<boolean>`${packages.signature} is not null`,
      visibility: packages.visibility,
      customerId: packages.customerId,
      customerName: customers.name,
      uploader: knownName(actor, users, packages.uploaderId),
      uploadedAt: packages.uploadedAt,
      syncedAt: packages.syncedAt,
      syncError: packages.syncError,
      remark: packages.remark,
      edition: editionOf(storedPackage.parts.main),
    })
    .from(packages)
    .leftJoin(customers, eq(customers.id, packages.customerId))
    .leftJoin(users, eq(users.id, packages.uploaderId))

export const getPackageListHandler = listOf(getPackageList, 'packages', (ctx) => ({
  table: packages,
  rows: selectRows(ctx),
}))

/**
 * The owner of the package. A customer's user can upload only for their own customer; the customer in the body is
 * loaded by `serve()`.
 */
function owner({ actor, language }: CallContext, body: { visibility?: string; customerId?: number }) {
  if (!isPlatformType(actor.type)) {
    const foreign = body.customerId !== undefined && body.customerId !== actor.customerId
    if (actor.customerId === null || foreign) refuse(sessionRefusals.noPermission)
    if (body.visibility !== undefined && body.visibility !== 'customer')
      refuse(packageRefusals.packageSharing, {}, 'visibility')
    return { visibility: 'customer', customerId: actor.customerId } as const
  }
  const visibility = body.visibility ?? (body.customerId === undefined ? 'all' : 'customer')
  if (visibility !== 'customer') return { visibility: visibility as 'all' | 'system', customerId: null }
  if (body.customerId === undefined)
    refuse(
      sessionRefusals.invalid,
      { field: 'customerId', reason: faultText({ reason: 'required' }, sayIn(language)) },
      'customerId',
    )
  return { visibility: 'customer', customerId: body.customerId } as const
}

export const uploadPackageHandler = handler(uploadPackage, async (ctx, body) => {
  const belongs = owner(ctx, body)
  const exists = () =>
    refuse(packageRefusals.packageExists, { model: body.model, version: body.version }, 'version')
  const [before] = await ctx.sql`
    select 1 from packages where coalesce(customer_id, 0) = ${belongs.customerId ?? 0} and model = ${body.model}
      and type = ${body.type} and version = ${body.version} and (type = 'upgrade' or name = ${body.name}) and deleted_at is null`
  if (before) exists()
  const taken = await takeUpload(ctx, PACKAGE_MAX_BYTES)
  let id: number
  try {
    const { sizeBytes, sha256 } = taken
    const signature = await checkSignature(
      ctx,
      belongs.customerId,
      { ...body, sizeBytes, sha256 },
      body.signature,
    )
    const [row] = await ctx.sql<{ id: number }[]>`
      insert into packages (name, version, model, type, size_bytes, sha256, md5, file_key, signature, visibility, customer_id, uploader_id, remark)
      values (${body.name}, ${body.version}, ${body.model}, ${body.type}, ${taken.sizeBytes}, ${taken.sha256}, ${taken.md5},
        ${taken.key}, ${signature}, ${belongs.visibility}, ${belongs.customerId}, ${ctx.actor.userId}, ${body.remark || null})
      returning id`
    id = row?.id ?? 0
  } catch (error) {
    await ctx.files.remove(taken.key)
    // Of two simultaneous uploads of one version, the index accepts one.
    return whenTaken({ packages_version: exists })(error)
  }
  try {
    await ctx.queue.add(syncPackage, { packageId: id })
  } catch (error) {
    // The package is stored and shown as not synced: an unavailable queue must not fail the upload.
    ctx.log.error({ err: error, packageId: id, requestId: ctx.requestId }, 'sync of a package not queued')
  }
  const [made] = await selectRows(ctx).where(eq(packages.id, id))
  if (!made) throw new Error('insert returned nothing')
  return made
})

/** Packages for all users belong to the platform: a customer changes only its own. */
const mayChange = ({ actor }: CallContext, customerId: number | null) =>
  isPlatformType(actor.type) || customerId === actor.customerId

export const modifyPackageHandler = handler(modifyPackage, async (ctx, body) => {
  const found = rowOf(ctx, storedPackage)
  if (!mayChange(ctx, found.customerId)) refuse(sessionRefusals.noPermission)
  const belongs =
    body.visibility === undefined && body.customerId === undefined
      ? { visibility: found.visibility, customerId: found.customerId }
      : owner(ctx, {
          visibility: body.visibility ?? found.visibility,
          ...(body.customerId === undefined ? {} : { customerId: body.customerId }),
        })
  if (belongs.customerId !== null && belongs.customerId !== found.customerId) {
    const [known] = await ctx.sql`select 1 from customers where id = ${belongs.customerId}`
    if (!known) refuse(sessionRefusals.noPermission, {}, 'customerId')
  }
  // Another owner has different keys, or none.
  const signature =
    belongs.customerId === found.customerId
      ? found.signature
      : await checkSignature(ctx, belongs.customerId, found, found.signature)
  const { model, version } = found
  await edit(ctx, { opened: body.edition }, (tx) =>
    tx
      .update(packages)
      .set({ ...belongs, signature, remark: body.remark || null })
      .where(eq(packages.id, found.id)),
  ).catch(
    // The new owner already has this version of the package.
    whenTaken({
      packages_version: () => refuse(packageRefusals.packageExists, { model, version }, 'visibility'),
    }),
  )
  return null
})

export const deletePackageHandler = handler(deletePackage, async (ctx, body) => {
  const { actor } = ctx
  const fileKey = await ctx.db.transaction(async (tx) => {
    const [found] = await tx
      .select()
      .from(packages)
      .where(and(visible(actor).packages, eq(packages.id, body.spId)))
      .for('update')
    // Packages visible to all cannot be deleted by customers.
    if (!found || !mayChange(ctx, found.customerId)) refuse(sessionRefusals.noPermission)
    const task = await taskUsing(ctx, tx, eq(tasks.packageId, body.spId))
    if (task !== null) refuse(packageRefusals.packageInUse, { task })
    await tx.update(packages).set({ deletedAt: sql`now()` }).where(eq(packages.id, body.spId))
    return found.fileKey
  })
  await ctx.files.remove(fileKey)
  return null
})
