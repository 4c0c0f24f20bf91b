/** The peer of a connection, determined from user name and client id; pure. */
import { randomUUID } from 'node:crypto'
import { auxiliaryOwner } from '#schema/device/auxiliary'
import { enrolUser, isEnrolmentKey } from '#schema/device/enrol'
import { SOUTH_USER } from '#schema/monitor/south-kinds'
import { limits } from './limits.ts'

export type DevicePeer = {
  kind: 'device'
  sn: string
  deviceId: number
  customerId: number
  secretHash: string
  /** True for the connection that presence follows; others are auxiliary. */
  main: boolean
  connectionId: string
  loginAt: Date
}
export type EnrollingPeer = {
  kind: 'enrolling'
  sn: string
  keyId: number
  listening: boolean
  used: boolean
}
/** An account of a foreign source (broker/south). */
export type SourcePeer = {
  kind: 'source'
  accountId: number
  topics: readonly string[]
}
export type ServicePeer = { kind: 'service'; name: string }
export type Peer = DevicePeer | EnrollingPeer | SourcePeer | ServicePeer

/** Limit of the peer's unacknowledged publishes. */
export const heldMax = (peer: Peer | null) =>
  peer?.kind === 'source' || (peer?.kind === 'device' && !peer.main)
    ? limits.heldPerAuxiliary
    : limits.heldPerConnection

/** What a CONNECT claims; `login.ts` verifies it. `clientId` is the one that Aedes uses. */
export type Claim =
  | { kind: 'device' | 'enrolling'; sn: string; main: boolean; clientId: string; password: string }
  | { kind: 'service'; name: string; clientId: string; password: string }
  | { kind: 'source'; username: string; clientId: string; password: string }

const SERIAL = /^[A-Za-z0-9_-]{1,64}$/
const TAG = /^[A-Za-z0-9_-]{1,16}$/
const SOURCE_ID_MAX = 256
const SERVICE = /^service:[\x21-\x7e]{1,100}$/

/**
 * Reads user name, password and client id. 'identifier': CONNACK 2, 'credentials': CONNACK 4. Only ids bound
 * to the user name pass, so no client can take over a connection or session of another [threats 10, 11].
 */
export function readClaim(
  clientId: string,
  username: string | undefined,
  password: Buffer | undefined,
): Claim | 'identifier' | 'credentials' {
  if (!username || !password || password.length > 200) return 'credentials'
  const secret = password.toString('latin1')
  if (SERVICE.test(username)) {
    // `$` is not allowed in serial numbers, so no device can ever use this id.
    return clientId === username
      ? { kind: 'service', name: username, clientId: `$${username}`, password: secret }
      : 'identifier'
  }
  if (SOUTH_USER.test(username)) {
    if (clientId.length > SOURCE_ID_MAX) return 'identifier'
    // Prefixed with the account, so that it can take over its own connections only.
    const own = `$${username}:${clientId || randomUUID()}`
    return { kind: 'source', username, clientId: own, password: secret }
  }
  if (isEnrolmentKey(secret) && username === enrolUser(secret)) {
    const [sn = ''] = clientId.split(':')
    if (!SERIAL.test(sn)) return 'identifier'
    const own = `$enrol:${sn}:${randomUUID()}`
    return { kind: 'enrolling', sn, main: false, clientId: own, password: secret }
  }
  const user = (username === clientId ? auxiliaryOwner(username) : null) ?? username
  if (!SERIAL.test(user)) return 'credentials'
  const [sn, tag, rest] = clientId.split(':')
  const anonymous = clientId === ''
  if (!anonymous && (sn !== user || rest !== undefined || (tag !== undefined && !TAG.test(tag))))
    return 'identifier'
  if (isEnrolmentKey(secret)) {
    // A separate id: enrolling must not take over the connection of an existing device.
    const own = `$enrol:${user}:${randomUUID()}`
    return { kind: 'enrolling', sn: user, main: false, clientId: own, password: secret }
  }
  const id = anonymous ? `${user}:$${randomUUID()}` : clientId
  return { kind: 'device', sn: user, main: clientId === user, clientId: id, password: secret }
}
