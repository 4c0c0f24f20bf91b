/**
 * CONNECT: authenticates the client, authorizes it, and restores its session. Unknown and wrong credentials
 * look the same.
 */
import { randomUUID } from 'node:crypto'
import type { AuthenticateError, Client, ConnectPacket } from 'aedes'
import { sealFor } from '#infra/broker-account'
import type { Context } from '#infra/context'
import { hashSecret, sameText, servicePassword } from '#infra/secrets'
import { mayPublish } from './acl.ts'
import type { Credentials } from './credentials.ts'
import { Draining } from './draining.ts'
import type { Fleet } from './fleet.ts'
import { Guard } from './guard.ts'
import { limits } from './limits.ts'
import type { BrokerMetrics } from './metrics.ts'
import { type Claim, type Peer, readClaim } from './peer.ts'
import type { SessionStore } from './sessions.ts'
import type { South } from './south/south.ts'
import type { Throttle } from './throttle.ts'

type Tools = {
  env: Context['env']
  log: Context['log']
  credentials: Credentials
  fleet: Fleet
  south: South
  sessions: SessionStore
  throttle: Throttle
  metrics: BrokerMetrics
  /** True if sessions are on Redis instead of in this process. */
  shared: boolean
}

const codes = { identifier: 2, unavailable: 3, credentials: 4, notAllowed: 5 } as const
const NOBODY = hashSecret('nobody')
const LOOKUP_MS = 8_000

export const guardOf = (client: Client): Guard => {
  if (client.conn instanceof Guard) return client.conn
  throw new Error('a connection without its guard')
}

const refusal = (code: number): AuthenticateError =>
  Object.assign(new Error(`CONNACK ${code}`), { returnCode: code })

/** A lookup that hangs with the database must not take longer than the client waits. */
function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((good, bad) => {
    const timer = setTimeout(() => bad(new Error('lookup took too long')), LOOKUP_MS)
    work.then(good, bad).finally(() => clearTimeout(timer))
  })
}

type Pending = {
  claim: Claim | 'identifier' | 'credentials'
  will: string | null
  clean: boolean
  clientId: string
}

export function openLogin(tools: Tools) {
  const { env, credentials, fleet, south, sessions, throttle, metrics, log } = tools
  const pending = new WeakMap<Client, Pending>()
  const service = servicePassword(env.JWT_SECRET)

  /** Aedes reads id, will and clean from the packet after this hook. */
  function preConnect(client: Client, packet: ConnectPacket): void {
    const password = packet.password === undefined ? undefined : Buffer.from(packet.password)
    const claim = readClaim(packet.clientId, packet.username, password)
    const enrolling = typeof claim === 'object' && claim.kind === 'enrolling'
    packet.clientId = typeof claim === 'object' ? claim.clientId : `$refused:${randomUUID()}`
    const keepsNothing = typeof claim === 'object' && (claim.kind === 'service' || claim.kind === 'source')
    if (enrolling || keepsNothing) packet.clean = true
    if (enrolling) packet.will = undefined
    pending.set(client, {
      claim,
      will: packet.will?.topic ?? null,
      clean: packet.clean ?? true,
      clientId: packet.clientId,
    })
  }

  async function peerOf(claim: Claim): Promise<Peer | null> {
    if (claim.kind === 'service')
      return sameText(claim.password, service) ? { kind: 'service', name: claim.name } : null
    const hash = hashSecret(claim.password)
    if (claim.kind === 'source') {
      const row = await inTime(credentials.account(claim.username))
      return sameText(hash, row?.secret_hash ?? NOBODY) && row
        ? { kind: 'source', accountId: row.id, topics: row.topics }
        : null
    }
    if (claim.kind === 'enrolling') {
      const key = await inTime(credentials.key(hash))
      return key && sameText(hash, key.hash)
        ? { kind: 'enrolling', sn: claim.sn, keyId: key.id, listening: false, used: false }
        : null
    }
    const row = await inTime(credentials.device(claim.sn))
    const right = sameText(hash, row?.secret_hash ?? NOBODY)
    if (!right || !row) return null
    if (row.secret_used_at === null && !(await inTime(credentials.markUsed(`${claim.sn} ${hash}`))))
      return null
    const sealed = row.sealed ? null : sealFor(env, claim.password)
    if (sealed !== null)
      void credentials
        .keep(row.id, hash, sealed)
        .catch((error: unknown) => log.warn({ err: error }, 'secret not kept'))
    return {
      kind: 'device',
      sn: claim.sn,
      deviceId: row.id,
      customerId: row.customer_id,
      secretHash: hash,
      main: claim.main,
      connectionId: randomUUID(),
      loginAt: new Date(),
    }
  }

  /** Returns 0, or the CONNACK code; -1: no response at all. */
  async function decide(client: Client): Promise<number> {
    const { claim, will, clean, clientId } = pending.get(client) ?? {
      claim: 'credentials' as const,
      will: null,
      clean: true,
      clientId: '',
    }
    const guard = guardOf(client)
    if (claim === 'identifier') return codes.identifier
    let peer: Peer | null = null
    try {
      peer = claim === 'credentials' ? null : await peerOf(claim)
    } catch (error) {
      log.warn({ err: error }, 'login cannot be checked')
      return codes.unavailable
    }
    if (!peer) return (await throttle.failed(guard.ip)) ? codes.credentials : -1
    if (guard.destroyed) return -1
    if (will !== null && !mayPublish(peer, will)) return codes.notAllowed
    if (peer.kind === 'device' && !peer.main && !fleet.hasRoom(peer.sn, clientId)) return codes.notAllowed
    if (peer.kind === 'source' && !south.hasRoom(peer.accountId)) return codes.notAllowed
    admit(guard, peer, clientId, clean)
    return 0
  }

  function admit(guard: Guard, peer: Peer, clientId: string, clean: boolean): void {
    guard.peer = peer
    guard.clientId = clientId
    guard.draining = clean ? null : new Draining(tools.shared)
    if (peer.kind === 'device') {
      for (const other of fleet.of(peer.sn)) {
        if (other.clientId === clientId) other.endReason ??= 'takenOver'
      }
      const found = sessions.enter(clientId, peer.sn, peer.customerId, clean || tools.shared)
      guard.sessionPresent = found && !tools.shared
    } else if (peer.kind === 'source') south.enter(guard, peer)
    else if (peer.kind === 'enrolling') {
      const over = setTimeout(() => guard.cut('disconnected'), limits.enrolMs).unref()
      guard.once('close', () => clearTimeout(over))
    }
    fleet.enter(guard)
  }

  return {
    preConnect,
    authenticate: (client: Client, done: (error: AuthenticateError | null, good: boolean | null) => void) => {
      decide(client).then(
        (code) => {
          pending.delete(client)
          metrics.login(code === 0 ? 'accepted' : `refused${code > 0 ? code : ''}`)
          if (code === 0) return done(null, true)
          if (code < 0) return guardOf(client).cut('protocolError')
          done(refusal(code), null)
        },
        (error: unknown) => {
          log.error({ err: error }, 'login failed')
          guardOf(client).cut('protocolError')
        },
      )
    },
  }
}
