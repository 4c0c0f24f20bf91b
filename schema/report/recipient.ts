/**
 * Recipients of reports by mail. Users and contacts of the customer need no confirmation; any other address is asked
 * first, by a link in a single mail, and until it confirms nothing else is sent there.
 */

import { z } from 'zod'
import { finds, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { secret } from '../kit/field.ts'
import { emailAddress } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { customerObject } from '../people/customer-object.ts'
import { reportSchedulePermission } from './report.ts'
import { reportScheduleObject } from './report-schedule-object.ts'

/**
 * `known`: a user or a contact of the customer. `waiting`: asked to confirm. `unasked`: the link has expired, or the
 * address belonged to a user or contact who was deleted.
 */
export const recipientStates = ['known', 'confirmed', 'waiting', 'unasked'] as const
export type RecipientState = (typeof recipientStates)[number]
export const mayReceive = (state: RecipientState) => state === 'known' || state === 'confirmed'

/** External people may not read their mail immediately. */
export const RECIPIENT_LINK_DAYS = 7
/** Between two mails of one customer to one address. */
export const ASK_AGAIN_MINUTES = 60
/** To one address within an hour, from any customer. */
export const ASKED_PER_HOUR = 5

export const askRecipient = call({
  path: '/api/report/askRecipient',
  permission: reportSchedulePermission,
  writes: true,
  about: uses(reportScheduleObject, 'id'),
  summary: 'Resends the confirmation link to a recipient of a scheduled report who has not confirmed yet.',
  body: z.object({ id: rowId.describe('of the scheduled report'), email: emailAddress }),
})

export const confirmRecipient = call({
  path: '/api/report/confirmRecipient',
  permission: 'none',
  writes: true,
  about: finds(customerObject),
  summary: 'Agrees to get reports. Needs no login: the link proves whose address it is. It works once.',
  body: z.object({ token: secret(z.string().max(100)) }),
  reply: z.object({
    email: z.string(),
    customerName: z.string().nullable().describe('null: of the platform'),
  }),
})
