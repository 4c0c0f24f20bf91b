/** Nobody's edit is lost: a row that is edited must still be as it was when the edit began [decisions/059]. */

import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { sayIn } from '#infra/say'
import type { Call } from '#schema/kit/call'
import { type EditConflict, NO_EDITION } from '#schema/kit/edition'
import { refuse } from '#schema/kit/refusal'
import { editionRefusals } from '#schema/platform/edition-refusals'
import type { CallContext } from './handler.ts'
import { knowsNamesOf } from './known-name.ts'
import { isBorneOut, LISTED_MAX } from './provable.ts'

type Fields = Readonly<Record<string, PgColumn | SQL>>
export type Editable = {
  table: PgTable
  id: PgColumn
  /** What edits change, by the names that their bodies have. */
  fields: Fields
  /** What they change and nobody is shown: sealed passwords. */
  hidden?: readonly PgColumn[]
  /** Those of them that a call sets just as its body says; absent: all. By them it is told whose doing the row is. */
  told?: readonly string[]
  /** The calls that change it, and the body field by which their log rows name the row; absent: `logged` says it. */
  calls: readonly Call[]
  key?: string
  /** The calls by which a user changes the row that is his own. */
  own?: readonly Call[]
  /** The call that changes many of them at once, and the body field that lists their ids. */
  listed?: { call: Call; key: string }
}

type Queries = Pick<CallContext['db'], 'select' | 'execute'>

/**
 * The digest of what is edited rather than a counter: no writer can forget it, what the platform itself writes into
 * the row (a state, a last run) is no conflict, and what was changed and changed back is none either.
 */
export const editionOf = ({ fields, hidden = [] }: Editable): SQL<string> =>
  sql<string>`left(md5(row(${sql.join(
    [...Object.values(fields), ...hidden].map((column) => sql`${column}`),
    sql`, `,
  )})::text), 16)`

/** How far back the log is looked through for who it was: a conflict is minutes old, not months. */
const LOG_ROWS = 20_000

type Deed = {
  at: Date
  username: string | null
  customerId: number | null
  body: Readonly<Record<string, unknown>> | null
  /** The log names the row. Of a long list only the beginning is kept: then it may have been this call, or not. */
  sure: boolean
}

/** The last writing call that names the row. `logged` says more of its log rows, where the key alone does not. */
async function lastDeed(
  tx: Queries,
  { calls, key, own = [], listed }: Editable,
  id: number | string,
  logged: SQL | undefined,
): Promise<Deed | undefined> {
  const names = (of: readonly Call[]) => sql.param(of.map(({ name }) => name))
  const ids = sql`o.body -> ${listed?.key ?? ''}::text`
  const among = sql`coalesce(${ids} @> ${JSON.stringify(id)}::text::jsonb, false)`
  const cut = sql`case jsonb_typeof(${ids}) when 'array' then jsonb_array_length(${ids}) >= ${LISTED_MAX} else true end`
  const [found] = await tx.execute<Omit<Deed, 'at'> & { atMs: number }>(sql`
    select extract(epoch from o.at) * 1000 as "atMs", o.username, o.customer_id as "customerId", o.body,
      (o.call <> ${listed?.call.name ?? ''} or ${among}) as sure
    from (select * from operations order by at desc, id desc limit ${LOG_ROWS}) o
    where o.code = 0 and ${logged ?? sql`true`} and (
      (o.call = any(${names(calls)}::text[]) and ${key === undefined ? sql`true` : sql`o.body ->> ${key} = ${String(id)}`})
      or (o.call = any(${names(own)}::text[]) and o.user_id::text = ${String(id)})
      or (o.call = ${listed?.call.name ?? ''} and (${among} or ${cut})))
    order by o.at desc, o.id desc limit 1`)
  return found && { ...found, at: new Date(Math.round(Number(found.atMs))) }
}

/** The console words the moment itself, in the viewer's zone; this is for whoever reads the text alone. */
const momentText = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`

type Row = Readonly<{ edition: string; now: Readonly<Record<string, unknown>> }> | undefined

async function refuseChanged(ctx: CallContext, row: Row, last: Deed | undefined): Promise<never> {
  const known = last !== undefined && knowsNamesOf(ctx.actor, last.customerId)
  const platform = last !== undefined && !known && last.customerId === null
  // Another customer's user, who had the device before, is nobody here [decisions/062].
  const deed = known || platform ? last : undefined
  const by = known ? last.username : null
  const say = sayIn(ctx.language)
  const who = platform ? say('kit:platformUser') : by
  const told = deed && who ? say('edition:by', { who, at: momentText(deed.at) }) : ''
  const conflict = {
    edition: row?.edition ?? NO_EDITION,
    by,
    platform,
    at: deed?.at ?? null,
    now: row?.now ?? {},
  } satisfies Omit<EditConflict, 'at'> & { at: Date | null }
  refuse(editionRefusals.changedMeanwhile, { told }, undefined, conflict)
}

type Which = {
  id: number | string
  /** Which row, when `id` alone does not say. */
  where?: SQL | undefined
  /** Which of the calls' log rows speak of it, when the key alone does not say. */
  logged?: SQL | undefined
}

/**
 * Within the transaction that writes: locks the row, and compares. Two statements and no race, because the second one
 * sees what the holder of the lock before us has committed, also in the tables of its groups and receivers.
 * @throws Refusal 310 when the row is not as it was at `opened`; without `opened` it does nothing.
 */
export async function holdEdition(
  ctx: CallContext,
  tx: Queries,
  what: Editable,
  which: Which,
  opened: string | undefined,
): Promise<void> {
  if (opened === undefined) return
  const where = which.where ?? eq(what.id, which.id)
  await tx.select({ id: what.id }).from(what.table).where(where).for('no key update')
  const [found] = await tx
    .select({ edition: editionOf(what), ...what.fields })
    .from(what.table)
    .where(where)
  const { edition, ...now } = found ?? {}
  if ((edition ?? NO_EDITION) === opened) return
  const row = edition === undefined ? undefined : { edition: String(edition), now }
  const last = await lastDeed(tx, what, which.id, which.logged)
  // Nobody rather than the wrong one: what it says must be what there is.
  const his = last?.sure === true && (row === undefined || isBorneOut(last.body, now, what.told))
  await refuseChanged(ctx, row, his ? last : undefined)
}
