/** Storing users: the unique indexes decide about duplicates. */

import { and, eq, ne } from 'drizzle-orm'
import type { Context } from '#infra/context'
import { refuse } from '#schema/kit/refusal'
import { peopleRefusals } from '#schema/people/people-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { images } from '#schema/tables/customer'
import { groups } from '#schema/tables/group'
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

/** A user who moved to another customer is not responsible for groups of the former one. */
export const leaveGroups = (tx: Transaction, userId: number, customerId: number) =>
  tx
    .update(groups)
    .set({ ownerId: null })
    .where(and(eq(groups.ownerId, userId), ne(groups.customerId, customerId)))

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
