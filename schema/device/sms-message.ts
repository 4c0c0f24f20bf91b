/** Short messages that devices send: written here, sent with the SIM of a device [§4 Messages]. */

import { z } from 'zod'
import { deletes, edits, makes, object, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { because } from '../kit/fault.ts'
import { field } from '../kit/field.ts'
import { listCall, storable } from '../kit/list.ts'
import { refusal } from '../kit/refusal.ts'
import { rowId } from '../kit/row-id.ts'
import { rules } from '../kit/rules.ts'
import { instant } from '../kit/time.ts'
import { deviceSmsPermission } from './commands/sms.ts'
import { deviceObject } from './device-object.ts'

export const smsMessageObject = object('smsMessage')

export const smsStates = ['draft', 'sending', 'sent', 'failed'] as const

export const smsRefusals = {
  smsNotDraft: refusal(236, 'sms-message:refusal.notDraft'),
  smsSending: refusal(237, 'sms-message:refusal.sending'),
}

const fields = {
  number: field(
    z
      .string()
      .trim()
      .max(16)
      .refine(rules.internationalPhone, because({ reason: 'format', shape: 'internationalPhone' })),
    { rule: 'internationalPhone', hint: 'sms-message:hint.number' },
  ),
  // [§5 SMS] At most 1500 bytes, not characters.
  text: field(
    storable(z.string().min(1).max(1500)).refine(
      rules.smsText,
      because({ reason: 'format', shape: 'smsText' }),
    ),
    { input: 'area', rule: 'smsText', hint: 'sms-message:hint.text' },
  ),
}

export const getSmsMessageList = listCall({
  path: '/api/smsMessage/getSmsMessageList',
  permission: deviceSmsPermission,
  summary: 'Short messages of one device, newest first.',
  sorts: ['createdAt'],
  descending: ['createdAt'],
  searches: ['number', 'text'],
  filters: { deviceId: rowId },
  row: z.object({
    id: z.number(),
    number: z.string(),
    text: z.string(),
    parts: z.number().describe('messages of the network that it takes'),
    state: z.enum(smsStates),
    error: z.string().nullable().describe('why it failed'),
    createdAt: instant,
    createdBy: z.string().nullable(),
    sentAt: instant.nullable(),
    edition,
  }),
})

export const addSmsMessage = call({
  path: '/api/smsMessage/addSmsMessage',
  permission: deviceSmsPermission,
  writes: true,
  about: makes(smsMessageObject, { by: 'id', of: { object: deviceObject, by: 'deviceId' } }),
  summary: 'Writes a short message as a draft.',
  body: z.object({ deviceId: rowId, ...fields }),
  reply: z.object({ id: z.number() }),
})

export const modifySmsMessage = call({
  path: '/api/smsMessage/modifySmsMessage',
  permission: deviceSmsPermission,
  writes: true,
  about: edits(smsMessageObject, 'id'),
  summary: 'Changes a draft, or a message that could not be sent.',
  body: z.object({ id: rowId, ...fields, edition: openedEdition }),
})

export const sendSmsMessage = call({
  path: '/api/smsMessage/sendSmsMessage',
  permission: deviceSmsPermission,
  writes: true,
  about: uses(deviceObject, 'deviceId'),
  summary: 'Has the device send a draft, or once more a message that it could not send.',
  body: z.object({ deviceId: rowId, id: rowId }),
  reply: z.object({ commandId: z.string() }),
})

export const deleteSmsMessage = call({
  path: '/api/smsMessage/deleteSmsMessage',
  permission: deviceSmsPermission,
  writes: true,
  about: deletes(smsMessageObject, 'id'),
  summary: 'Deletes a message that is not on its way.',
  body: z.object({ id: rowId }),
})
