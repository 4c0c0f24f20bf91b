/** The broker saw that a condition of a variable began or ended: evaluated at once, instead of with the next round. */
import type { Context } from '#infra/context'
import { evaluateAlarms } from '#schema/alarm/alarm-rule'
import { TRUTHS_CHANNEL } from '#schema/monitor/variable-condition'

/** A round is over the whole fleet: under a storm of changes there is one in this time. */
const GAP_MS = 500

export async function wakeAlarms({
  sql,
  queue,
  log,
}: Pick<Context, 'sql' | 'queue' | 'log'>): Promise<{ close(): Promise<void> }> {
  let lastAt = Number.NEGATIVE_INFINITY
  let waiting: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    waiting = undefined
    lastAt = performance.now()
    queue
      .add(evaluateAlarms, {})
      .catch((error: unknown) => log.warn({ err: error }, 'alarms wait for the round'))
  }
  const listening = await sql.listen(TRUTHS_CHANNEL, () => {
    waiting ??= setTimeout(run, Math.max(0, lastAt + GAP_MS - performance.now()))
  })
  return {
    close: async () => {
      clearTimeout(waiting)
      await listening.unlisten()
    },
  }
}
