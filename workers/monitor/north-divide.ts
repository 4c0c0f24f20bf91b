/**
 * Divides a batch whose content its target refuses, until what it refuses is alone. That is passed over if the target
 * takes other messages, of the batch or from elsewhere. A target that takes none may be set up wrongly: then everything waits.
 */
import { ConnectionClosed } from '#infra/monitor/outbound-mqtt'
import { NorthFailure } from './north-send.ts'

/** Content that is refused: neither the way to the target, nor the login, nor its load. */
const CONTENT: ReadonlySet<number> = new Set([400, 413, 415, 422])
/** The last attempt ended so: the target may take few requests a minute. */
const CAUTION: ReadonlySet<number> = new Set([...CONTENT, 429])
/** A service that fails at a value often says no more than this; so does one that is broken for a minute. */
const INTERNAL = 500
/**
 * Attempts in a row after which that is believed to be the content: between the last two of them were five minutes. What
 * failed otherwise before does not count: a service that has just come back may say it to a few requests. As many failures
 * of any kind make a broker's closing the connection a refusal.
 */
const PATIENCE = 4
/** A connection that breaks at a message may do so by chance: one that is alone is sent so often before it counts as refused. */
const CLOSED_TRIES = 3
/** Of Kafka: one message, or all of a partition together. */
const TOO_LARGE: ReadonlySet<string> = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'])
/** Refusals without anything that was taken: a target that refuses everything is not asked for each message. */
const REFUSALS_MAX = 64
/** Then what is done so far is saved, or others are tried: the lease of a target must not run out. */
const DIVIDE_MS = 15_000
/** How long messages from elsewhere are tried, each alone. */
const OTHERS_MS = 10_000

/** `failures`: attempts in a row that have failed; `faultStatus`: of the last one. */
export type Before = { failures: number; faultStatus: number | null }

export function isAboutContent({ status, cause }: NorthFailure, before: Before): boolean {
  if (status === INTERNAL) return before.faultStatus === INTERNAL && before.failures >= PATIENCE
  if (status !== null) return CONTENT.has(status)
  if (cause instanceof ConnectionClosed) return before.failures >= PATIENCE
  const type = (cause as { type?: unknown } | undefined)?.type
  return typeof type === 'string' && TOO_LARGE.has(type)
}

export type Divided<M> = {
  /** Messages from the first one on that are done with; fewer than there were if there was no more time, or it failed then. */
  done: number
  taken: number
  refused: { message: M; failure: NorthFailure }[]
}

/**
 * Sends the messages in their order, in as few parts as the target takes them in. What it took before it failed for another
 * reason than the content is done with: one that takes a few requests a minute would never get beyond the same ones. After one
 * that failed so, the first message goes alone: the halves of a batch would be all that such a target is asked with.
 *
 * @param takesOthers the target has taken a message from elsewhere just now: then each one that it refuses is passed over
 * @throws NorthFailure if it takes nothing at all: then all are sent again
 */
export async function sendDivided<M>(
  messages: readonly M[],
  send: (part: M[]) => Promise<void>,
  before: Before,
  takesOthers = false,
): Promise<Divided<M>> {
  const until = performance.now() + DIVIDE_MS
  const result: Divided<M> = { done: 0, taken: 0, refused: [] }
  let refusals = 0
  let hasFailed = false
  const isOver = () => hasFailed || (isProven() && result.done > 0 && performance.now() > until)
  const isProven = () => takesOthers || result.taken > 0
  const sendWell = async (part: M[], tries = 1): Promise<void> => {
    try {
      await send(part)
    } catch (failure) {
      const isClosed = failure instanceof NorthFailure && failure.cause instanceof ConnectionClosed
      if (part.length > 1 || tries === CLOSED_TRIES || !isClosed || !isAboutContent(failure, before))
        throw failure
      await sendWell(part, tries + 1)
    }
  }
  const sendPart = async (part: M[]): Promise<void> => {
    const [message] = part
    if (message === undefined || isOver()) return
    try {
      await sendWell(part)
      result.taken += part.length
      result.done += part.length
    } catch (failure) {
      if (!(failure instanceof NorthFailure)) throw failure
      if (!isAboutContent(failure, before)) {
        if (!isProven() || result.done === 0) throw failure
        hasFailed = true
        return
      }
      refusals++
      if (!isProven() && (refusals >= REFUSALS_MAX || performance.now() > until)) throw failure
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
  const alone = before.faultStatus !== null && CAUTION.has(before.faultStatus) ? 1 : 0
  await sendPart(messages.slice(0, alone))
  await sendPart(messages.slice(alone))
  const [first] = result.refused
  if (!isProven() && first) throw first.failure
  return result
}

/**
 * Whether the target takes one of these, each sent alone: from elsewhere, if it takes nothing of a batch. One that arrives so
 * arrives again when its turn comes.
 */
export async function takesOne<M>(
  others: readonly M[],
  send: (part: M[]) => Promise<void>,
): Promise<boolean> {
  const until = performance.now() + OTHERS_MS
  for (const other of others) {
    if (performance.now() > until) return false
    try {
      await send([other])
      return true
    } catch (failure) {
      if (!(failure instanceof NorthFailure)) throw failure
      // For any other reason the next one would fail, too.
      if (!isAboutContent(failure, { failures: PATIENCE, faultStatus: INTERNAL })) return false
    }
  }
  return false
}
