/** Workarounds for two behaviours of an Aedes client that lose or mix up messages. */
import type { Client } from 'aedes'

const IDS = 65_535

/** A Map that stores nothing, so Aedes never finds a duplicate. */
const storesNothing = () =>
  new Proxy<Record<string, number>>(Object.create(null) as Record<string, number>, { set: () => true })

/**
 * Aedes treats any message older than the newest one delivered as a duplicate, although a retained or QoS 1
 * message may well be overtaken by a later one. `forward` filters duplicates exactly instead.
 */
export function disableDuplicateFilter(client: Client): void {
  const inside = client as unknown as { duplicates: Record<string, number> }
  inside.duplicates = storesNothing()
}

/** The id of the next packet, used up. */
export function takePacketId(client: object): number {
  const inside = client as { _nextId: number }
  const id = inside._nextId
  inside._nextId = (id % IDS) + 1
  return id
}

/**
 * Aedes numbers outgoing packets from a random start, and reuses ids of a resumed session that are still
 * unacknowledged [MQTT-2.3.1-4]. This numbers from 1 and skips ids for which `isTaken` is true.
 */
export function numberPacketsFromOne(client: Client, isTaken: (id: number) => boolean): void {
  let next = 1
  Object.defineProperty(client, '_nextId', {
    get: () => {
      for (let tries = 0; tries < IDS && isTaken(next); tries++) next = (next % IDS) + 1
      return next
    },
    set: (id: number) => {
      next = id
    },
  })
}
