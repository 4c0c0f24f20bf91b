/**
 * Aedes' sessions on Redis, by its own package, with what the package does not consider: a device without a stored
 * session does not wait for Redis, and whether any session wants a topic is known without asking.
 */
import { Readable } from 'node:stream'
import redisPersistence from 'aedes-persistence-redis'
import { Interest } from './interest.ts'
import type { Line } from './line.ts'

const QUEUED_DAYS = 7
/** The package's keys: the ids of all stored sessions, and of each the hash of its filters. */
const CLIENTS = 'clients'
const filtersKey = (clientId: string) => `client:${encodeURIComponent(clientId)}`
const PIPELINED = 1_000

type Client = { id: string; clean?: boolean; brokerId?: string }
type Notice = { topic: string; payload: Buffer | string }
type Broker = {
  id: string
  subscribe(topic: string, hear: (packet: Notice, done: () => void) => void, done: () => void): void
}
type Inner = ReturnType<typeof redisPersistence>

export function openSharedSessions(line: Line, begin: () => Promise<void>) {
  const inner: Inner = redisPersistence({ conn: line, packetTTL: () => QUEUED_DAYS * 86_400 })
  /** The filters of stored sessions, connected or not, whichever broker they were made on. */
  const stored = new Interest()
  /** Sessions to be deleted when Redis is back: their devices have meanwhile connected with a clean one. */
  const toClean = new Set<string>()

  /** Called for what this or another broker has stored. */
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
      inner.cleanSubscriptions({ id }).then(
        () => toClean.delete(id),
        // Redis has gone again: it is deleted when Redis is back.
        () => undefined,
      )
  })

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
        if (line.open) return inner.cleanSubscriptions(client)
        stored.forget(client.id)
        toClean.add(client.id)
      },
      /** A will is kept here, and in Redis only in case this broker dies. */
      putWill: async (client: Client, will: object) =>
        line.open ? inner.putWill(client, will) : Object.assign(will, { clientId: client.id }),
      delWill: async (client: Client) => (line.open ? inner.delWill(client) : undefined),
      outgoingStream: (client: Client) =>
        client.clean ? Readable.from([]) : (inner.outgoingStream(client) as Readable),
    }),
  }
}
