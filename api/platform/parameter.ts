import { eq, getTableColumns, isNull, or, type SQL, sql } from 'drizzle-orm'
import { sayIn } from '#infra/say'
import { NO_EDITION } from '#schema/kit/edition'
import { type Language, languages, refuse } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'
import {
  addParameter,
  deleteParameter,
  EXTRA_MAX,
  extraParameterObject,
  getParameterList,
  modifyParameter,
  parameterKeys,
  parameterObject,
  setParameter,
} from '#schema/platform/parameter'
import { type ParameterKey, parameters } from '#schema/platform/parameter-list'
import { extraParameters, parameterValues } from '#schema/tables/parameter'
import { edit, editionOf } from '../kit/edition.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { keptName } from '../kit/known-name.ts'
import { namedCustomer } from '../kit/owner.ts'
import { page } from '../kit/paging.ts'
import { stored } from '../kit/stored.ts'
import { whenTaken } from '../kit/unique-violation.ts'
import { withinBound } from '../kit/within-bound.ts'

/** Identified by their keys, set or not. */
export const storedParameter = stored({
  object: parameterObject,
  table: parameterValues,
  id: parameterValues.key,
  name: parameterValues.key,
  customerId: parameterValues.customerId,
  seen: (_, actor) => owned(parameterValues.customerId, actor.customerId),
  row: () => ({ key: parameterValues.key }),
  parts: {
    main: { table: parameterValues, id: parameterValues.key, fields: { value: parameterValues.value } },
  },
})

export const storedExtraParameter = stored({
  object: extraParameterObject,
  table: extraParameters,
  id: extraParameters.id,
  name: extraParameters.nameEn,
  customerId: extraParameters.customerId,
  seen: (walls) => walls.extraParameters,
  row: () => ({ id: extraParameters.id }),
  parts: {
    main: {
      table: extraParameters,
      id: extraParameters.id,
      fields: {
        nameZh: extraParameters.nameZh,
        nameEn: extraParameters.nameEn,
        description: extraParameters.description,
        value: extraParameters.value,
      },
    },
  },
})

const nameIn = (language: Language, key: ParameterKey) => sayIn(language)(`parameter:name.${key}`)

/** [§8] Names of declared parameters are reserved, in every language. */
function isDeclaredName(name: string): boolean {
  const wanted = name.trim().toLowerCase()
  return languages.some((language) =>
    parameterKeys.some((key) => nameIn(language, key).toLowerCase() === wanted),
  )
}

/**
 * The owner of the parameters: a customer user's own customer, or the one that a platform user selects. null: the
 * platform.
 */
const ownerOf = (ctx: CallContext): number | null => namedCustomer(ctx) ?? ctx.actor.customerId

/** The platform's rows, and those of the selected customer. */
const owned = (column: Parameters<typeof eq>[0], owner: number | null): SQL | undefined =>
  owner === null ? isNull(column) : or(isNull(column), eq(column, owner))

async function declaredRows({ db, language, actor }: CallContext, owner: number | null) {
  const set = await db
    .select({
      ...getTableColumns(parameterValues),
      updatedBy: keptName(actor, sql`${parameterValues.updatedBy}`),
      edition: editionOf(storedParameter.parts.main),
    })
    .from(parameterValues)
    .where(owned(parameterValues.customerId, owner))
  return parameterKeys.map((key) => {
    const { description, unit, initial, min, max, perCustomer } = parameters[key]
    const mine = set.find((row) => row.key === key && row.customerId !== null && perCustomer)
    const shared = set.find((row) => row.key === key && row.customerId === null)
    const holds = mine ?? shared
    return {
      rowKey: key as string,
      key,
      id: null,
      nameZh: nameIn('zh-CN', key),
      nameEn: nameIn('en-US', key),
      name: nameIn(language, key),
      description: sayIn(language)(description),
      value: String(holds?.value ?? initial),
      unit,
      min,
      max,
      initial,
      source: mine ? ('customer' as const) : shared ? ('platform' as const) : ('initial' as const),
      perCustomer,
      customerId: mine?.customerId ?? null,
      updatedAt: holds?.updatedAt ?? null,
      updatedBy: holds?.updatedBy ?? null,
      edition: (owner === null ? shared : mine)?.edition ?? NO_EDITION,
    }
  })
}

async function extraRows({ db, language, actor }: CallContext, owner: number | null) {
  const rows = await db
    .select({
      ...getTableColumns(extraParameters),
      updatedBy: keptName(actor, sql`${extraParameters.updatedBy}`),
      edition: editionOf(storedExtraParameter.parts.main),
    })
    .from(extraParameters)
    .where(owned(extraParameters.customerId, owner))
  return rows.map((row) => ({
    rowKey: `extra-${row.id}`,
    key: null,
    id: row.id,
    nameZh: row.nameZh,
    nameEn: row.nameEn,
    name: language === 'en-US' ? row.nameEn : row.nameZh,
    description: row.description,
    value: row.value,
    unit: null,
    min: null,
    max: null,
    initial: null,
    source: row.customerId === null ? ('platform' as const) : ('customer' as const),
    perCustomer: row.customerId !== null,
    customerId: row.customerId,
    updatedAt: row.updatedAt,
    updatedBy: row.updatedBy,
    edition: row.edition,
  }))
}

/** A few dozen rows, most of them declared in code: searched and sorted here instead of in SQL. */
export const getParameterListHandler = handler(getParameterList, async (ctx, body) => {
  const owner = ownerOf(ctx)
  const search = body.search?.toLowerCase() ?? ''
  const rows = [...(await declaredRows(ctx, owner)), ...(await extraRows(ctx, owner))].filter((row) =>
    [row.nameZh, row.nameEn, row.name, row.description].some((text) => text.toLowerCase().includes(search)),
  )
  const turn = body.order === 'desc' ? -1 : 1
  const moment = (at: Date | null) => at?.getTime() ?? 0
  if (body.sort === 'name') rows.sort((a, b) => turn * a.name.localeCompare(b.name, ctx.language))
  if (body.sort === 'updatedAt') rows.sort((a, b) => turn * (moment(a.updatedAt) - moment(b.updatedAt)))
  return { list: rows.slice(page(body), page(body) + body.limit), total: rows.length }
})

export const setParameterHandler = handler(setParameter, async (ctx, { key, value, edition }) => {
  const owner = ownerOf(ctx)
  const { min, max, perCustomer } = parameters[key]
  if (owner !== null && !perCustomer) refuse(accountRefusals.parameterShared, {}, 'customerId')
  if (value !== null && (value < min || value > max))
    refuse(accountRefusals.parameterRange, { min, max }, 'value')
  const object = nameIn('en-US', key)
  const before = await ctx.parameters.get(key, owner)
  const where = sql`key = ${key} and customer_id is not distinct from ${owner}::int`
  const target = { of: storedParameter, part: 'main', id: `${key}@${owner ?? 'platform'}`, where }
  // Serializes writers, because there may be no row yet to lock.
  const lock = (tx: Pick<CallContext['db'], 'execute'>) =>
    tx.execute(sql`lock table parameter_values in share row exclusive mode`)
  await edit(ctx, { opened: edition, target, ...(edition === undefined ? {} : { lock }) }, async (tx) => {
    if (value === null) await tx.execute(sql`delete from parameter_values where ${where}`)
    else
      await tx.execute(sql`
        insert into parameter_values (key, customer_id, value, updated_at, updated_by)
        values (${key}, ${owner}::int, ${value}, ${ctx.now().toISOString()}::timestamptz, ${ctx.actor.username})
        on conflict (key, (coalesce(customer_id, 0))) do update
          set value = excluded.value, updated_at = excluded.updated_at, updated_by = excluded.updated_by`)
  })
  ctx.parameters.forget()
  const after = await ctx.parameters.get(key, owner)
  ctx.note({ object, before: { value: before }, after: { value: after }, customerId: owner })
  return null
})

/** [§8] Which name is taken, and in which language. */
const taken = (body: { nameZh: string; nameEn: string }) =>
  whenTaken({
    extra_parameters_name_zh: () => refuse(accountRefusals.parameterZhTaken, { name: body.nameZh }, 'nameZh'),
    extra_parameters_name_en: () => refuse(accountRefusals.parameterEnTaken, { name: body.nameEn }, 'nameEn'),
  })

function refuseDeclared(body: { nameZh: string; nameEn: string }): void {
  if (isDeclaredName(body.nameZh)) refuse(accountRefusals.parameterZhTaken, { name: body.nameZh }, 'nameZh')
  if (isDeclaredName(body.nameEn)) refuse(accountRefusals.parameterEnTaken, { name: body.nameEn }, 'nameEn')
}

export const addParameterHandler = handler(addParameter, async (ctx, body) => {
  const owner = ownerOf(ctx)
  refuseDeclared(body)
  const of = owner === null ? isNull(extraParameters.customerId) : eq(extraParameters.customerId, owner)
  const { nameZh, nameEn, description, value } = body
  const bound = {
    table: extraParameters,
    where: of,
    owner,
    max: EXTRA_MAX,
    full: () => refuse(accountRefusals.parameterTooMany, { max: EXTRA_MAX }),
  }
  const [row] = await withinBound(ctx, bound, (tx) =>
    tx
      .insert(extraParameters)
      .values({ customerId: owner, nameZh, nameEn, description, value, updatedBy: ctx.actor.username })
      .returning({ id: extraParameters.id }),
  ).catch(taken(body))
  if (!row) throw new Error('insert returned nothing')
  return { id: row.id }
})

export const modifyParameterHandler = handler(modifyParameter, async (ctx, { id, edition, ...body }) => {
  refuseDeclared(body)
  await edit(ctx, { opened: edition }, (tx) =>
    tx
      .update(extraParameters)
      .set({ ...body, updatedAt: ctx.now(), updatedBy: ctx.actor.username })
      .where(eq(extraParameters.id, id)),
  ).catch(taken(body))
  return null
})

export const deleteParameterHandler = handler(deleteParameter, async (ctx, { id }) => {
  await ctx.db.delete(extraParameters).where(eq(extraParameters.id, id))
  return null
})
