/** Variables of templates, and their values for customers, groups and devices. */
import { and, eq, inArray } from 'drizzle-orm'
import { sayIn } from '#infra/say'
import { ifReadable, seal, unseal } from '#infra/secrets'
import { compareTemplates } from '#schema/config/compare-templates'
import {
  addConfigVariable,
  deleteConfigVariable,
  getConfigVariableList,
  modifyConfigVariable,
  VARIABLES_MAX,
} from '#schema/config/config-variable'
import { templateRefusals } from '#schema/config/template-refusals'
import { namesIn } from '#schema/config/template-stack'
import { deviceRefusals } from '#schema/device/device-refusals'
import type { ParsedBodyOf } from '#schema/kit/call'
import { faultText } from '#schema/kit/fault'
import { refuse } from '#schema/kit/refusal'
import { SECRET_MASK } from '#schema/kit/secret-mask'
import { sessionRefusals } from '#schema/people/session-refusals'
import { configTemplates, configVariables, configVariableValues } from '#schema/tables/config-template'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { rowOf } from '../kit/about.ts'
import { edit, editionOf } from '../kit/edition.ts'
import { fieldLabel } from '../kit/field-label.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { ownerOf } from '../kit/owner.ts'
import { visible } from '../kit/scope.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { wake } from '../kit/wake-job.ts'
import { type Transaction, withinBound } from '../kit/within-bound.ts'
import { forgetStates, lockTemplates, valuesOf } from './config-template.ts'
import { notOfDeleted, reachScopes, storedConfigVariable } from './template-object.ts'

type Value = { groupId: number | null; deviceId: number | null; value: string }
type Given = ParsedBodyOf<typeof modifyConfigVariable>['values']

const { id, customerId, name, remark, isSecret, updatedAt } = configVariables

export const getConfigVariableListHandler = listOf(
  getConfigVariableList,
  storedConfigVariable,
  ({ db }) => ({
    table: configVariables,
    rows: db
      .select({
        id,
        customerId,
        customerName: customers.name,
        name,
        remark,
        isSecret,
        updatedAt,
        edition: editionOf(storedConfigVariable.parts.main),
      })
      .from(configVariables)
      .innerJoin(customers, eq(customers.id, customerId)),
  }),
  async (rows, ctx) => {
    type Row = {
      variableId: number
      groupId: number | null
      groupName: string | null
      deviceSn: string | null
      value: string
    }
    const values = await ctx.sql<Row[]>`
      select x.variable_id as "variableId", x.group_id as "groupId", g.name as "groupName", d.sn as "deviceSn", x.value
      from config_variable_values x left join groups g on g.id = x.group_id left join devices d on d.id = x.device_id
      where x.variable_id = any(${rows.map((row) => row.id)}) and d.deleted_at is null order by x.id`
    return rows.map((row) => ({
      ...row,
      values: values
        .filter(({ variableId }) => variableId === row.id)
        .map(({ variableId: _, ...own }) => ({
          ...own,
          value: row.isSecret ? SECRET_MASK : (ifReadable(() => unseal(own.value, ctx.env.JWT_SECRET)) ?? ''),
        })),
    }))
  },
)

/** An empty one must not make the value one for the whole customer. */
function serialNumberMissing({ call, language }: CallContext, at: string): never {
  const reason = faultText({ reason: 'required' }, sayIn(language))
  refuse(sessionRefusals.invalid, { field: fieldLabel(call, 'deviceSn', language), reason }, `${at}.deviceSn`)
}

/** Converts serial numbers to ids. @throws Refusal 3, 5, 365, 374 */
async function scoped(ctx: CallContext, owner: number, given: Given): Promise<Value[]> {
  const sns = given.flatMap(({ deviceSn }) => deviceSn || [])
  const found = new Map(
    (
      await ctx.db
        .select({ deviceId: devices.id, sn: devices.sn })
        .from(devices)
        .where(and(visible(ctx.actor).devices, eq(devices.customerId, owner), inArray(devices.sn, sns)))
    ).map(({ deviceId, sn }) => [sn, deviceId]),
  )
  const seen = new Set<string>()
  const values = given.map(({ groupId, deviceSn, value }, i) => {
    if (deviceSn === '' && groupId === undefined) serialNumberMissing(ctx, `values.${i}`)
    const deviceId = deviceSn
      ? (found.get(deviceSn) ??
        // Users type it in the form: "no permission" would not tell them which value is wrong.
        refuse(templateRefusals.deviceUnknown, { sn: deviceSn }, `values.${i}.deviceSn`))
      : null
    const scope = { groupId: deviceId === null ? (groupId ?? null) : null, deviceId }
    const key = JSON.stringify(scope)
    if (seen.has(key)) refuse(templateRefusals.scopeTwice, {}, `values.${i}`)
    seen.add(key)
    return { ...scope, value }
  })
  await reachScopes(ctx, owner, {
    groupIds: values.flatMap(({ groupId }) => groupId ?? []),
    deviceIds: values.flatMap(({ deviceId }) => deviceId ?? []),
  })
  return values
}

/** With the secrets that are stored behind the masks. @throws Refusal 369 */
async function unmasked(
  { env }: CallContext,
  tx: Transaction,
  variableId: number,
  values: readonly Value[],
): Promise<Value[]> {
  const before = await tx
    .select()
    .from(configVariableValues)
    .where(eq(configVariableValues.variableId, variableId))
  return values.map((one, i) => {
    if (one.value !== SECRET_MASK) return one
    const known = before.find(({ groupId, deviceId }) => groupId === one.groupId && deviceId === one.deviceId)
    // Behind the mask of one that cannot be read there is nothing.
    const value = known && ifReadable(() => unseal(known.value, env.JWT_SECRET))
    return { ...one, value: value ?? refuse(templateRefusals.valueMasked, {}, `values.${i}`) }
  })
}

async function putValues(
  ctx: CallContext,
  tx: Transaction,
  owner: number,
  variableId: number,
  given: readonly Value[],
) {
  const values = await unmasked(ctx, tx, variableId, given)
  await tx
    .delete(configVariableValues)
    .where(and(eq(configVariableValues.variableId, variableId), notOfDeleted(configVariableValues.deviceId)))
  if (values.length > 0)
    await tx
      .insert(configVariableValues)
      .values(values.map((one) => ({ ...one, variableId, value: seal(one.value, ctx.env.JWT_SECRET) })))
  await forgetStates(tx, owner)
}

export const addConfigVariableHandler = handler(addConfigVariable, async (ctx, body) => {
  const owner = ownerOf(ctx)
  const values = await scoped(ctx, owner, body.values)
  const bound = {
    table: configVariables,
    where: eq(customerId, owner),
    owner,
    max: VARIABLES_MAX,
    full: () => refuse(templateRefusals.tooMany, { max: VARIABLES_MAX }),
  }
  const made = await withinBound(ctx, bound, async (tx) => {
    const [row] = await tx
      .insert(configVariables)
      .values({
        customerId: owner,
        name: body.name,
        remark: body.remark || null,
        isSecret: body.isSecret,
        updatedAt: ctx.now(),
      })
      .returning({ id })
    if (!row) throw new Error('insert returned nothing')
    await putValues(ctx, tx, owner, row.id, values)
    return row
  }).catch(
    whenTaken({
      config_variables_name: () => refuse(deviceRefusals.nameTaken, { name: body.name }, 'name'),
    }),
  )
  await wake(ctx, compareTemplates)
  return made
})

export const modifyConfigVariableHandler = handler(modifyConfigVariable, async (ctx, body) => {
  const found = rowOf(ctx, storedConfigVariable)
  const values = await scoped(ctx, found.customerId, body.values)
  await edit(ctx, { opened: body.edition }, async (tx) => {
    await tx
      .update(configVariables)
      .set({ remark: body.remark || null, updatedAt: ctx.now() })
      .where(eq(id, found.id))
    await putValues(ctx, tx, found.customerId, found.id, values)
  })
  await wake(ctx, compareTemplates)
  return null
})

/** @throws Refusal 364 while a template uses it: its devices could no longer be configured. */
export const deleteConfigVariableHandler = handler(deleteConfigVariable, async (ctx) => {
  const found = rowOf(ctx, storedConfigVariable)
  await ctx.db.transaction(async (tx) => {
    await tx.delete(configVariables).where(eq(id, found.id))
    // A template that begins to use it meanwhile is seen here, or sees that it is gone.
    await lockTemplates(tx, found.customerId)
    const templates = await tx
      .select({ name: configTemplates.name, pages: configTemplates.pages })
      .from(configTemplates)
      .where(eq(configTemplates.customerId, found.customerId))
    // One that nobody can read any more configures no device.
    const user = templates.find(({ pages }) =>
      namesIn(ifReadable(() => valuesOf(ctx, pages)) ?? {}).includes(found.name),
    )
    if (user) refuse(templateRefusals.variableUsed, { template: user.name })
  })
  return null
})
