/** Creating, changing and deleting templates. Nothing is sent: devices get the changes by a task. */
import { and, eq, sql } from 'drizzle-orm'
import { keptPages } from '#infra/config/kept-values'
import { loadTemplates } from '#infra/config/template-book'
import { seal, unseal } from '#infra/secrets'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { compareTemplates, TEMPLATES_LOCK } from '#schema/config/compare-templates'
import {
  addConfigTemplate,
  deleteConfigTemplate,
  getTemplateImpact,
  modifyConfigTemplate,
  TEMPLATES_MAX,
} from '#schema/config/config-template'
import type { PageValues } from '#schema/config/many-change'
import { pageNamed } from '#schema/config/page-list'
import { withRowIds } from '#schema/config/row-ids'
import { templateRefusals } from '#schema/config/template-refusals'
import { namesIn, stackOf } from '#schema/config/template-stack'
import { deviceRefusals } from '#schema/device/device-refusals'
import type { ParsedBodyOf } from '#schema/kit/call'
import { refuse } from '#schema/kit/refusal'
import {
  configTemplateStates,
  configTemplates,
  configTemplateUses,
  configVariables,
} from '#schema/tables/config-template'
import { rowOf } from '../kit/about.ts'
import { edit } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { ownerOf } from '../kit/owner.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { wake } from '../kit/wake-job.ts'
import { type Transaction, withinBound } from '../kit/within-bound.ts'
import { impactOn } from './change-impact.ts'
import { loadOtherConfig } from './load-config.ts'
import { checkPages } from './page-values.ts'
import { notOfDeleted, reachScopes, storedConfigTemplate } from './template-object.ts'

type Body = Omit<ParsedBodyOf<typeof addConfigTemplate>, 'customerId'>

export const valuesOf = (ctx: Pick<CallContext, 'env'>, sealed: string) =>
  keptPages(JSON.parse(unseal(sealed, ctx.env.JWT_SECRET)) as PageValues)

/** The device that the values were read from. @throws Refusal 5 */
const source = (ctx: CallContext, { fromId }: Body) =>
  fromId === undefined ? null : loadOtherConfig(ctx, fromId)

type Before = { from: Awaited<ReturnType<typeof source>>; pages: PageValues }

/** Fills in the secrets of the previous template, or of the device that the values were read from. @throws Refusal 363 … */
async function given(
  ctx: CallContext,
  db: Pick<Transaction, 'select'>,
  customerId: number,
  body: Body,
  { from, pages: before }: Before,
): Promise<PageValues> {
  const known = (name: string) => {
    const page = pageNamed(name)
    return { ...(from && page ? page.read(from.doc, from.traits) : {}), ...before[name] }
  }
  const pages = checkPages(ctx, body.pages, known, true)
  await checkVariables(db, customerId, pages)
  return withRowIds(pages)
}

/** @throws Refusal 363 */
async function checkVariables(
  db: Pick<Transaction, 'select'>,
  customerId: number,
  pages: PageValues,
): Promise<void> {
  const found = await db
    .select({ name: configVariables.name })
    .from(configVariables)
    .where(eq(configVariables.customerId, customerId))
  const names = new Set(found.map(({ name }) => name))
  const unknown = namesIn(pages).find((name) => !names.has(name))
  if (unknown !== undefined) refuse(templateRefusals.variableUnknown, { name: unknown }, 'pages')
}

const columnsOf = (ctx: CallContext, body: Body, pages: PageValues) => ({
  name: body.name,
  remark: body.remark || null,
  pages: seal(JSON.stringify(pages), ctx.env.JWT_SECRET),
  fields: Object.fromEntries(Object.entries(pages).map(([page, values]) => [page, Object.keys(values)])),
  updatedBy: ctx.actor.userId,
  updatedAt: ctx.now(),
})

const usesOf = ({ everywhere, groupIds, deviceIds, place }: Body, templateId: number) => [
  ...(everywhere ? [{ templateId, place, groupId: null, deviceId: null }] : []),
  ...[...new Set(groupIds)].map((groupId) => ({ templateId, place, groupId, deviceId: null })),
  ...[...new Set(deviceIds)].map((deviceId) => ({ templateId, place, groupId: null, deviceId })),
]

type Put = { customerId: number; templateId: number; pages: PageValues }

async function putUses(tx: Transaction, body: Body, { customerId, templateId, pages }: Put): Promise<void> {
  await tx
    .delete(configTemplateUses)
    .where(and(eq(configTemplateUses.templateId, templateId), notOfDeleted(configTemplateUses.deviceId)))
  const uses = usesOf(body, templateId)
  if (uses.length > 0) await tx.insert(configTemplateUses).values(uses)
  await forgetStates(tx, customerId)
  // Again, now that none is deleted meanwhile.
  await checkVariables(tx, customerId, pages)
}

/** Until the transaction ends no template and no variable of the customer changes, and none is compared. */
export const lockTemplates = (tx: Pick<Transaction, 'execute'>, customerId: number) =>
  tx.execute(sql`select pg_advisory_xact_lock(${TEMPLATES_LOCK}::int, ${customerId}::int)`)

/** Invalidates the comparison of the customer's devices with their templates: compareTemplates repeats it. */
export async function forgetStates(tx: Transaction, customerId: number): Promise<void> {
  await lockTemplates(tx, customerId)
  await tx.delete(configTemplateStates).where(eq(configTemplateStates.customerId, customerId))
}

const taken = (name: string) =>
  whenTaken({ config_templates_name: () => refuse(deviceRefusals.nameTaken, { name }, 'name') })

export const addConfigTemplateHandler = handler(addConfigTemplate, async (ctx, body) => {
  const customerId = ownerOf(ctx)
  await reachScopes(ctx, customerId, body)
  const pages = await given(ctx, ctx.db, customerId, body, { from: await source(ctx, body), pages: {} })
  const bound = {
    table: configTemplates,
    where: eq(configTemplates.customerId, customerId),
    owner: customerId,
    max: TEMPLATES_MAX,
    full: () => refuse(templateRefusals.tooMany, { max: TEMPLATES_MAX }),
  }
  const work = withinBound(ctx, bound, async (tx) => {
    const [made] = await tx
      .insert(configTemplates)
      .values({ ...columnsOf(ctx, body, pages), customerId })
      .returning({ id: configTemplates.id })
    if (!made) throw new Error('insert returned nothing')
    await putUses(tx, body, { customerId, templateId: made.id, pages })
    return made
  })
  const made = await work.catch(taken(body.name))
  await wake(ctx, compareTemplates)
  return made
})

export const modifyConfigTemplateHandler = handler(modifyConfigTemplate, async (ctx, body) => {
  const { id, customerId } = rowOf(ctx, storedConfigTemplate)
  await reachScopes(ctx, customerId, body)
  const from = await source(ctx, body)
  const work = edit(ctx, { opened: body.edition }, async (tx) => {
    // Only now: behind the masks are the secrets that somebody else may just have entered.
    const [before] = await tx
      .select({ pages: configTemplates.pages })
      .from(configTemplates)
      .where(eq(configTemplates.id, id))
    const stored = before ? valuesOf(ctx, before.pages) : {}
    const pages = await given(ctx, tx, customerId, body, { from, pages: stored })
    await tx
      .update(configTemplates)
      .set(columnsOf(ctx, body, pages))
      .where(eq(configTemplates.id, id))
    await putUses(tx, body, { customerId, templateId: id, pages })
  })
  await work.catch(taken(body.name))
  await wake(ctx, compareTemplates)
  return null
})

export const deleteConfigTemplateHandler = handler(deleteConfigTemplate, async (ctx) => {
  const { id, customerId } = rowOf(ctx, storedConfigTemplate)
  await ctx.db.transaction(async (tx) => {
    await tx.delete(configTemplates).where(eq(configTemplates.id, id))
    await forgetStates(tx, customerId)
  })
  await wake(ctx, compareTemplates)
  return null
})

/** The customer is not an object of the call, because nothing is written. */
const actorsCustomer = ({ actor }: CallContext, customerId: number | undefined): number =>
  actor.customerId ?? customerId ?? refuse(alarmRefusals.customerMissing, {}, 'customerId')

/** The stored templates with this one replaced or added: what its devices would get. */
export const getTemplateImpactHandler = handler(getTemplateImpact, async (ctx, body) => {
  const before = body.id === undefined ? null : rowOf(ctx, storedConfigTemplate)
  const customerId = before?.customerId ?? actorsCustomer(ctx, body.customerId)
  await reachScopes(ctx, customerId, body)
  const pages = await given(ctx, ctx.db, customerId, body, {
    from: await source(ctx, body),
    pages: before ? valuesOf(ctx, before.pages) : {},
  })
  const id = before?.id ?? 0
  const stored = (await loadTemplates(ctx.sql, [customerId], ctx.env.JWT_SECRET)).get(customerId)
  if (!stored) throw new Error('every customer has a book')
  const book = {
    ...stored,
    templates: [...stored.templates.filter((one) => one.id !== id), { id, name: body.name, pages }],
    uses: [...stored.uses.filter((one) => one.templateId !== id), ...usesOf(body, id)],
  }
  const rows = await ctx.sql<{ deviceId: number; groupId: number }[]>`
    select id as "deviceId", group_id as "groupId" from devices where customer_id = ${customerId} and deleted_at is null order by id`
  const reached = rows.filter((device) => stackOf(book, device).some((one) => one.id === id))
  const ids = reached.map(({ deviceId }) => deviceId)
  return impactOn(ctx, ids, body.after, { by: 'templates' }, new Map([[customerId, book]]))
})
