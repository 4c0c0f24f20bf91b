/** The broker has recorded that conditions of variables became true or false: these are evaluated immediately. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#infra/context'
import { TRUTHS_CHANNEL } from '#schema/monitor/notice/variable-condition'
import { evaluateTurned, notifyAlarms } from './evaluate-alarms.ts'

/** During a storm of changes we pause at least this long, and a third of the duration of the last evaluation. */
const REST_MS = 10
/**
 * Notices are written immediately, but during a storm not after each evaluation: they would delay the records of the
 * next alarms.
 */
const NOTIFY_EVERY_MS = 250

export async function wakeAlarms(ctx: Context): Promise<{ close(): Promise<void> }> {
  let asked = false
  let closed = false
  let running: Promise<void> | null = null
  let hasNew = false
  let notifying: Promise<void> | null = null
  async function notify(): Promise<void> {
    while (hasNew && !closed) {
      hasNew = false
      await notifyAlarms(ctx).catch((error: unknown) =>
        ctx.log.warn({ err: error }, 'notices wait for the round'),
      )
      await sleep(NOTIFY_EVERY_MS)
    }
    notifying = null
  }
  async function run(): Promise<void> {
    while (asked && !closed) {
      asked = false
      const began = performance.now()
      const judged = await evaluateTurned(ctx).catch((error: unknown) => {
        ctx.log.warn({ err: error }, 'changes of variables wait for the round')
        return null
      })
      hasNew ||= judged !== null
      if (hasNew) notifying ??= notify()
      await sleep(Math.max(REST_MS, (performance.now() - began) / 3))
    }
    running = null
  }
  const listening = await ctx.sql.listen(TRUTHS_CHANNEL, () => {
    asked = true
    running ??= run()
  })
  return {
    close: async () => {
      closed = true
      await listening.unlisten()
      await Promise.all([running, notifying])
    },
  }
}
