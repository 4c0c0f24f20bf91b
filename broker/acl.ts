/** The whole topic ACL [threats 8]: exact topics, default deny; pure. */
import {
  devicePublishes,
  deviceSubscribes,
  enrollingPublishes,
  enrollingSubscribes,
  isBelow,
  isBounded,
} from '#schema/device/own-topics'
import { PROTOCOL_VERSION } from '#schema/kit/message'
import type { Peer } from './peer.ts'

const ROOT = `v${PROTOCOL_VERSION}/`

/** Returns the serial number that the topic belongs to, or null. */
export function ownerOf(topic: string): string | null {
  if (!topic.startsWith(ROOT)) return null
  const end = topic.indexOf('/', ROOT.length)
  return end === -1 ? null : topic.slice(ROOT.length, end)
}

/** `topic` has no wildcards. */
export function mayPublish(peer: Peer, topic: string): boolean {
  if (peer.kind === 'service') {
    const owner = ownerOf(topic)
    return owner !== null && topic.startsWith(`${ROOT}${owner}/down/`)
  }
  if (peer.kind === 'enrolling') return enrollingPublishes(peer.sn, topic)
  if (peer.kind === 'source') return peer.topics.some((filter) => matches(filter, topic))
  return devicePublishes(peer.sn, topic)
}

export function maySubscribe(peer: Peer, filter: string): boolean {
  if (!isBounded(filter)) return false
  if (peer.kind === 'service') return !filter.startsWith('$')
  if (peer.kind === 'enrolling') return enrollingSubscribes(peer.sn, filter)
  if (peer.kind === 'source') return peer.topics.some((own) => covers(own, filter))
  return deviceSubscribes(peer.sn, filter)
}

/** Checked again for each message that is delivered: permissions may have ended since the subscription. */
export function mayReceive(peer: Peer, topic: string): boolean {
  if (peer.kind === 'service') return !topic.startsWith('$')
  if (peer.kind === 'enrolling') return enrollingSubscribes(peer.sn, topic)
  // Foreign sources receive nothing through routing: responses of an adapter do not pass here.
  if (peer.kind === 'source') return false
  return isBelow(topic, peer.sn)
}

/** Whether each topic that `inner` matches is matched by `outer`, both filters. */
export function covers(outer: string, inner: string): boolean {
  const parts = outer.split('/')
  const levels = inner.split('/')
  for (let i = 0; i < parts.length; i++) {
    if (parts[i] === '#') return levels.length >= i
    if (i >= levels.length || levels[i] === '#') return false
    if (parts[i] !== '+' && parts[i] !== levels[i]) return false
  }
  return parts.length === levels.length
}

/** [MQTT-4.7.1] Both arguments must be well-formed. `#` also matches its parent level. */
export function matches(filter: string, topic: string): boolean {
  if (filter === topic) return true
  const parts = filter.split('/')
  const levels = topic.split('/')
  for (let i = 0; i < parts.length; i++) {
    if (parts[i] === '#') return levels.length >= i
    if (i >= levels.length || (parts[i] !== '+' && parts[i] !== levels[i])) return false
  }
  return parts.length === levels.length
}
