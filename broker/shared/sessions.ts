/**
 * Aedes' sessions on Redis, using its own package, with two improvements: a device without a stored session does not
 * wait for Redis, and whether any session subscribes to a topic is known without a request.
 */
import { Readable } from 'node:stream'
import redisPersistence from 'aedes-persistence-redis'
import { maySubscribe } from '../acl.ts'
import { takePacketId } from '../client-fixes.ts'
import { limits } from '../limits.ts'
import type { Peer } from '../peer.ts'
import { Interest } from './interest.ts'
import { openKept } from './kept.ts'
import type { Line } from './line.ts'
import type { Kept } from './retained-later.ts'

/** The package's keys: the ids of all stored sessions, and of each the hash of its filters. */
const CLIENTS = 'clients'
const filtersKey = (clientId: string) => `client:${encodeURIComponent(clientId)}`
const PIPELINED = 1_000

type Client = {
  id: string
  clean?: boolean
  brokerId?: string
  conn?: { peer?: Peer | null; inflight?: { has(id: number): boolean } }
}
type Subscription = { topic: string; qos: 0 | 1 | 2 }
type Notice = { topic: string; payload: Buffer | string }
type Broker = {
  id: string
  subscribe(topic: string, hear: (packet: Notice, done: () => void) => void, done: () => void): void
}
type Inner = ReturnType<typeof redisPersistence>

/** [MQTT-3.3.1-1] A message that has a packet id was sent before: to this session or to another one that shares it. */
async function* redelivered(queue: AsyncIterable<{ cmd?: string; messageId?: number; dup?: boolean }>) {
  for await (const packet of queue) {
    if (packet.cmd === 'publish') packet.dup = packet.messageId !== undefined && packet.messageId !== null
    yield packet
  }
}

/**
 * @param isHere whether a session is connected to this broker
 * @param refused called for each message that is dropped because of a limit
 */
export function openSharedSessions(
  line: Line,
  begin: () => Promise<void>,
  isHere: (sn: string, clientId: string) => boolean,
  refused: () => void,
) {
  const kept = openKept(line, refused)
  const inner: Inner = redisPersistence({ conn: line, packetTTL: () => limits.queuedDays * 86_400 })
  /** The filters of stored sessions, connected or not, whichever broker they were made on. */
  const stored = new Interest()
  /** Sessions to be deleted when Redis is back: their devices have meanwhile connected with a clean one. */
  const toClean = new Set<string>()

  /** Called for sessions that this or another broker has stored. */
  function hear(packet: Notice, done: () => void): void {
    const { clientId, subs } = JSON.parse(String(packet.payload)) as {
      clientId: string
      subs: { topic: string; qos?: number }[]
    }
    const added = packet.topic.endsWith('/add')
    // The device has a stored session again, which is not the one to be deleted.
    if (added) toClean.delete(clientId)
    for (const { topic, qos = 0 } of subs)
      if (added && qos > 0) stored.add(clientId, topic)
      else stored.remove(clientId, topic)
    done()
  }

  async function readStored(): Promise<void> {
    const ids = await line.smembers(CLIENTS)
    for (let at = 0; at < ids.length; at += PIPELINED) {
      const some = ids.slice(at, at + PIPELINED)
      const reading = line.pipeline()
      for (const id of some) reading.hkeys(filtersKey(id))
      for (const [i, [, filters]] of ((await reading.exec()) ?? []).entries())
        for (const filter of (filters as string[] | null) ?? []) stored.add(some[i] ?? '', filter)
    }
  }

  line.on('ready', () => {
    for (const id of toClean)
      drop({ id }).then(
        () => toClean.delete(id),
        // Redis is unavailable again: it is deleted when Redis is back.
        () => undefined,
      )
  })

  async function enqueue(subs: readonly { clientId: string }[], packet: Kept): Promise<void> {
    const room = await Promise.all(subs.map(({ clientId }) => kept.take(clientId, packet)))
    const left = subs.filter((_, i) => room[i])
    // [MQTT-3.3.1-9] Existing subscribers always get RETAIN 0, even when it is delivered later.
    if (left.length > 0) await inner.outgoingEnqueueCombi(left, { ...packet, retain: false })
  }

  /** The session, its filters and its queue. */
  async function drop(client: Client): Promise<unknown> {
    await kept.empty(client.id)
    return inner.cleanSubscriptions(client)
  }

  return {
    wants: (topic: string): boolean => stored.wants(topic),
    persistence: Object.assign(Object.create(inner) as Inner, {
      setup: async (broker: Broker) => {
        await begin()
        await inner.setup(broker)
        await new Promise<void>((done) => broker.subscribe('$SYS/sub/+', hear, done))
        await readStored()
      },
      cleanSubscriptions: async (client: Client) => {
        if (!stored.has(client.id)) return
        if (line.open) return drop(client)
        stored.forget(client.id)
        toClean.add(client.id)
      },
      storeRetained: kept.retain,
      createRetainedStreamCombi: (patterns: string[]) => Readable.from(kept.retained(patterns)),
      createRetainedStream: (pattern: string) => Readable.from(kept.retained([pattern])),
      /** Aedes passes every filter of the SUBSCRIBE, including refused ones. */
      addSubscriptions: async (client: Client, subscriptions: Subscription[]) => {
        const peer = client.conn?.peer
        if (!peer) return
        let room = limits.subscriptions - stored.count(client.id)
        const allowed = subscriptions.filter(
          ({ topic }) => maySubscribe(peer, topic) && (stored.holds(client.id, topic) || room-- > 0),
        )
        if (allowed.length === 0) return
        if (peer.kind === 'device')
          for (const over of await kept.enter(peer.sn, client.id))
            if (over !== client.id && !isHere(peer.sn, over)) {
              await drop({ id: over })
              await kept.leave(peer.sn, over)
            }
        await inner.addSubscriptions(client, allowed)
      },
      outgoingEnqueue: async (sub: { clientId: string }, packet: Kept) => enqueue([sub], packet),
      outgoingEnqueueCombi: async (subs: { clientId: string }[], packet: Kept) => enqueue(subs, packet),
      /**
       * Sessions that wait for the same message share it on Redis, with the packet id that the last of them gave it: here another one may
       * be on its way under that id.
       */
      outgoingUpdate: async (client: Client, packet: { cmd?: string; messageId?: number }) => {
        if (packet.cmd === 'publish' && client.conn?.inflight?.has(packet.messageId ?? 0))
          packet.messageId = takePacketId(client)
        await inner.outgoingUpdate(client, packet)
      },
      outgoingClearMessageId: async (client: Client, packet: { messageId: number }) => {
        const cleared = await inner.outgoingClearMessageId(client, packet)
        if (cleared) await kept.give(client.id, cleared)
        return cleared
      },
      /** A will is kept in memory; the copy in Redis is only needed if this broker dies. */
      putWill: async (client: Client, will: object) =>
        line.open ? inner.putWill(client, will) : Object.assign(will, { clientId: client.id }),
      delWill: async (client: Client) => (line.open ? inner.delWill(client) : undefined),
      outgoingStream: (client: Client) =>
        Readable.from(client.clean ? [] : redelivered(inner.outgoingStream(client) as Readable)),
    }),
  }
}
