/** Whose names the actor may read [decisions/062]: the platform all, a customer those of its own users. */
import { type AnyColumn, eq, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import { PLATFORM_NAME } from '#schema/kit/known-name'
import { isPlatformType } from '#schema/people/session'
import { formerUsers, users } from '#schema/tables/user'
import type { Actor } from './actor.ts'

/** `customerId` of the named user; null: of the platform. */
export const knowsNamesOf = (actor: Actor, customerId: number | null): boolean =>
  isPlatformType(actor.type) || (customerId !== null && customerId === actor.customerId)

/** Joined users, with any alias; or a table that stores names beside their customers. */
type Named = { username: AnyColumn; customerId: AnyColumn }

/** True for users whose names the actor may read; undefined: all. */
const known = (actor: Actor, { customerId }: Named): SQL | undefined =>
  isPlatformType(actor.type) ? undefined : eq(customerId, actor.customerId ?? 0)

const shownName = (actor: Actor, named: Named): SQL<string | null> => {
  const mine = known(actor, named)
  if (mine === undefined) return sql<string | null>`${named.username}`
  return sql<string | null>`case when ${mine} then ${named.username}
    when ${named.customerId} is null and ${named.username} is not null then ${PLATFORM_NAME} end`
}

/**
 * The name, or for platform users a mark that the console translates, or null for others (a user of another customer,
 * which owned the device before). Null if no user is joined.
 * @param id of the user, where they are named for what they have done: found after they were deleted, too
 */
export function knownName(actor: Actor, named: Named = users, id?: SQLWrapper): SQL<string | null> {
  const shown = shownName(actor, named)
  return id === undefined ? shown : sql<string | null>`coalesce(${shown}, ${formerName(actor, id)})`
}

/** The name of a deleted user, by the same rules; null: none was deleted. */
const formerName = (actor: Actor, id: SQLWrapper) =>
  sql`(select ${shownName(actor, formerUsers)} from ${formerUsers} where ${formerUsers.id} = ${id})`

const foundName = (actor: Actor, named: Named): SQL => {
  const mine = known(actor, named)
  return mine === undefined ? sql`${named.username}` : sql`case when ${mine} then ${named.username} end`
}

/**
 * The name for searching: a search finds what a list shows, deleted users too, and must not reveal more.
 * @param id of the user, as for `knownName`
 */
export const searchedName = (actor: Actor, named: Named, id: SQLWrapper): SQL =>
  sql`coalesce(${foundName(actor, named)}, (select ${foundName(actor, formerUsers)} from ${formerUsers} where ${formerUsers.id} = ${id}))`

/**
 * A name stored as text: its customer is looked up among the users, deleted ones included.
 */
export function keptName(actor: Actor, text: SQL): SQL<string | null> {
  if (isPlatformType(actor.type)) return sql<string | null>`${text}`
  const among = (table: string) =>
    sql`exists (select 1 from ${sql.identifier(table)} k where k.username = ${text} and k.customer_id = ${actor.customerId}::int)`
  return sql<
    string | null
  >`case when ${text} is null or ${among('users')} or ${among('former_users')} then ${text} else ${PLATFORM_NAME} end`
}
