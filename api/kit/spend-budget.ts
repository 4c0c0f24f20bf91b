/** Refuses messages beyond a customer's budget, with the waiting time. */

import type { ISql } from 'postgres'
import { budgetWaitMs, type Spender, takeIfLeft } from '#infra/send-budget'
import { refuse } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'
import { budgetParameters } from '#schema/platform/send-budget'
import type { CallContext } from './handler.ts'

type Caller = Pick<CallContext, 'parameters'> & { sql: ISql }

async function refuseWait({ parameters, sql }: Caller, spender: Spender, waitMs: number): Promise<void> {
  if (waitMs === 0) return
  const perHour = await parameters.get(budgetParameters[spender.purpose], spender.customerId, sql)
  refuse(accountRefusals.sendBudgetSpent, { perHour, minutes: Math.ceil(waitMs / 60_000) })
}

/** @throws Refusal 198 if nothing is left. Takes nothing: messages are counted when they are written. */
export async function refuseSpent(ctx: Caller, spender: Spender): Promise<void> {
  await refuseWait(ctx, spender, await budgetWaitMs(ctx.sql, ctx.parameters, spender))
}

/** Takes one. @throws Refusal 198 if nothing is left. */
export async function spendOne(ctx: Caller, spender: Spender): Promise<void> {
  await refuseWait(ctx, spender, await takeIfLeft(ctx.sql, ctx.parameters, spender))
}
