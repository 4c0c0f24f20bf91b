/**
 * Session uplinks: a connection that logged in with an enrolment key sends one request and gets one response.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#infra/context'
import { downlinkTopic, type Uplink } from '#schema/kit/message'
import type { Fleet } from './fleet.ts'
import type { Guard } from './guard.ts'
import { readPayload } from './ingest.ts'
import type { EnrollingPeer } from './peer.ts'
import type { SessionUplink } from './uplink.ts'

const RETRY_MS = 500
const TRIES = 20

type AnswerContext = Pick<Context, 'sql' | 'log' | 'env'>

/** Tries for ten seconds while the database is unavailable. @throws its error after that */
export async function answered(
  context: AnswerContext,
  uplink: SessionUplink,
  peer: Pick<EnrollingPeer, 'sn' | 'keyId'>,
  value: unknown,
) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await uplink.answer(context, peer, value)
    } catch (error) {
      context.log.warn({ err: error, sn: peer.sn }, 'enrolment waits')
      if (attempt === TRIES) throw error
      await sleep(RETRY_MS)
    }
  }
}

export type Enrolment = {
  /**
   * Calls `go`, which sends PUBACK, once the response is committed; waits while the database is unavailable.
   */
  ask(guard: Guard, peer: EnrollingPeer, payload: Buffer, go: () => void): void
}

export function openEnrolment(
  context: AnswerContext,
  fleet: Fleet,
  handler: SessionUplink | undefined,
): Enrolment {
  function send(to: Guard, topic: string, payload: string): void {
    to.client?.publish({ cmd: 'publish', topic, payload, qos: 1, retain: false, dup: false }, () => undefined)
  }

  /**
   * Only to connections of the same key: `mosquitto_pub` sends the request, and `mosquitto_sub` receives the
   * response.
   */
  function reply(guard: Guard, peer: EnrollingPeer, answer: unknown): void {
    const listeners = fleet
      .of(peer.sn)
      .filter(
        (other) =>
          other.peer?.kind === 'enrolling' && other.peer.keyId === peer.keyId && other.peer.listening,
      )
    const topic = downlinkTopic(peer.sn, handler?.reply.name ?? '')
    for (const to of listeners.length > 0 ? listeners : [guard]) send(to, topic, JSON.stringify(answer))
  }

  return {
    ask: (guard, peer, payload, go) => {
      // Only once per connection: repeating it would invalidate the secret that is already on its way.
      if (peer.used || !handler) return go()
      const read = readPayload(handler.uplink as Uplink, payload)
      if ('fault' in read) {
        reply(guard, peer, { sn: peer.sn, refusal: read.fault })
        return go()
      }
      peer.used = true
      answered(context, handler, peer, read.value).then(
        (answer) => {
          go()
          reply(guard, peer, answer)
        },
        () => guard.cut('protocolError', 'enrolment failed'),
      )
    },
  }
}
