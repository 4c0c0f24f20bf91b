/** Prevents lost updates: an edited row must still be as it was when the edit began [decisions/059]. */

import { eq, type SQL, sql } from 'drizzle-orm'
import { sayIn } from '#infra/say'
import { type EditConflict, NO_EDITION } from '#schema/kit/edition'
import { refuse } from '#schema/kit/refusal'
import { editionRefusals } from '#schema/platform/edition-refusals'
import { checkSeen, type Objects } from './about.ts'
import type { CallContext } from './handler.ts'
import { knowsNamesOf } from './known-name.ts'
import { allPlain, mergedFields, type Part, partsBeside, type Stored } from './stored.ts'

type Tx = Parameters<Parameters<CallContext['db']['transaction']>[0]>[0]
type Values = Readonly<Record<string, unknown>>

const rowText = (columns: readonly unknown[]) =>
  sql`md5(row(${sql.join(
    columns.map((column) => sql`${column}`),
    sql`, `,
  )})::text)`

/**
 * A digest of the edited fields instead of a counter: no writer can forget it, changes by the platform itself (a
 * state, a last run) do not conflict, and neither does a change that was reverted.
 */
export const editionOf = ({ fields, hidden = {} }: Part): SQL<string> =>
  sql<string>`left(${rowText([...Object.values(fields), ...Object.values(hidden)])}, 16)`

/** How much of the log is searched for the user: a conflict is minutes old, not months. */
const LOG_ROWS = 20_000

type Deed = { at: Date; username: string | null; customerId: number | null }

/**
 * The last call that left the part in its current state. The platform itself changes rows, too (a channel whose
 * receiver is gone, memberships of a deleted group), and no user must be named for that.
 */
async function lastDeed(tx: Tx, { of, id, part }: Target, edition: string): Promise<Deed | undefined> {
  const objects = JSON.stringify([{ id: String(id), editions: { [part]: edition } }])
  const [found] = await tx.execute<Omit<Deed, 'at'> & { atMs: number }>(sql`
    select extract(epoch from o.at) * 1000 as "atMs", o.username, o.customer_id as "customerId"
    from (select * from operations order by at desc, id desc limit ${LOG_ROWS}) o
    where o.code = 0 and o.object_kind = ${of.object.name} and o.objects @> ${objects}::text::jsonb
    order by o.at desc, o.id desc limit 1`)
  return found && { ...found, at: new Date(Math.round(Number(found.atMs))) }
}

/** The console formats the time in the viewer's zone; this is for readers of the plain text. */
const momentText = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

type Row = Readonly<{ edition: string; now: Values }> | undefined
type Reader = Pick<CallContext, 'language'> & { actor: CallContext['actor'] | null }

function refuseChanged({ actor, language }: Reader, row: Row, last: Deed | undefined): never {
  const known = last !== undefined && actor !== null && knowsNamesOf(actor, last.customerId)
  const platform = last !== undefined && !known && last.customerId === null
  // A user of another customer, which owned the device before, is not named [decisions/062].
  const deed = known || platform ? last : undefined
  const by = known ? last.username : null
  const say = sayIn(language)
  const who = platform ? say('kit:platformUser') : by
  const changedBy = deed && who ? say('edition:by', { who, at: momentText(deed.at) }) : ''
  const conflict = {
    edition: row?.edition ?? NO_EDITION,
    by,
    platform,
    at: deed?.at ?? null,
    now: row?.now ?? {},
  } satisfies Omit<EditConflict, 'at'> & { at: Date | null }
  refuse(editionRefusals.changedMeanwhile, { changedBy }, undefined, conflict)
}

/** The edited object, if the call's declaration does not define it completely. */
export type Target = {
  of: Stored
  part: string
  id: number | string
  /** Identifies the row, if `id` is not sufficient. */
  where?: SQL
}

type Described = Pick<Target, 'of' | 'part'>
type State = { editions: Record<string, string>; hidden: Record<string, string>; shown: Values }

/** Columns that are read before and after. */
function columnsOf({ of, part }: Described) {
  const parts = partsBeside(of, part)
  const facts = partOf({ of, part }).table === of.table ? of.facts : {}
  const hidden = Object.assign({}, ...Object.values(parts).map((one) => one.hidden ?? {}))
  return {
    editions: Object.fromEntries(Object.entries(parts).map(([name, one]) => [name, editionOf(one)])),
    hidden: Object.fromEntries(
      Object.entries(hidden).map(([name, column]) => [name, sql<string>`${rowText([column])}`]),
    ),
    shown: { ...facts, ...mergedFields(Object.values(parts)) },
  }
}

const partOf = ({ of, part }: Described): Part => {
  const found = of.parts?.[part]
  if (!found) throw new Error(`${of.object.name} has no part ${part}`)
  return found
}

async function readState(tx: Tx, target: Target, where: SQL, lock: boolean): Promise<State | null> {
  const { table, id } = partOf(target)
  const { editions, hidden, shown } = columnsOf(target)
  // A single statement suffices if it reads only the locked row. Otherwise two are needed: the second one sees what the
  // previous holder of the lock has committed in other tables, such as those of groups and receivers.
  const plain = allPlain(Object.values(partsBeside(target.of, target.part)))
  if (lock && !plain) await tx.select({ id }).from(table).where(where).for('no key update')
  const columns = { editions, shown, ...(Object.keys(hidden).length > 0 ? { hidden } : {}) }
  const query = tx.select(columns).from(table).where(where)
  const [found] = await (lock && plain ? query.for('no key update') : query)
  return found ? { hidden: {}, ...(found as Omit<State, 'hidden'>) } : null
}

/** The changed fields for the operation log. Hidden values are redacted. */
function difference(before: State | null, after: State | null): { before: Values; after: Values } | null {
  const changed = (one: 'shown' | 'hidden') =>
    [...new Set([...Object.keys(before?.[one] ?? {}), ...Object.keys(after?.[one] ?? {})])].filter(
      (name) => JSON.stringify(before?.[one][name] ?? null) !== JSON.stringify(after?.[one][name] ?? null),
    )
  const [shown, hidden] = [changed('shown'), changed('hidden')]
  if (shown.length + hidden.length === 0) return null
  const pick = (state: State | null) => ({
    ...Object.fromEntries(shown.map((name) => [name, state?.shown[name] ?? null])),
    ...Object.fromEntries(hidden.map((name) => [name, '***'])),
  })
  return { before: pick(before), after: pick(after) }
}

/** Under the names of this part's bodies, as in the form. */
function nowOf(target: Target, { shown }: State): Values {
  const { fields } = partOf(target)
  const names = new Map(Object.entries(columnsOf(target).shown).map(([name, column]) => [column, name]))
  return Object.fromEntries(
    Object.entries(fields).map(([name, column]) => [name, shown[names.get(column) ?? name] ?? null]),
  )
}

function targetOf({ found }: Pick<CallContext, 'found'>, part: string | undefined): Target {
  const { about } = found
  if (!about || part === undefined) throw new Error('edits what its declaration does not name')
  return { of: about.stored, part, id: about.id }
}

type EditContext = Pick<CallContext, 'db' | 'found' | 'note' | 'call' | 'language'> & {
  actor: CallContext['actor'] | null
}
type Editing = {
  /** The state from which the edit began: the `edition` of the body. */
  opened?: string | undefined
  /** What has to be locked before the row. */
  lock?: (tx: Tx) => Promise<unknown>
  target?: Target
}

/**
 * Edits the call's object in one transaction: locks the row, compares it, lets `work` write, and reports the changes
 * to the operation log. @throws Refusal 310 if the row has changed since `opened`; without `opened` the last one
 * wins. Refusal 5, or that of its kind, if the actor does not see the object any more.
 */
export async function edit<T>(
  ctx: EditContext,
  { opened, lock, target: given }: Editing,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const { about } = ctx.call
  const target = given ?? targetOf(ctx, about?.does === 'edits' ? about.part : undefined)
  const where = target.where ?? eq(partOf(target).id, target.id)
  const done = await ctx.db.transaction(async (tx) => {
    await lock?.(tx)
    const before = await readState(tx, target, where, true)
    // While the call waited for the row, its object may have been given to another customer.
    await checkSeen(tx, ctx)
    const edition = before?.editions[target.part] ?? NO_EDITION
    if (opened !== undefined && edition !== opened) {
      const row = before ? { edition, now: nowOf(target, before) } : undefined
      refuseChanged(ctx, row, await lastDeed(tx, target, edition))
    }
    const result = await work(tx)
    return { result, before, after: await readState(tx, target, where, false) }
  })
  const { before, after } = done
  const names = Object.keys(partsBeside(target.of, target.part))
  const of = (state: State | null, name: string) => state?.editions[name] ?? NO_EDITION
  const changed = names.filter((name) => of(before, name) !== of(after, name))
  const editions = Object.fromEntries(changed.map((name) => [name, of(after, name)]))
  const objects: Objects = [{ id: String(target.id), ...(changed.length > 0 ? { editions } : {}) }]
  ctx.note({ ...difference(before, after), objects })
  return done.result
}
