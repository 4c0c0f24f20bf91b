/** Whose names the actor may read [decisions/062]: everybody's to the platform, to a customer those of its own users. */
import { type AnyColumn, eq, type SQL, sql } from 'drizzle-orm'
import { PLATFORM_NAME } from '#schema/kit/known-name'
import { isPlatformType } from '#schema/people/session'
import { users } from '#schema/tables/user'
import type { Actor } from './actor.ts'

/** `customerId` of the user who is named; null: of the platform. */
export const knowsNamesOf = (actor: Actor, customerId: number | null): boolean =>
  isPlatformType(actor.type) || (customerId !== null && customerId === actor.customerId)

/** Joined users, by whatever alias; or a table that keeps names beside their customers. */
type Named = { username: AnyColumn; customerId: AnyColumn }

/** Holds of users whose names the actor may read; undefined: of all. */
const known = (actor: Actor, { customerId }: Named): SQL | undefined =>
  isPlatformType(actor.type) ? undefined : eq(customerId, actor.customerId ?? 0)

/**
 * The name, or for platform users a mark that the console words, or null for anybody else (another customer's user,
 * who had the device before). Where no user is joined it is null for everybody.
 */
export function knownName(actor: Actor, named: Named = users): SQL<string | null> {
  const mine = known(actor, named)
  if (mine === undefined) return sql<string | null>`${named.username}`
  return sql<string | null>`case when ${mine} then ${named.username}
    when ${named.customerId} is null and ${named.username} is not null then ${PLATFORM_NAME} end`
}

/** The name to look through: a search must not tell what a list does not. */
export function searchedName(actor: Actor, named: Named = users): SQL {
  const mine = known(actor, named)
  return mine === undefined ? sql`${named.username}` : sql`case when ${mine} then ${named.username} end`
}

/** A name that was kept as a text: of whom it is, the users tell. One whose user is gone is told to the platform only. */
export function keptName(actor: Actor, text: SQL): SQL<string | null> {
  if (isPlatformType(actor.type)) return sql<string | null>`${text}`
  return sql<string | null>`case when ${text} is null or exists (select 1 from users k
    where k.username = ${text} and k.customer_id = ${actor.customerId}::int) then ${text} else ${PLATFORM_NAME} end`
}
