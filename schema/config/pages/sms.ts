/**
 * Who may control the device by SMS, and what they may ask for. Stock OpenWrt has nothing of the kind: our agent reads
 * its package `sms`.
 */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { flag, list, number, text } from '../bind.ts'
import { rowWhere as at, inRow, type RowBound } from '../bind-rows.ts'
import { configPage, type PageFault } from '../config-page.ts'
import { lineOrNone, rowKey, ruledOrNone } from '../page-fields.ts'
import { firstRepeated } from '../parts/repeated.ts'

/** What a sender may ask for. */
const smsRequests = ['status', 'reboot', 'switchSim', 'setRelay'] as const

const row = z.object({
  ...rowKey,
  name: lineOrNone(32),
  // [§5 SMS] With the country code.
  number: field(ruledOrNone('internationalPhone', 16), { needed: true }),
  may: z.array(z.enum(smsRequests)).max(smsRequests.length).default(['status']),
})

const body = z.object({
  enabled: z.boolean().default(false),
  answers: field(z.boolean().default(true), { when: { enabled: [true] } }),
  perHour: field(z.int().min(1).max(100).default(10), { when: { enabled: [true] } }),
  senders: field(z.array(row).max(32).default([]), { when: { enabled: [true] } }),
})

const control = { package: 'sms', type: 'sms', name: 'control' } as const
const isRequest = (one: string) => (smsRequests as readonly string[]).includes(one)
const may: RowBound = (() => {
  const plain = inRow(list(at, 'may'))
  return { ...plain, get: (found) => (plain.get(found) as string[]).filter(isRequest) }
})()

const bounds = () => ({
  enabled: flag(control, 'enabled'),
  answers: flag(control, 'answer', true),
  perHour: number(control, 'per_hour', 10),
  senders: {
    package: 'sms',
    type: 'sender',
    fields: { name: inRow(text(at, 'name')), number: inRow(text(at, 'number')), may },
  },
})

const faultsOf = ({ enabled, senders }: z.output<typeof body>): PageFault[] => [
  // Without a whitelist anyone who knows the number could reboot the device.
  ...(enabled && senders.length === 0 ? [{ path: 'senders', text: 'sms:fault.noSenders' } as const] : []),
  ...firstRepeated(senders, 'senders', 'number', 'sms:fault.numberTaken'),
]

export const sms = configPage({
  name: 'sms',
  group: 'system',
  place: 540,
  icon: 'message',
  packages: ['sms'],
  carriedBy: 'agent',
  needs: ['sms'],
  trial: 'none',
  body,
  bounds,
  check: faultsOf,
})
