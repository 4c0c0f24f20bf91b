/**
 * The fast path of an uplink: from the frame directly to the store, bypassing Aedes, if it has no subscriber.
 * The checks and the order of acknowledgements are the same; a message with subscribers goes through Aedes.
 */
import { mayPublish } from './acl.ts'
import type { Guard } from './guard.ts'
import type { GuardHost, KnownTopic } from './host.ts'
import { type Ingest, notAcknowledged } from './ingest.ts'
import type { Peer } from './peer.ts'
import { isKept } from './read-uplinks.ts'
import type { Store } from './store.ts'

const QOS = 6
const RETAIN = 1

/** For the length of a topic a call of Buffer.compare takes longer. */
function isSame(known: Buffer, bytes: Buffer, from: number, to: number): boolean {
  if (known.length !== to - from) return false
  for (let i = 0; i < known.length; i++) if (known[i] !== bytes[from + i]) return false
  return true
}

export function openFastPublish(tools: {
  ingest: Ingest
  store: Store
  listened(sn: string, topic: string): boolean
}): GuardHost<Guard>['take'] {
  const { ingest, store, listened } = tools

  function uplinkOf(guard: Guard, peer: Peer, bytes: Buffer, from: number, to: number): KnownTopic {
    const known = guard.lastTopic
    if (known && isSame(known.bytes, bytes, from, to)) return known
    const topic = bytes.toString('latin1', from, to)
    const found = mayPublish(peer, topic) ? ingest.wordOf(topic) : null
    const made = {
      bytes: Buffer.from(topic, 'latin1'),
      topic,
      word: found && isKept(found) ? found : null,
    }
    guard.lastTopic = made
    return made
  }

  return (guard, first, bytes, from, to) => {
    const { peer } = guard
    const qos = (first & QOS) >> 1
    if (peer?.kind !== 'device' || qos === 2 || first & RETAIN) return false
    const topicEnd = from + 2 + bytes.readUInt16BE(from)
    const { word, topic } = uplinkOf(guard, peer, bytes, from + 2, topicEnd)
    // Publishes that are still in Aedes must be acknowledged first.
    if (!word || guard.inAedes > 0 || listened(peer.sn, topic)) return false
    if (qos === 0) {
      if (store.hasRoom()) ingest.keep(peer, word, { bytes, from: topicEnd, to }, notAcknowledged)
      return true
    }
    const turn = guard.turns.wait(null, bytes.readUInt16BE(topicEnd))
    ingest.keep(peer, word, { bytes, from: topicEnd + 2, to }, turn)
    return true
  }
}
