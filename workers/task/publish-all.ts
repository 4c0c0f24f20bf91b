import type { Told } from '../inbox/batch-state.ts'
import type { WorkerContext } from '../kit/processor.ts'

const AT_ONCE = 100

/**
 * Publishes with bounded concurrency; returns the indexes of the messages that the broker accepted. A
 * rejected message is not an error here: the rows record what has to be sent again.
 */
export async function publishAll(
  ctx: Pick<WorkerContext, 'line' | 'log'>,
  told: readonly Told[],
): Promise<Set<number>> {
  const taken = new Set<number>()
  let next = 0
  let failed: unknown = null
  const speak = async () => {
    while (next < told.length) {
      const index = next++
      const message = told[index]
      if (!message) return
      try {
        await ctx.line.publish(message.sn, message.message, message.payload)
        taken.add(index)
      } catch (error) {
        failed = error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, told.length) }, speak))
  if (taken.size < told.length)
    ctx.log.warn(
      { err: failed, count: told.length - taken.size },
      'the broker did not take messages to devices',
    )
  return taken
}
