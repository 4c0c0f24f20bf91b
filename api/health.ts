/** Liveness, readiness by name, and metrics. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '#infra/context'
import { withinTime } from '#infra/deadline'
import { mailWay } from '#infra/mail'
import { sameText } from '#infra/secrets'
import { BROKER_LOST_MS } from '#schema/platform/upkeep'
import { isLocal } from './kit/forwarded.ts'
import type { CallMetrics } from './kit/metrics.ts'
import { silentSince } from './platform/work-state.ts'

/** A health check must respond quickly. */
const READY_MS = 5_000

/** Features that do not work while Redis is unavailable; all others do, so the api stays in its load balancer. */
const WITHOUT_REDIS = [
  'jobs wait: upgrades, commands, alarms and mail go on when it is back',
  'devices with a stored session cannot log in, those with a clean one can',
  'messages do not reach devices on another broker',
]

/** The same for the object store: devices that download wait and retry, and nothing else needs it. */
const WITHOUT_FILES = [
  'downloads wait: upgrades and restores go on when the store is back, their deadlines are suspended',
  'packages, configuration files and backups are not taken',
  'terminals that must be recorded do not open',
]

/** A standby that was not promoted, or `default_transaction_read_only`. */
const READ_ONLY = 'PostgreSQL is read-only: nothing is stored, and nobody can log in'

type Dependencies = { judged: Record<string, boolean>; details: Record<string, unknown> }

/** A local folder is not reported: without it the process does not start. */
async function storeState({ env, files }: Context) {
  if (!env.FILES_URL) return {}
  return (await files.answers()) ? { files: true } : { files: false, withoutFiles: WITHOUT_FILES }
}

async function dependencies(context: Context): Promise<Dependencies> {
  try {
    const asked = context.sql<{ beat: boolean; queue: boolean; stores: boolean }[]>`
      select current_setting('transaction_read_only') = 'off' as stores,
        exists (select 1 from brokers where beat_at > now() - ${BROKER_LOST_MS} * interval '1 millisecond') as beat,
        to_regnamespace('bullmq') is not null as queue`
    const [row] = await withinTime('readiness', READY_MS, asked)
    const working = (await withinTime('readiness', READY_MS, silentSince(context))) === null
    const stores = row?.stores ?? false
    const judged = { postgres: stores, broker: row?.beat ?? false }
    const stored = { ...(stores ? {} : { readOnly: READ_ONLY }), ...(await storeState(context)) }
    if (!context.env.REDIS_URL)
      return { judged: { ...judged, queue: row?.queue ?? false }, details: { workers: working, ...stored } }
    const queue = await context.queue.answers()
    const details = { queue, workers: working, ...stored }
    return { judged, details: { ...details, ...(queue ? {} : { withoutRedis: WITHOUT_REDIS }) } }
  } catch (error) {
    context.log.warn({ err: error }, 'readiness: postgres')
    return { judged: { postgres: false, broker: false, queue: false }, details: { workers: false } }
  }
}

function mayReadMetrics(context: Context, request: FastifyRequest): boolean {
  const token = context.env.METRICS_TOKEN
  const given = request.headers.authorization ?? ''
  if (token && sameText(given, `Bearer ${token}`)) return true
  return isLocal(context, request)
}

export function serveHealth(app: FastifyInstance, context: Context, metrics: CallMetrics): void {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    // These facts do not affect readiness: without mail, workers or Redis this process still works, and restarting it
    // would not help.
    const { judged, details } = await dependencies(context)
    const ready = Object.values(judged).every(Boolean)
    return reply.status(ready ? 200 : 503).send({ ...judged, ...details, mail: mailWay(context.env) })
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(context, request))
      return reply.status(403).send('metrics: loopback or METRICS_TOKEN only\n')
    return reply.type(context.metrics.contentType).send(await metrics.scrape())
  })
}
