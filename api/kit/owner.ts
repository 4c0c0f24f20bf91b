/** Whose a new thing is: a customer's users make things for their customer, platform users say for whom. */

import { and, eq } from 'drizzle-orm'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { customers } from '#schema/tables/customer'
import type { CallContext } from './handler.ts'
import { visible } from './scope.ts'

/** @throws Refusal 5 for a customer that the actor may not see; a platform user must name one. */
export async function ownerOf(
  { db, actor }: Pick<CallContext, 'db' | 'actor'>,
  named: number | undefined,
): Promise<number> {
  const id = named ?? actor.customerId
  if (id === null) refuse(alarmRefusals.customerMissing, {}, 'customerId')
  const [found] = await db
    .select({ id: customers.id })
    .from(customers)
    .where(and(visible(actor).customers, eq(customers.id, id)))
  return found?.id ?? refuse(sessionRefusals.noPermission)
}
