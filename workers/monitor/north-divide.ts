/**
 * Divides a batch whose content its target refuses, until what it refuses is alone. That is passed over if the target
 * takes other messages of the batch. A target that takes none of them may be set up wrongly: then everything waits.
 */
import { NorthFailure } from './north-send.ts'

/** Content that is refused: neither the way to the target, nor the login, nor its load. */
const CONTENT: ReadonlySet<number> = new Set([400, 413, 415, 422])
/** A service that fails at a value often says no more than this; so does one that is broken for a minute. */
const INTERNAL = 500
/** Attempts in a row after which that is believed to be the content: more than a minute. */
const PATIENCE = 4
/** Of Kafka: one message, or all of a partition together. */
const TOO_LARGE: ReadonlySet<string> = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'])
/** Refusals without anything that was taken: a target that refuses everything is not asked for each message. */
const REFUSALS_MAX = 64
/** Then what is done so far is saved: the lease of a target must not run out. */
const DIVIDE_MS = 20_000

/** @param failures attempts in a row that have failed before this one */
export function isAboutContent({ status, cause }: NorthFailure, failures: number): boolean {
  if (status !== null) return CONTENT.has(status) || (status === INTERNAL && failures >= PATIENCE)
  const type = (cause as { type?: unknown } | undefined)?.type
  return typeof type === 'string' && TOO_LARGE.has(type)
}

export type Divided<M> = {
  /** Messages from the first one on that are done with; fewer than there were if there was no more time. */
  done: number
  taken: number
  refused: { message: M; failure: NorthFailure }[]
}

/**
 * Sends the messages in their order, in as few parts as the target takes them in.
 *
 * @throws NorthFailure if it fails for another reason than the content, or takes nothing at all: then all are sent again
 */
export async function sendDivided<M>(
  messages: readonly M[],
  send: (part: M[]) => Promise<void>,
  failures: number,
): Promise<Divided<M>> {
  const until = performance.now() + DIVIDE_MS
  const result: Divided<M> = { done: 0, taken: 0, refused: [] }
  let refusals = 0
  const sendPart = async (part: M[]): Promise<void> => {
    const [message] = part
    if (message === undefined || (result.taken > 0 && performance.now() > until)) return
    try {
      await send(part)
      result.taken += part.length
      result.done += part.length
    } catch (failure) {
      if (!(failure instanceof NorthFailure) || !isAboutContent(failure, failures)) throw failure
      refusals++
      if (result.taken === 0 && refusals >= REFUSALS_MAX) throw failure
      if (part.length === 1) {
        result.refused.push({ message, failure })
        result.done++
        return
      }
      const middle = part.length >> 1
      await sendPart(part.slice(0, middle))
      await sendPart(part.slice(middle))
    }
  }
  await sendPart([...messages])
  const [first] = result.refused
  if (result.taken === 0 && first) throw first.failure
  return result
}
