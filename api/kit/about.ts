/** The object of a call: loaded before its handler runs, and named in the operation log afterwards. */

import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#infra/context'
import { type About, type Named, oneself } from '#schema/kit/about'
import { refuse } from '#schema/kit/refusal'
import { absent } from '#schema/people/session-refusals'
import type { Actor } from './actor.ts'
import { nameSome } from './name-some.ts'
import { visible } from './scope.ts'
import { mergedFields, type RowOf, type Stored } from './stored.ts'

type Body = Readonly<Record<string, unknown>>
export type StoredBook = ReadonlyMap<string, Stored>

export type Found = {
  stored: Stored
  id: number | string
  name: string | null
  customerId: number | null
  deviceId: number | null
  row: unknown
  /** Its fields under the names of the bodies, if it was just created or is about to be deleted. */
  fields: Body | null
}
/** Objects loaded before the handler runs. `of`: what a new object belongs to. */
export type FoundAll = { about: Found | null; of: Found | null }

/** Joined to a dummy table: with a single table Drizzle would drop the table names inside subselects. */
const alone = sql`(select 1) as alone`

const fieldsOf = ({ parts = {}, table, facts = {} }: Stored) => ({
  ...facts,
  ...mergedFields(Object.values(parts).filter((part) => part.table === table)),
})

async function findOne(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  of: Stored,
  where: SQL | undefined,
  fields: ReturnType<typeof fieldsOf> = {},
): Promise<Found | null> {
  const [found] = await db
    .select({
      row: of.row(actor),
      about: {
        id: sql<number | string>`${of.id}`,
        name: sql<string | null>`${of.name}`,
        customerId: sql<number | null>`${of.customerId ?? null}::int`,
        deviceId: sql<number | null>`${of.deviceId ?? null}::int`,
      },
      ...(Object.keys(fields).length > 0 ? { fields } : {}),
    })
    .from(of.table)
    .leftJoin(alone, sql`true`)
    .where(where)
    .limit(1)
  if (!found) return null
  const {
    row,
    about,
    fields: values,
  } = found as Pick<Found, 'row' | 'fields'> & {
    about: Omit<Found, 'row' | 'fields' | 'stored'>
  }
  return { stored: of, ...about, row, fields: values ?? null }
}

const seenBy = (actor: Actor, of: Stored, id: unknown) => and(of.seen(visible(actor), actor), eq(of.id, id))

/** For a call that has waited for a lock. @throws Refusal if the actor does not see the call's object any more. */
export async function checkSeen(
  db: Pick<Context['db'], 'select'>,
  { actor, found: { about } }: { actor: Actor | null; found: FoundAll },
): Promise<void> {
  if (actor === null || about === null) return
  const { stored: of, id } = about
  const [row] = await db
    .select({ id: of.id })
    .from(of.table)
    .leftJoin(alone, sql`true`)
    .where(seenBy(actor, of, id))
  if (!row) refuse(of.missing ?? absent)
}

async function findNamed(
  context: Context,
  actor: Actor,
  stored: StoredBook,
  { object, by, orOneself }: Named,
  body: Body,
  withFields = false,
): Promise<Found | null> {
  const of = stored.get(object.name)
  const given = by === oneself ? undefined : body[by]
  const id = given ?? (by === oneself || orOneself ? actor.userId : null)
  if (!of || id === null) return null
  const found = await findOne(context, actor, of, seenBy(actor, of, id), withFields ? fieldsOf(of) : {})
  return found ?? refuse(of.missing ?? absent)
}

/** @throws Refusal if it does not exist, or the actor may not see it. */
export async function findAbout(
  context: Context,
  actor: Actor | null,
  stored: StoredBook,
  about: About | null,
  body: Body,
): Promise<FoundAll> {
  if (about === null || actor === null || about.does === 'nothing') return { about: null, of: null }
  if (about.does === 'makes' || about.does === 'finds') {
    const of = about.of ? await findNamed(context, actor, stored, about.of, body) : null
    return { about: null, of }
  }
  const found = await findNamed(context, actor, stored, about, body, about.does === 'deletes')
  return { about: found, of: null }
}

/** The object that a call has just created; visibility is not checked, because the actor created it. */
export async function findMade(
  context: Context,
  actor: Actor,
  stored: StoredBook,
  about: About | null,
  reply: unknown,
): Promise<Found | null> {
  if (about?.does !== 'makes' || about.by === undefined) return null
  const of = stored.get(about.object.name)
  const id = ((reply ?? {}) as Body)[about.by]
  return of ? await findOne(context, actor, of, eq(of.id, id), fieldsOf(of)) : null
}

/** The row of the call's object, or of what a new object belongs to. @throws if the call does not declare it. */
export function rowOf<S extends Stored>(ctx: { found: FoundAll }, of: S): RowOf<S> {
  const found = [ctx.found.about, ctx.found.of].find((one) => one?.stored === (of as unknown))
  if (!found) throw new Error(`the call is not declared to be about ${of.object.name}`)
  return found.row as RowOf<S>
}

export type Described = {
  id: number | string
  name: string
  customerId?: number | null
  editions?: Readonly<Record<string, string>>
}
export type Objects = readonly { id: string; editions?: Readonly<Record<string, string>> }[]

/** For calls that are declared to find their objects: reports them to the operation log. */
export function tell(
  ctx: { note(change: { object: string; objects: Objects; customerId?: number | null }): void },
  rows: readonly Described[],
): void {
  const owners = new Set(rows.map(({ customerId }) => customerId))
  const [owner] = owners
  ctx.note({
    object: nameSome([...new Set(rows.map(({ name }) => name))]),
    objects: rows.map(({ id, editions }) => ({ id: String(id), ...(editions ? { editions } : {}) })),
    ...(owners.size === 1 && owner !== undefined ? { customerId: owner } : {}),
  })
}

const INTEGER_MAX = 2_147_483_647
function idsOf(value: unknown, { id }: Stored): (number | string)[] {
  const values = (Array.isArray(value) ? value : [value]).filter((one) => one !== '' && one != null)
  if (id.dataType === 'string') return values.filter((one) => typeof one === 'string')
  return values.map(Number).filter((one) => Number.isInteger(one) && one > 0 && one <= INTEGER_MAX)
}

/** How many ids of a list are looked up; of more only the number is logged. */
const LOOKED_FOR = 50

export type Tried = { kind?: string; object?: string; objects?: Objects; customerId?: number | null }

async function nameTried(
  context: Context,
  actor: Actor,
  of: Stored | undefined,
  value: unknown,
): Promise<Tried> {
  const ids = of ? idsOf(value, of) : []
  if (!of || ids.length === 0) return {}
  const walls = visible(actor)
  const seen = of.nameable ? of.nameable(walls) : of.seen(walls, actor)
  const [found] = await context.db
    .select({
      id: sql<number | string>`${of.id}`,
      name: sql<string | null>`${of.name}`,
      customerId: sql<number | null>`${of.customerId ?? null}::int`,
    })
    .from(of.table)
    .leftJoin(alone, sql`true`)
    .where(and(inArray(of.id, ids.slice(0, LOOKED_FOR)), seen))
    .orderBy(of.id)
    .limit(1)
  const id = `#${found?.id ?? ids[0]}`
  const one = found?.name ? `${found.name} (${id})` : id
  return {
    kind: of.object.name,
    object: ids.length > 1 ? `${one} +${ids.length - 1}` : one,
    objects: ids.map((one) => ({ id: String(one) })),
    // A customer can see attempts on its own objects.
    ...(found && actor.customerId === null ? { customerId: found.customerId } : {}),
  }
}

/**
 * The object of a call that was refused before anything was loaded: by name if the actor may see it, otherwise only
 * by the id in the body.
 */
export async function findTried(
  context: Context,
  actor: Actor,
  stored: StoredBook,
  about: About | null,
  body: Body,
): Promise<Tried> {
  if (about === null || about.does === 'nothing') return {}
  const of = stored.get(about.object.name)
  const name = (named: Named | undefined) =>
    named && named.by !== oneself
      ? nameTried(context, actor, stored.get(named.object.name), body[named.by])
      : Promise.resolve({})
  if (about.does === 'makes') {
    const given = about.named === undefined ? undefined : body[about.named]
    const isNamed = typeof given === 'string' && given !== ''
    // Only operations of platform users on a customer's objects need that customer.
    const parent = isNamed && actor.customerId !== null ? {} : await name(about.of)
    return isNamed ? { ...parent, kind: about.object.name, object: given, objects: [] } : parent
  }
  const self =
    about.by === oneself ||
    (about.does === 'uses' && about.orOneself === true && body[about.by] === undefined)
  if (self)
    return { kind: about.object.name, object: actor.username, objects: [{ id: String(actor.userId) }] }
  const tried =
    about.by === undefined || about.by === oneself ? {} : await nameTried(context, actor, of, body[about.by])
  return 'object' in tried || about.does !== 'finds' ? tried : name(about.of)
}
