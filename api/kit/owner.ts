/** Whose a new thing is: a customer's users make things for their customer, platform users say for whom. */

import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { refuse } from '#schema/kit/refusal'
import { customerObject } from '#schema/people/customer-object'
import type { CallContext } from './handler.ts'

/** The customer that the body names, found by `serve()` as the call declares; null: the body names none. */
export function namedCustomer({ found, call }: Pick<CallContext, 'found' | 'call'>): number | null {
  const { about } = call
  const isParent = about?.does === 'makes' || about?.does === 'finds'
  const named = isParent ? about.of : about?.does === 'nothing' ? null : about
  // Otherwise what the body says would be ignored.
  if (named?.object !== customerObject)
    throw new Error(`${call.name} does not declare the customer that it names`)
  const known = isParent ? found.of : found.about
  return known ? Number(known.id) : null
}

/** @throws Refusal unless there is one: a platform user must name it. */
export const ownerOf = (ctx: CallContext): number =>
  namedCustomer(ctx) ?? ctx.actor.customerId ?? refuse(alarmRefusals.customerMissing, {}, 'customerId')
