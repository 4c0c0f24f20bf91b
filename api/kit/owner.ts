/** The customer of a new object: that of the user, or the one that a platform user selects. */

import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { refuse } from '#schema/kit/refusal'
import { customerObject } from '#schema/people/customer-object'
import type { CallContext } from './handler.ts'

/** The customer in the body, loaded by `serve()` as the call declares; null: the body has none. */
export function namedCustomer({ found, call }: Pick<CallContext, 'found' | 'call'>): number | null {
  const { about } = call
  const isParent = about?.does === 'makes' || about?.does === 'finds'
  const named = isParent ? about.of : about?.does === 'nothing' ? null : about
  // Otherwise the value in the body would be ignored.
  if (named?.object !== customerObject)
    throw new Error(`${call.name} does not declare the customer that it names`)
  const known = isParent ? found.of : found.about
  return known ? Number(known.id) : null
}

/** @throws Refusal if there is none: a platform user must select it. */
export const ownerOf = (ctx: CallContext): number =>
  namedCustomer(ctx) ?? ctx.actor.customerId ?? refuse(alarmRefusals.customerMissing, {}, 'customerId')
