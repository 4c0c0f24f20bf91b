/** How messages and sessions are shared: within this process, or between several brokers over Redis. */
import type { Client } from 'aedes'
import type { Log } from '#infra/log'
import { watchOutage } from '#infra/queue/outage'
import { matches } from './acl.ts'
import type { Fleet } from './fleet.ts'
import type { Guard } from './guard.ts'
import { openPersistence } from './persistence.ts'
import type { SessionStore } from './sessions.ts'
import { openShareLine, type ShareLine } from './shared/balance.ts'
import { openBus } from './shared/bus.ts'
import { Line } from './shared/line.ts'
import { checkMemory } from './shared/memory.ts'
import { openSharedSessions } from './shared/sessions.ts'

/** Slots of Aedes' emitter. None of them ever waits for a reader. */
const CONCURRENCY = 1_000

export type Backbone = {
  /** True if sessions are kept on Redis instead of in this process. */
  shared: boolean
  options: { mq?: unknown; persistence: unknown; concurrency: number }
  persistence: { isHeld(clientId: string, messageId: number): boolean }
  /** Called when Aedes has delivered the stored queue. */
  ready(client: Client, guard: Guard): void
  /** Whether any connection or stored session subscribes to this topic of this device. */
  listened(sn: string, topic: string): boolean
  /** null: there are no other brokers. */
  shares: ShareLine | null
  close(): Promise<void>
}

type Deliver = { deliverQoS(packet: unknown, done: () => void): void }

function anyMatch(filters: ReadonlyMap<string, number>, topic: string): boolean {
  for (const filter of filters.keys()) if (matches(filter, topic)) return true
  return false
}

/** Whether a connection to this broker wants the topic. */
function heardHere(fleet: Fleet, sn: string, topic: string): boolean {
  for (const guard of fleet.bySn(sn)) if (anyMatch(guard.filters, topic)) return true
  for (const guard of fleet.services) if (anyMatch(guard.filters, topic)) return true
  return false
}

function openLocal(sessions: SessionStore, fleet: Fleet): Backbone {
  const persistence = openPersistence(sessions)
  return {
    shared: false,
    options: { persistence, concurrency: CONCURRENCY },
    persistence,
    ready: (client, guard) => {
      guard.draining = null
      for (const message of sessions.session(client.id)?.queue.values() ?? [])
        if (message.messageId === undefined)
          (client as unknown as Deliver).deliverQoS({ ...message }, () => undefined)
    },
    listened: (sn, topic) => {
      if (heardHere(fleet, sn, topic)) return true
      for (const session of sessions.buckets.get(sn)?.sessions.values() ?? [])
        if (anyMatch(session.filters, topic)) return true
      return false
    },
    shares: null,
    close: async () => undefined,
  }
}

/** Several brokers share sessions, and forward messages that clients of the other brokers subscribe to. */
function openShared(brokerId: string, url: string, fleet: Fleet, log: Log, refused: () => void): Backbone {
  const line = (what: string) => new Line(url, watchOutage(log, `broker ${what} on Redis`))
  const [kept, hears, says] = [line('sessions'), line('subscriptions'), line('messages')]
  const bus = openBus(brokerId, { hears, says, log, concurrency: CONCURRENCY })
  const begin = async () => {
    await checkMemory(kept, log)
    await bus.begin()
  }
  const isHere = (sn: string, clientId: string) =>
    [...fleet.bySn(sn)].some((guard) => guard.clientId === clientId)
  const sessions = openSharedSessions(kept, begin, isHere, refused)
  return {
    shared: true,
    options: { mq: bus.emitter, persistence: sessions.persistence, concurrency: CONCURRENCY },
    persistence: { isHeld: () => false },
    ready: (client, guard) => {
      const missed = guard.draining?.missed() ?? []
      guard.draining = null
      for (const message of missed) (client as unknown as Deliver).deliverQoS(message, () => undefined)
    },
    listened: (sn, topic) =>
      heardHere(fleet, sn, topic) || bus.listenedElsewhere(topic) || sessions.wants(topic),
    shares: openShareLine(brokerId, says),
    close: async () => {
      await kept.quit()
    },
  }
}

/** @param refused called for each message of a session on Redis that is dropped because of a limit */
export const openBackbone = (
  brokerId: string,
  redisUrl: string | undefined,
  sessions: SessionStore,
  fleet: Fleet,
  log: Log,
  refused: () => void,
): Backbone => (redisUrl ? openShared(brokerId, redisUrl, fleet, log, refused) : openLocal(sessions, fleet))
