/**
 * Aedes' persistence interface on top of the session store. It calls back synchronously (`now`), not a
 * microtask later: Aedes only chains `.then`, and with real promises a retained message is overtaken by the
 * plain one after it, and Aedes' duplicate filter then drops it.
 */
import { Readable } from 'node:stream'
import { matches, maySubscribe, ownerOf } from './acl.ts'
import { limits } from './limits.ts'
import type { Peer } from './peer.ts'
import type { Message, SessionStore } from './sessions.ts'

type Now<T> = { then(good: (value: T) => unknown, bad?: (error: Error) => unknown): unknown }
const now = <T>(value: T): Now<T> => ({
  // biome-ignore lint/suspicious/noThenProperty: deliberately a settled promise that calls back synchronously
  then: (good) => good(value),
})
const failed = (why: string): Now<never> => ({
  // biome-ignore lint/suspicious/noThenProperty: deliberately a settled promise that calls back synchronously
  then: (_good, bad) => bad?.(new Error(why)),
})

type Client = { id: string; clean?: boolean; conn?: { peer?: Peer | null } }
type Subscription = { topic: string; qos: 0 | 1 | 2; clientId?: string }
type Will = Message & { clientId?: string }
type Counted = { messageId?: number; cmd: string; brokerCounter: number }

const NOTHING = Buffer.alloc(0)

export function openPersistence(sessions: SessionStore) {
  let brokerId = ''
  const wills = new Map<string, Will>()
  /** Packet ids of unreleased QoS 2 publishes of clean sessions; their content is not stored. */
  const incoming = new Map<string, Set<number>>()
  const held2 = (clientId: string) => sessions.session(clientId)?.incoming ?? incoming.get(clientId)

  function retainedMatching(pattern: string): Message[] {
    const sn = ownerOf(pattern)
    const own = sn === null || sn.includes('+') || sn.includes('#') ? null : sn
    const buckets = own === null ? [...sessions.buckets.values()] : [sessions.buckets.get(own)]
    return buckets.flatMap((bucket) =>
      bucket ? [...bucket.retained.values()].filter((entry) => matches(pattern, entry.topic)) : [],
    )
  }

  return {
    setup: async (broker: { id: string }) => {
      brokerId = broker.id
    },
    storeRetained: (packet: Message) => {
      sessions.retain(packet)
      return now(undefined)
    },
    createRetainedStreamCombi: (patterns: string[]) => Readable.from(patterns.flatMap(retainedMatching)),
    createRetainedStream: (pattern: string) => Readable.from(retainedMatching(pattern)),

    /** Aedes passes every filter of the SUBSCRIBE, including refused ones. */
    addSubscriptions: async (client: Client, subscriptions: Subscription[]) => {
      const session = sessions.session(client.id)
      const peer = client.conn?.peer
      for (const { topic, qos } of subscriptions)
        if (session && peer && maySubscribe(peer, topic) && session.filters.size < limits.subscriptions)
          session.filters.set(topic, qos)
    },
    removeSubscriptions: async (client: Client, filters: string[]) => {
      for (const filter of filters) sessions.session(client.id)?.filters.delete(filter)
    },
    subscriptionsByClient: async (client: Client): Promise<Subscription[]> =>
      [...(sessions.session(client.id)?.filters ?? [])].map(([topic, qos]) => ({ topic, qos })),
    cleanSubscriptions: async (client: Client) => sessions.drop(client.id),
    countOffline: async () => ({ subsCount: 0, clientsCount: sessions.buckets.size }),

    /** One entry per session, with the highest QoS of its matching filters [MQTT-3.3.5-1]. */
    subscriptionsByTopic: (topic: string) => {
      const sn = ownerOf(topic)
      const bucket = sn === null ? undefined : sessions.buckets.get(sn)
      const found: Required<Subscription>[] = []
      for (const session of bucket?.sessions.values() ?? []) {
        let best: Required<Subscription> | null = null
        for (const [filter, qos] of session.filters)
          if (qos > (best?.qos ?? 0) && matches(filter, topic))
            best = { topic: filter, qos, clientId: session.id }
        if (best) found.push(best)
      }
      return now(found)
    },

    outgoingEnqueue: async (sub: { clientId: string }, packet: Message) => {
      const session = sessions.session(sub.clientId)
      if (session) sessions.enqueue(session, packet, packet.qos)
    },
    outgoingEnqueueCombi: (subs: Required<Subscription>[], packet: Message) => {
      for (const sub of subs) {
        const session = sessions.session(sub.clientId)
        const qos = Math.min(sub.qos, packet.qos) as 0 | 1 | 2
        if (session && qos > 0) sessions.enqueue(session, packet, qos)
      }
      return now(undefined)
    },
    /** A message over the cap is in no queue: it is still sent, but not redelivered. */
    outgoingUpdate: (client: Client, packet: Counted) => {
      const session = sessions.session(client.id)
      const id = packet.messageId
      if (!session || id === undefined) return now(undefined)
      const counter = packet.cmd === 'pubrel' ? session.counterOf.get(id) : packet.brokerCounter
      const message = counter === undefined ? undefined : session.queue.get(counter)
      if (!message || counter === undefined) return now(undefined)
      if (packet.cmd === 'pubrel') message.cmd = 'pubrel'
      else {
        if (message.messageId !== undefined) session.counterOf.delete(message.messageId)
        message.messageId = id
        session.counterOf.set(id, counter)
      }
      return now(undefined)
    },
    outgoingClearMessageId: (client: Client, packet: Counted) => {
      const session = sessions.session(client.id)
      const id = packet.messageId
      return now(session && id !== undefined ? sessions.acknowledge(session, id) : undefined)
    },
    /** [MQTT-3.3.1-1] Redelivered messages carry DUP. */
    outgoingStream: (client: Client) =>
      Readable.from(
        [...(sessions.session(client.id)?.queue.values() ?? [])].map((message) => ({
          ...message,
          dup: message.cmd === 'publish' && message.messageId !== undefined,
        })),
      ),

    incomingStorePacket: (client: Client, packet: { messageId: number }) => {
      let held = held2(client.id)
      if (!held) {
        held = new Set()
        incoming.set(client.id, held)
      }
      held.add(packet.messageId)
      return now(undefined)
    },
    incomingGetPacket: (client: Client, packet: { messageId: number }) =>
      held2(client.id)?.has(packet.messageId)
        ? now({ messageId: packet.messageId, payload: NOTHING })
        : failed('no such packet'),
    incomingDelPacket: (client: Client, packet: { messageId: number }) =>
      held2(client.id)?.delete(packet.messageId) ? now(undefined) : failed('no such packet'),
    cleanIncoming: async (client: Client) => {
      incoming.delete(client.id)
      sessions.session(client.id)?.incoming.clear()
    },
    /** Whether a QoS 2 publish with this id is a repetition. */
    isHeld: (clientId: string, messageId: number) => held2(clientId)?.has(messageId) ?? false,

    putWill: async (client: Client, will: Will) => {
      wills.set(client.id, Object.assign(will, { brokerId, clientId: client.id }))
    },
    getWill: async (client: Client) => wills.get(client.id),
    delWill: async (client: Client) => {
      const will = wills.get(client.id)
      wills.delete(client.id)
      return will
    },
    streamWill: () => Readable.from([]),
    getClientList: () => Readable.from([]),
    destroy: async () => undefined,
  }
}
