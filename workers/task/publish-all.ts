import type { Outgoing } from '../inbox/batch-state.ts'
import type { WorkerContext } from '../kit/processor.ts'

const AT_ONCE = 100

/**
 * Publishes with bounded concurrency; returns the indexes of the messages that the broker accepted. A
 * rejected message is not an error here: the rows record what has to be sent again.
 */
export async function publishAll(
  ctx: Pick<WorkerContext, 'line' | 'log'>,
  messages: readonly Outgoing[],
): Promise<Set<number>> {
  const taken = new Set<number>()
  let next = 0
  let failed: unknown = null
  const speak = async () => {
    while (next < messages.length) {
      const index = next++
      const message = messages[index]
      if (!message) return
      try {
        await ctx.line.publish(message.sn, message.message, message.payload)
        taken.add(index)
      } catch (error) {
        failed = error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, messages.length) }, speak))
  if (taken.size < messages.length)
    ctx.log.warn(
      { err: failed, count: messages.length - taken.size },
      'the broker did not take messages to devices',
    )
  return taken
}
