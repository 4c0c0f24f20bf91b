/**
 * Who gets reports by mail. Users and contacts of the customer are known; any other address is asked first, by a link in
 * one mail, and until it agrees nothing else is sent there.
 */

import { z } from 'zod'
import { finds, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { emailAddress } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { customerObject } from '../people/customer-object.ts'
import { reportSchedulePermission } from './report.ts'
import { reportScheduleObject } from './report-schedule-object.ts'

/**
 * `known`: a user or a contact of the customer. `waiting`: was asked. `unasked`: the link has expired, or the address
 * belonged to a user or contact who is gone.
 */
export const recipientStates = ['known', 'confirmed', 'waiting', 'unasked'] as const
export type RecipientState = (typeof recipientStates)[number]
export const mayReceive = (state: RecipientState) => state === 'known' || state === 'confirmed'

/** Somebody outside does not read their mail at once. */
export const RECIPIENT_LINK_DAYS = 7
/** Of one customer to one address. */
export const ASK_AGAIN_MINUTES = 60
/** To one address within an hour, whoever asks. */
export const ASKED_PER_HOUR = 5

export const askRecipient = call({
  path: '/api/report/askRecipient',
  permission: reportSchedulePermission,
  writes: true,
  about: uses(reportScheduleObject, 'id'),
  summary: 'Sends a recipient of a scheduled report who has not confirmed yet the link once more.',
  body: z.object({ id: rowId.describe('of the scheduled report'), email: emailAddress }),
})

export const confirmRecipient = call({
  path: '/api/report/confirmRecipient',
  permission: 'none',
  writes: true,
  about: finds(customerObject),
  summary: 'Agrees to get reports. Needs no login: the link proves whose address it is. It works once.',
  body: z.object({ token: z.string().max(100) }),
  reply: z.object({
    email: z.string(),
    customerName: z.string().nullable().describe('null: of the platform'),
  }),
})

/** Where the link leads; the token stands behind `#`, which no server and no log ever sees. */
export const CONFIRM_RECIPIENT_PATH = '/confirm-recipient'
