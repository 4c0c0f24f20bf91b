import type { Context } from '#infra/context'
import { deliverNotices } from '#schema/alarm/alarm-channel'
import { evaluateAlarms } from '#schema/alarm/alarm-rule'
import { sendMails } from '#schema/platform/mail'
import { processor } from '../kit/processor.ts'
import { judgeAlarms } from './alarm-judge.ts'
import { gatherOutages } from './alarm-outage.ts'
import { writeDueNotices } from './due-notices.ts'

type Evaluating = Pick<Context, 'now' | 'sql' | 'env' | 'parameters' | 'log' | 'queue'>

/** One transaction, so that alarms, notices and mails are consistent. */
async function evaluate(ctx: Evaluating, onlyTurned: boolean) {
  const done = await ctx.sql.begin(async (tx) => {
    // A round that is under way is waited for; the time is that of afterwards.
    if (onlyTurned) await tx`select pg_advisory_xact_lock(hashtext('alarms'))`
    const at = ctx.now()
    const judged = await judgeAlarms(tx, at, ctx.parameters, onlyTurned)
    if (!judged) return null
    const outages = onlyTurned ? 0 : await gatherOutages(tx, at)
    const notified = await writeDueNotices(tx, {
      at,
      url: ctx.env.PUBLIC_URL,
      parameters: ctx.parameters,
      log: ctx.log,
    })
    return { ...judged, outages, notified }
  })
  if (done && done.notified > 0) {
    await ctx.queue.add(sendMails, {})
    await ctx.queue.add(deliverNotices, {})
  }
  return done
}

export const evaluateAlarmsJob = processor(evaluateAlarms, (ctx) => evaluate(ctx, false))

/** Only what the broker has recorded since the last time: some milliseconds, however large the fleet is. */
export const evaluateTurned = (ctx: Evaluating) => evaluate(ctx, true)
