/** Assembles the broker. */
import { randomUUID } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Aedes } from 'aedes'
import type { Context } from '#infra/context'
import { openAuthorize } from './authorize.ts'
import { openBackbone } from './backbone.ts'
import { disableDuplicateFilter, numberPacketsFromOne } from './client-fixes.ts'
import { openCredentials } from './credentials.ts'
import { openDeviceRates } from './device-rates.ts'
import { openEnrolment } from './enrolment.ts'
import { openFastPublish } from './fast-publish.ts'
import { openFleet } from './fleet.ts'
import { Guard } from './guard.ts'
import { startHeartbeat } from './heartbeat.ts'
import type { GuardHost } from './host.ts'
import { openIngest } from './ingest.ts'
import { leaveGradually } from './leave.ts'
import { limits } from './limits.ts'
import { openListeners } from './listeners.ts'
import { guardOf, openLogin } from './login.ts'
import { watchLongestHeartbeat } from './longest-heartbeat.ts'
import { openMetrics } from './metrics.ts'
import { openPresence } from './presence.ts'
import { readUplinks } from './read-uplinks.ts'
import { startRevocation } from './revocation.ts'
import { SessionStore } from './sessions.ts'
import { startBalance } from './shared/balance.ts'
import { openSouth } from './south/south.ts'
import { openStore, type Store } from './store.ts'
import { openThrottle } from './throttle.ts'
import { openWarnings } from './warnings.ts'

const TICK_MS = 500
/** How often messages for sessions that stay away are looked at. */
const OLD_MS = 3_600_000
/**
 * If a tick is this late, the process was suspended, alone or with its host, and has not yet read what was
 * sent meanwhile.
 */
const SUSPENDED_MS = 2_000

export type Broker = {
  ports: { mqtt: number; mqtts: number; ws: number }
  /** Disconnects all devices, evenly spread over this time, so that other brokers can take them over. */
  leave(ms: number): Promise<void>
  close(): Promise<void>
}

/** @param context a broker's; a port of 0 means any free one, and the result contains the actual ports. */
export async function startBroker(context: Context): Promise<Broker> {
  const { log, env } = context
  const brokerId = randomUUID()
  const uplinks = await readUplinks()
  const gate = { closed: false }
  const output = { tight: false }
  const fleet = openFleet()
  const guards = new Set<Guard>()
  const refused = () => metrics.refused('kept')
  const sessions = new SessionStore(refused)
  let store: Store | null = null
  const metrics = openMetrics(context.metrics, {
    connections: () => fleet.all.size,
    held: () => store?.held() ?? 0,
  })
  const throttle = openThrottle({
    tooMany: (ip, first) => {
      metrics.refused('address')
      if (first) log.warn({ ip }, 'too many connections from one address: more are closed for a minute')
    },
  })
  const warnings = openWarnings(context)
  store = openStore(context, uplinks.hot, uplinks.filed, metrics, gate)
  const presence = openPresence(context, brokerId, fleet, warnings)
  const heartbeat = await startHeartbeat(context, brokerId)
  heartbeat.reportAgain(fleet, presence)
  const ingest = openIngest(uplinks.declared, uplinks.hot, { store, metrics, warnings, now: context.now })
  const south = await openSouth({
    sql: context.sql,
    log,
    now: context.now,
    file: store.file,
    hasRoom: store.hasRoom,
  })
  const enrolment = openEnrolment(context, fleet, uplinks.session)
  const backbone = openBackbone(brokerId, env.REDIS_URL, sessions, fleet, log, refused)
  const { persistence } = backbone
  const authorize = openAuthorize({ ingest, enrolment, fleet, south, store, persistence, metrics, warnings })
  const login = openLogin({
    env,
    log,
    credentials: openCredentials(context),
    fleet,
    south,
    sessions,
    throttle,
    metrics,
    shared: backbone.shared,
  })

  const aedes = await Aedes.createBroker({
    id: brokerId,
    ...backbone.options,
    // The maximum of Aedes; our own lower limit is checked elsewhere and results in 0x80 instead of closing.
    maxTopicLevels: 100,
    maxInflightInbound: limits.inboundQos2,
    // The guard enforces these timeouts itself.
    drainTimeout: 0,
    connectTimeout: 3 * limits.connectMs,
    preConnect: (client, packet, done) => {
      disableDuplicateFilter(client)
      login.preConnect(client, packet)
      numberPacketsFromOne(
        client,
        (id) => guardOf(client).inflight.has(id) || sessions.session(client.id)?.counterOf.has(id) === true,
      )
      done(null, true)
    },
    authenticate: (client, _username, _password, done) => login.authenticate(client, done),
    authorizePublish: authorize.publish,
    authorizeSubscribe: authorize.subscribe,
    authorizeForward: authorize.forward,
  })
  // Errors caused by a broken client arrive here too; they must not end the process.
  const events: EventEmitter = aedes
  events.on('error', (error: Error) => log.error({ err: error }, 'broker'))
  aedes.on('clientError', (client, error) => {
    guardOf(client).endReason ??= 'protocolError'
    log.debug({ err: error, client: client.id }, 'client')
  })
  aedes.on('connackSent', (packet, client) => {
    if (packet.returnCode === 0) guardOf(client).opened()
  })
  aedes.on('client', (client) => {
    const guard = guardOf(client)
    if (guard.peer?.kind !== 'device' || !guard.peer.main || guard.closed) return
    const { peer } = guard
    presence.online(peer, guard)
    guard.once('close', () => presence.offline(peer, guard.reason))
  })
  aedes.on('clientReady', (client) => backbone.ready(client, guardOf(client)))
  aedes.on('subscribe', (_filters, client) => guardOf(client).subscribed())
  aedes.on('unsubscribe', (filters, client) => {
    const guard = guardOf(client)
    for (const filter of filters) guard.filters.delete(filter)
    guard.subscribed()
  })
  const revocation = await startRevocation(context, fleet, sessions)

  const balance = backbone.shares && startBalance(fleet, backbone.shares, log)
  const heartbeats = watchLongestHeartbeat(context)
  const rates = openDeviceRates(warnings)
  const takeFast = openFastPublish({ ingest, store, listened: backbone.listened })
  const host: GuardHost<Guard> = {
    gate,
    output,
    longestHeartbeat: heartbeats.longest,
    take: (guard, ...publish) => {
      rates.count(guard)
      return takeFast(guard, ...publish)
    },
    weigh: fleet.weigh,
    refused: (guard, why) => {
      metrics.refused(guard.peer ? 'packet' : 'connect')
      log.debug({ ip: guard.ip, why, peer: guard.clientId }, 'connection cut')
    },
    connecting: (guard) => aedes.handle(guard),
  }
  const listeners = await openListeners(context, (socket, from) => {
    if (!throttle.admit(from.ip)) return socket.destroy()
    const guard = new Guard(socket, from, host)
    guards.add(guard)
    guard.once('close', () => {
      guards.delete(guard)
      const connections = guard.peer && 'sn' in guard.peer ? fleet.of(guard.peer.sn) : []
      if (!connections.some((other) => other !== guard && other.clientId === guard.clientId))
        sessions.leave(guard.clientId)
    })
  })

  let ticked = performance.now()
  let awakeAt = ticked
  const ticker = setInterval(() => {
    const now = performance.now()
    if (now - ticked > SUSPENDED_MS) awakeAt = now
    ticked = now
    let waiting = 0
    store.watchGate()
    for (const guard of guards) {
      guard.tick(now, awakeAt)
      waiting += guard.writableLength
    }
    output.tight = waiting > limits.outputTotalBytes
  }, TICK_MS)

  const oldTimer = setInterval(() => sessions.removeOld(), OLD_MS)

  return {
    ports: listeners.ports,
    leave: (ms) => {
      balance?.stop()
      return leaveGradually(guards, ms)
    },
    /** Stops accepting, acknowledges what was received, and marks all devices offline. */
    close: async () => {
      listeners.close()
      clearInterval(ticker)
      clearInterval(oldTimer)
      balance?.stop()
      heartbeats.close()
      gate.closed = true
      for (const guard of guards) guard.flow()
      // Nothing that does not end keeps the rest from being closed.
      const atMost = (ms: number, work: Promise<unknown>) => Promise.race([work, sleep(ms)])
      await atMost(2_000, south.close())
      await atMost(7_000, store.close())
      for (const guard of guards) guard.cut('brokerStopped')
      await atMost(2_000, revocation.close())
      await atMost(2_000, new Promise<void>((done) => aedes.close(() => done())))
      await atMost(2_000, Promise.all([presence.close(), warnings.close()]))
      await heartbeat.close()
      await backbone.close()
    },
  }
}
