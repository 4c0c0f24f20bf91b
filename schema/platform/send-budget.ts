/**
 * Outgoing messages are counted for each customer and purpose, so that reports never use up the budget of alarms, and
 * the platform cannot be used to flood an address. A budget is also a rate limit: it refills continuously within an
 * hour.
 */
import { z } from 'zod'
import { call } from '../kit/call.ts'
import { instant } from '../kit/time.ts'
import type { ParameterKey } from './parameter-list.ts'

/** `notice` is everything sent on a channel: webhooks, robots, SMS. */
export const sendPurposes = ['alarm', 'notice', 'report', 'confirmation', 'channelTest'] as const
export type SendPurpose = (typeof sendPurposes)[number]
/** The purposes that are mail. */
export const mailPurposes = ['alarm', 'report', 'confirmation'] as const satisfies readonly SendPurpose[]
export type MailPurpose = (typeof mailPurposes)[number]

/** The parameter with the size of each budget per hour. */
export const budgetParameters = {
  alarm: 'alarmMailsPerHour',
  notice: 'channelNoticesPerHour',
  report: 'reportMailsPerHour',
  confirmation: 'confirmationMailsPerHour',
  channelTest: 'channelTestsPerHour',
} as const satisfies Record<SendPurpose, ParameterKey>

export const getSpentBudgets = call({
  path: '/api/mail/getSpentBudgets',
  permission: 'login',
  summary: 'Exhausted budgets, with the number of delayed messages and until when. Usually empty.',
  reply: z.object({
    list: z.array(
      z.object({
        customerId: z.number().nullable().describe('null: the platform’s own'),
        customerName: z.string().nullable(),
        purpose: z.enum(sendPurposes),
        perHour: z.number(),
        goesOnAt: instant,
      }),
    ),
  }),
})
