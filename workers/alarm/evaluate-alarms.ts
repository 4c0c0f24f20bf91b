import type { Context } from '#infra/context'
import { deliverNotices } from '#schema/alarm/alarm-channel'
import { evaluateAlarms } from '#schema/alarm/alarm-rule'
import { sendMails } from '#schema/platform/mail'
import { processor } from '../kit/processor.ts'
import { judgeAlarms, judgeTurned } from './alarm-judge.ts'
import { gatherOutages } from './alarm-outage.ts'
import { writeDueNotices } from './due-notices.ts'

type Evaluating = Pick<Context, 'now' | 'sql' | 'env' | 'parameters' | 'log' | 'queue'>

/**
 * Alarms are committed before their notices are written: `notified` of each alarm shows which notices are still due, so
 * those that a crash prevents are written by the next evaluation [decisions/041]. Offline alarms are notified only
 * `withOutages`.
 */
export async function notifyAlarms(ctx: Evaluating, withOutages = false) {
  const result = await ctx.sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(hashtext('alarms'))`
    const at = ctx.now()
    const { outages, alone } = withOutages ? await gatherOutages(tx, at) : { outages: 0, alone: [] }
    const notified = await writeDueNotices(tx, {
      at,
      alone,
      url: ctx.env.PUBLIC_URL,
      parameters: ctx.parameters,
      log: ctx.log,
    })
    return { outages, notified }
  })
  if (result.notified > 0) {
    await ctx.queue.add(sendMails, {})
    await ctx.queue.add(deliverNotices, {})
  }
  return result
}

export const evaluateAlarmsJob = processor(evaluateAlarms, async (ctx) => {
  const judged = await ctx.sql.begin((tx) => judgeAlarms(tx, ctx.now, ctx.parameters))
  return judged && { opened: judged.opened, ...(await notifyAlarms(ctx, true)) }
})

/**
 * Evaluates only what the broker has recorded since the last time: a few milliseconds, however large the fleet is. Null
 * if there is nothing. `notifyAlarms` writes the notices.
 */
export const evaluateTurned = (ctx: Evaluating) => ctx.sql.begin((tx) => judgeTurned(tx, ctx.now))
