/**
 * The ingest process: devices connect to an external broker, and what they send is stored here as our own broker does,
 * and acknowledged to the external one after the commit [decisions/138].
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { keepsAccounts } from '#infra/broker-account'
import type { Context } from '#infra/context'
import { openDeviceLine } from '#infra/service-mqtt'
import { EXTERNAL_BROKER } from '#schema/device/presence'
import { startHeartbeat } from '../heartbeat.ts'
import { openIngest } from '../ingest.ts'
import { openMetrics } from '../metrics.ts'
import { readUplinks } from '../read-uplinks.ts'
import { openStore, type Store } from '../store.ts'
import { openWarnings } from '../warnings.ts'
import { openAccounts } from './accounts.ts'
import { openConnections } from './connections.ts'
import { openDevices } from './devices.ts'
import { openEnrolling } from './enrolling.ts'
import { openKicks } from './kick.ts'
import { type Line, openLine } from './line.ts'
import { filtersOf } from './rules.ts'
import { shareSessions } from './sessions.ts'
import { openTake } from './take.ts'

const TICK_MS = 500

export async function startIngest(context: Context) {
  const { env, log } = context
  const uplinks = await readUplinks()
  const gate = { closed: false }
  const lines = new Map<number, Line>()
  let store: Store | null = null
  const metrics = openMetrics(context.metrics, {
    connections: () => lines.size,
    held: () => store?.held() ?? 0,
  })
  const warnings = openWarnings(context)
  store = openStore(context, uplinks.hot, uplinks.filed, metrics, gate)
  const kept = store
  /** Since when this process has received the messages of its sessions: null if one of them is down, or it has none. */
  const hearsSince = () => {
    const since = [...lines.values()].map((line) => line.since())
    return since.length === 0 || since.includes(null) ? null : Math.max(...since.map(Number))
  }
  const connections = openConnections(context, warnings, hearsSince)
  const devices = await openDevices(context)
  const service = openDeviceLine(env, 'ingest')
  const accounts = keepsAccounts(env) ? await openAccounts(context) : null
  const kicks = env.EXTERNAL_MQTT_KIND === 'emqx' ? await openKicks(context) : null
  const take = openTake({
    log,
    devices,
    ingest: openIngest(uplinks.declared, uplinks.hot, { store, metrics, warnings, now: context.now }),
    store,
    metrics,
    connections,
    enrolling: openEnrolling(context, uplinks.session, service, accounts?.settled ?? (async () => undefined)),
  })
  const heartbeat = await startHeartbeat(context, EXTERNAL_BROKER, {
    connected: () => [...lines.values()].some((line) => line.since() !== null),
  })
  const sessions = await shareSessions(context, (session) => {
    const line = openLine({
      url: new URL(env.EXTERNAL_MQTT_URL ?? ''),
      clientId: `iot-ingest-${session}`,
      username: env.EXTERNAL_MQTT_USERNAME,
      password: env.EXTERNAL_MQTT_PASSWORD ?? '',
      ...filtersOf(env.EXTERNAL_MQTT_KIND, env.EXTERNAL_MQTT_SESSIONS),
      log,
      take,
      opened: heartbeat.now,
    })
    lines.set(session, line)
    // The process that serves the first session also manages the accounts.
    if (session === 1) accounts?.lead(true)
    return async () => {
      lines.delete(session)
      if (session === 1) accounts?.lead(false)
      await line.close()
    }
  })
  const ticker = setInterval(() => kept.watchGate(), TICK_MS)

  return {
    lacks: () => [
      ...[...lines].flatMap(([session, line]) => {
        const problem = line.problem()
        return problem === null ? [] : [`session ${session} of the external broker: ${problem}`]
      }),
      ...(accounts?.lacks() ?? []),
      ...(kicks?.lacks() ?? []),
    ],
    close: async () => {
      clearInterval(ticker)
      await sessions.close()
      await accounts?.close()
      await kicks?.close()
      await Promise.race([kept.close(), sleep(7_000)])
      await Promise.race([Promise.all([connections.close(), warnings.close()]), sleep(2_000)])
      await service.close()
      await devices.close()
      await heartbeat.close()
    },
  }
}
