/** Streams of newest values: who may open one, how many, and for how long. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#infra/context'
import { networkOf } from '#schema/kit/address'
import { Refusal, refuse } from '#schema/kit/refusal'
import { watchValues } from '#schema/monitor/live-values'
import { pairsOf } from '#schema/monitor/variable-history'
import { variableListPermission } from '#schema/monitor/variable-pages'
import { sessionRefusals } from '#schema/people/session-refusals'
import { transportRefusals } from '#schema/platform/transport-refusals'
import { holds } from '../kit/actor.ts'
import { eventStream } from '../kit/event-stream.ts'
import { type CallContext, eventsHandler } from '../kit/handler.ts'
import { openTally } from '../kit/tally.ts'
import { type LiveHub, liveHub, type Viewer } from './live-hub.ts'
import { readWatched } from './live-reads.ts'

/**
 * Maximum streams per browser, user, network address (an office behind one NAT), and process. A browser opens six
 * connections to a host over HTTP/1.1: with six windows on the screens of a control room, streams would take them all,
 * and everything else in all of its windows would wait for ever. Those beyond the limit ask for their values.
 */
const STREAMS = { browser: 3, user: 50, address: 2_000, all: 5_000 } as const
/**
 * How long values may still be sent after a permission was revoked. An ended login and a gateway that moved are noticed
 * within seconds (live-hub.ts).
 */
const REVIEW_MS = 60_000

type StreamState = {
  hub: LiveHub
  browsers: ReturnType<typeof openTally>
  users: ReturnType<typeof openTally>
  addresses: ReturnType<typeof openTally>
}
/** One per process; tests run several in one process. */
const states = new WeakMap<Context['db'], StreamState>()
function stateOf({ db, log }: CallContext): StreamState {
  const known = states.get(db) ?? {
    hub: liveHub(db, (error) => log.error({ err: error }, 'values of streams not read')),
    browsers: openTally({ all: STREAMS.all, each: STREAMS.browser }),
    users: openTally({ all: STREAMS.all, each: STREAMS.user }),
    addresses: openTally({ all: STREAMS.all, each: STREAMS.address }),
  }
  states.set(db, known)
  return known
}

/** Takes a slot. @throws Refusal if there is none. Returns a function that releases it. */
function takePlace({ browsers, users, addresses }: StreamState, { actor, ip }: CallContext): () => void {
  const address = networkOf(ip)
  // Programs with an API token are no browsers; a link of a big screen is one at each address.
  const browser = actor.apiToken ? undefined : `${loginOf(actor)} ${address}`
  const places = [
    [browsers, browser],
    [users, String(actor.userId)],
    [addresses, address],
  ] as const
  const refused = places.findIndex(([tally, by]) => !tally.take(by, 1))
  const giveBack = (taken: readonly (typeof places)[number][]) => {
    for (const [tally, by] of taken) tally.give(by, 1)
  }
  if (refused >= 0) {
    giveBack(places.slice(0, refused))
    refuse(transportRefusals.tooManyRequests)
  }
  return () => giveBack(places)
}

const loginOf = ({ sessionId, apiToken, kiosk }: CallContext['actor']) =>
  sessionId ?? (kiosk ? `kiosk ${kiosk.id}` : `token ${apiToken?.id}`)

const envelope = ({ kind }: Refusal) => JSON.stringify({ code: kind.code })

export const watchValuesHandler = eventsHandler(watchValues, async (ctx, body) => {
  const state = stateOf(ctx)
  const pairs = pairsOf(body)
  const watched = pairs.length === 0 ? [] : await readWatched(ctx.db, ctx.actor, pairs)
  const giveBack = takePlace(state, ctx)
  const stream = eventStream()
  const ended = new AbortController()
  const viewer: Viewer = {
    login: loginOf(ctx.actor),
    tell: (values) => stream.tell('values', `{"values":[${values}]}`),
    end: () => stream.push(null),
    async again() {
      try {
        const actor = await ctx.again()
        if (!holds(actor, variableListPermission)) refuse(sessionRefusals.noPermission)
        return await readWatched(ctx.db, actor, pairs)
      } catch (error) {
        if (error instanceof Refusal) stream.finish('end', envelope(error))
        else viewer.end()
        throw error
      }
    },
  }
  const closed = () => {
    ended.abort()
    giveBack()
  }
  stream.once('close', closed)
  const leave = await state.hub.join(viewer, watched).catch((error: unknown) => {
    stream.destroy()
    throw error
  })
  if (watched.length === 0) viewer.tell('')
  stream.once('close', leave)
  // Closed while the first values were read.
  if (stream.destroyed) leave()
  void accompany(state, viewer, body.seconds * 1000, ended.signal).then(
    () => viewer.end(),
    () => undefined,
  )
  return stream
})

/** Resolves when its time is over. @throws when the reader has disconnected */
async function accompany(state: StreamState, viewer: Viewer, ms: number, signal: AbortSignal): Promise<void> {
  const until = performance.now() + ms
  for (;;) {
    const left = until - performance.now()
    if (left <= 0) return
    // Spread out, because many streams are opened when an api starts.
    await sleep(Math.min(left, REVIEW_MS * (0.9 + Math.random() * 0.2)), undefined, { signal, ref: false })
    if (until - performance.now() > 0) await state.hub.review(viewer)
  }
}
