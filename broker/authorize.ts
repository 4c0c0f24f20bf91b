/**
 * Aedes' authorization hooks for publish, subscribe and forward. Uplinks are stored before they are
 * acknowledged.
 */
import type { AedesPublishPacket, Client, PublishPacket, Subscription } from 'aedes'
import { isCut } from '#schema/device/presence'
import { matches, mayPublish, mayReceive, maySubscribe, ownerOf } from './acl.ts'
import type { Enrolment } from './enrolment.ts'
import type { Fleet } from './fleet.ts'
import type { Guard } from './guard.ts'
import { type Ingest, notAcknowledged } from './ingest.ts'
import { limits } from './limits.ts'
import { guardOf } from './login.ts'
import type { BrokerMetrics } from './metrics.ts'
import { isKept } from './read-uplinks.ts'
import type { South } from './south/south.ts'
import type { Store } from './store.ts'
import type { Warnings } from './warnings.ts'

type Done = (error?: Error | null) => void
type Held = { isHeld(clientId: string, messageId: number): boolean }
type Tools = {
  ingest: Ingest
  enrolment: Enrolment
  fleet: Fleet
  south: South
  store: Store
  persistence: Held
  metrics: BrokerMetrics
  warnings: Warnings
}

/** Pause before the next message of a device that does not keep up with reading its own messages. */
const SLOW_MS = 20
const SLOW_TIMES = 40
const RING = 256
/** The topic that messages of foreign sources get once they are handled: no client can subscribe to it. */
const NOWHERE = '$south'

export function openAuthorize(tools: Tools) {
  const { ingest, enrolment, fleet, south, store, persistence, metrics, warnings } = tools

  function refuse(guard: Guard, topic: string, done: Done): void {
    metrics.refused('topic')
    if (guard.peer?.kind === 'device') warnings.warn(guard.peer.deviceId, 'foreignTopic', topic)
    if (guard.peer?.kind === 'source') south.refused(guard.peer, topic)
    guard.endReason ??= 'protocolError'
    done(new Error('not allowed'))
  }

  /**
   * A device receives only its own messages, so only its own publishing is slowed down while one of its
   * connections lags.
   */
  function pace(guard: Guard, go: () => void, times = SLOW_TIMES): void {
    if (times > 0 && fleet.lags(guard)) setTimeout(() => pace(guard, go, times - 1), SLOW_MS)
    else go()
  }

  function publish(client: Client | null, packet: PublishPacket, done: Done): unknown {
    // The will of a connection to a broker that has died: its owner is known only by the client id.
    if (!client) {
      const sn = String((packet as { clientId?: string }).clientId ?? '').split(':')[0] ?? ''
      const allowed = sn !== '' && ownerOf(packet.topic) === sn && !packet.topic.includes('/down/')
      return done(allowed ? null : new Error('not allowed'))
    }
    const guard = guardOf(client)
    const { peer } = guard
    // A will has no `cmd`, because it did not come through the guard.
    if ((packet as { cmd?: string }).cmd === 'publish') guard.inAedes--
    if (!peer || !mayPublish(peer, packet.topic)) return refuse(guard, packet.topic, done)
    // What was on its way when the platform closed the connection, and its will: no fault of the device.
    if (isCut(guard.endReason)) return done(new Error('closed by the platform'))
    if (peer.kind === 'service') return done(null)
    const payload = Buffer.from(packet.payload)
    // [MQTT-3.3.1-3] The DUP flag of the incoming publish must not be passed on.
    packet.dup = false
    // Aedes publishes QoS 1 one event loop turn after its PUBACK; messages of other QoS must not overtake it,
    // or a wrong message would end up retained.
    const on = packet.qos === 1 ? done : (error?: Error | null) => void setImmediate(done, error)
    const turn = guard.turns.wait(on)
    const go = () => guard.turns.release(turn)
    if (peer.kind === 'enrolling') return enrolment.ask(guard, peer, payload, go)
    if (peer.kind === 'source') {
      const { topic } = packet
      packet.topic = NOWHERE
      packet.payload = ''
      packet.retain = false
      if (packet.qos === 2 && persistence.isHeld(client.id, packet.messageId ?? 0)) return go()
      return south.receive(peer, topic, payload, packet.qos, go)
    }
    const word = ingest.wordOf(packet.topic)
    if (!word || !isKept(word)) {
      metrics.count('other')
      return pace(guard, go)
    }
    // [MQTT-4.3.3] A repeated QoS 2 publish has already been stored.
    if (packet.qos === 2 && persistence.isHeld(client.id, packet.messageId ?? 0)) return go()
    const slice = { bytes: payload, from: 0, to: payload.length }
    if (packet.qos === 0) {
      if (store.hasRoom()) ingest.keep(peer, word, slice, notAcknowledged)
      return go()
    }
    ingest.keep(peer, word, slice, turn)
  }

  function subscribe(
    client: Client,
    subscription: Subscription,
    done: (error: Error | null, subscription?: Subscription | null) => void,
  ): unknown {
    const guard = guardOf(client)
    const { topic } = subscription
    const granted =
      guard.peer !== null &&
      maySubscribe(guard.peer, topic) &&
      (guard.filters.has(topic) || guard.filters.size < limits.subscriptions)
    if (!granted) {
      metrics.refused('subscription')
      if (guard.peer?.kind === 'device') warnings.warn(guard.peer.deviceId, 'foreignFilter', topic)
      if (guard.peer?.kind === 'source') south.refused(guard.peer, topic)
      return done(null, null)
    }
    guard.filters.set(topic, subscription.qos as 0 | 1 | 2)
    if (guard.peer?.kind === 'enrolling') guard.peer.listening = true
    // Aedes puts the requested QoS into SUBACK and then delivers at the QoS granted here. We grant 2 and
    // lower it in `forward`, which considers all matching filters; Aedes itself uses the first match, or the
    // filter equal to the topic.
    done(null, { ...subscription, qos: 2 })
  }

  /** With overlapping subscriptions, sends one copy at the highest QoS granted among them [MQTT-3.3.5-1]. */
  function forward(client: Client, packet: AedesPublishPacket): AedesPublishPacket | null {
    const guard = guardOf(client)
    const { peer } = guard
    if (!peer || isCut(guard.endReason)) return null
    if (peer.kind === 'source') return south.answers(guard) && !guard.tooMuchOutput() ? packet : null
    if (!mayReceive(peer, packet.topic)) return null
    const queued = (packet as { messageId?: number }).messageId !== undefined
    // Aedes is still delivering the stored queue, which contains this message too; `clientReady` sends what
    // has arrived meanwhile.
    if (!queued && guard.draining && packet.qos > 0) {
      if (!guard.draining.hold(packet)) guard.cut('protocolError', 'does not read')
      return null
    }
    const best = queued || peer.kind !== 'enrolling' ? grantedTo(guard, packet.topic) : null
    if (queued) {
      guard.draining?.queued(packet)
      // A queue on Redis keeps the QoS of the publisher.
      if (best === 1 && packet.qos === 2) packet.qos = best
    } else if (best !== null) {
      if (
        packet.brokerId &&
        guard.filters.size > 1 &&
        seenBefore(guard, `${packet.brokerId} ${packet.brokerCounter}`)
      )
        return null
      if (best === -1) return null
      if (best < packet.qos) packet.qos = best
    }
    const waiting = guard.writableLength
    if (packet.qos === 0 && waiting > limits.qos0OutputBytes && peer.kind !== 'service') {
      metrics.refused('slowReader')
      return null
    }
    if (guard.tooMuchOutput()) {
      guard.cut('protocolError', 'does not read')
      return null
    }
    return packet
  }

  /** The highest QoS granted among the filters that match; -1: none does. */
  function grantedTo({ filters }: Guard, topic: string): -1 | 0 | 1 | 2 {
    let best: -1 | 0 | 1 | 2 = -1
    for (const [filter, qos] of filters) if (qos > best && matches(filter, topic)) best = qos
    return best
  }

  /** Remembers only the last few hundred: copies of one message arrive close together. */
  function seenBefore(guard: Guard, counter: string): boolean {
    if (guard.delivered.has(counter)) return true
    guard.delivered.add(counter)
    if (guard.delivered.size > RING) {
      const [oldest] = guard.delivered
      if (oldest !== undefined) guard.delivered.delete(oldest)
    }
    return false
  }

  return { publish, subscribe, forward }
}
