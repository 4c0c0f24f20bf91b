import { deliverNotices } from '#schema/alarm/alarm-channel'
import { evaluateAlarms } from '#schema/alarm/alarm-rule'
import { sendMails } from '#schema/platform/mail'
import { processor } from '../kit/processor.ts'
import { judgeAlarms } from './alarm-judge.ts'
import { gatherOutages } from './alarm-outage.ts'
import { writeDueNotices } from './due-notices.ts'

/** One transaction, so that alarms, notices and mails are consistent. */
export const evaluateAlarmsJob = processor(evaluateAlarms, async (ctx) => {
  const at = ctx.now()
  const done = await ctx.sql.begin(async (tx) => {
    const judged = await judgeAlarms(tx, at, ctx.parameters)
    if (!judged) return null
    const outages = await gatherOutages(tx, at)
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
})
