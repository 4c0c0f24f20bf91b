/** Two habits of an Aedes client that lose or mix up messages, put right on the client itself. */
import type { Client } from 'aedes'

const IDS = 65_535

/** Never remembers, never objects. */
const forgetful = () =>
  new Proxy<Record<string, number>>(Object.create(null) as Record<string, number>, { set: () => true })

/**
 * Its duplicate filter takes any message older than the newest one for a duplicate, though a retained or QoS 1
 * message may well be overtaken by a later one. `forward` has a filter that compares exactly.
 */
export function smooth(client: Client): void {
  const inside = client as unknown as { duplicates: Record<string, number> }
  inside.duplicates = forgetful()
}

/**
 * It numbers what it sends from a random start, past ids that still wait for their acknowledgement: those of a
 * resumed session [MQTT-2.3.1-4]. Here from 1, leaving out what `isTaken`.
 */
export function numberFromOne(client: Client, isTaken: (id: number) => boolean): void {
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
