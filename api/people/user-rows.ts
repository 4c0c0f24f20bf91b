/** Storing users: the unique indexes decide about duplicates. */

import { and, eq, ne, sql } from 'drizzle-orm'
import type { Context } from '#infra/context'
import { refuse } from '#schema/kit/refusal'
import { peopleRefusals } from '#schema/people/people-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { images } from '#schema/tables/customer'
import { groups } from '#schema/tables/group'
import { projects } from '#schema/tables/project'
import { savedViews } from '#schema/tables/saved-view'
import { userGroups } from '#schema/tables/user'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'
import { whenTaken } from '../kit/unique-violation.ts'

export type Transaction = Parameters<Parameters<Context['db']['transaction']>[0]>[0]

type Unique = { username?: string | undefined; email?: string | undefined; tel?: string | undefined }

/** [§8 Duplicates] user, email, phone. */
export const takenUser = (of: Unique, usernameField = 'username') =>
  whenTaken({
    users_username: () => refuse(peopleRefusals.userTaken, { name: of.username ?? '' }, usernameField),
    users_email: () => refuse(peopleRefusals.emailTaken, { email: of.email ?? '' }, 'email'),
    users_tel: () => refuse(peopleRefusals.phoneTaken, { phone: of.tel ?? '' }, 'tel'),
  })

export async function putGroups(tx: Transaction, userId: number, groupIds: readonly number[]): Promise<void> {
  await tx.delete(userGroups).where(eq(userGroups.userId, userId))
  if (groupIds.length > 0)
    await tx.insert(userGroups).values(groupIds.map((groupId) => ({ userId, groupId })))
}

/** A user who moved to another customer (null: the platform) is not responsible for what the former one has, and shows it nothing. */
export async function leaveOthers(tx: Transaction, userId: number, customerId: number | null): Promise<void> {
  // Platform users may be responsible for groups and projects of any customer.
  if (customerId !== null) {
    await tx
      .update(groups)
      .set({ ownerId: null })
      .where(and(eq(groups.ownerId, userId), ne(groups.customerId, customerId)))
    await tx
      .update(projects)
      .set({ userId: null })
      .where(and(eq(projects.userId, userId), ne(projects.customerId, customerId)))
  }
  await tx
    .update(savedViews)
    .set({ customerId, shared: false })
    .where(
      and(eq(savedViews.userId, userId), sql`${savedViews.customerId} is distinct from ${customerId}::int`),
    )
}

/** Assigns an uploaded image to a customer (null: the platform). @throws Refusal 5 unless the actor sees it. */
export async function adoptImage(
  tx: Transaction,
  actor: CallContext['actor'],
  imageId: string | undefined,
  customerId: number | null,
): Promise<string | null> {
  if (imageId === undefined) return null
  const [found] = await tx
    .update(images)
    .set({ customerId })
    .where(and(visible(actor).images, eq(images.id, imageId)))
    .returning({ id: images.id })
  return found?.id ?? refuse(sessionRefusals.noPermission)
}
