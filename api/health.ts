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

/** What does not work while Redis is away; everything else does, so such an api stays in its balancer. */
const WITHOUT_REDIS = [
  'jobs wait: upgrades, commands, alarms and mail go on when it is back',
  'devices with a stored session cannot log in, those with a clean one can',
  'messages do not reach devices on another broker',
]

type Dependencies = { judged: Record<string, boolean>; told: Record<string, unknown> }

async function dependencies(context: Context): Promise<Dependencies> {
  try {
    const asked = context.sql<{ beat: boolean; queue: boolean }[]>`
      select exists (select 1 from brokers where beat_at > now() - ${BROKER_LOST_MS} * interval '1 millisecond') as beat,
        to_regnamespace('bullmq') is not null as queue`
    const [row] = await withinTime('readiness', READY_MS, asked)
    const working = (await withinTime('readiness', READY_MS, silentSince(context))) === null
    const judged = { postgres: true, broker: row?.beat ?? false }
    if (!context.env.REDIS_URL)
      return { judged: { ...judged, queue: row?.queue ?? false }, told: { workers: working } }
    const queue = await context.queue.answers()
    return { judged, told: { queue, workers: working, ...(queue ? {} : { withoutRedis: WITHOUT_REDIS }) } }
  } catch (error) {
    context.log.warn({ err: error }, 'readiness: postgres')
    return { judged: { postgres: false, broker: false, queue: false }, told: { workers: false } }
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
    // What is told does not affect readiness: without mail, workers or Redis this process still works, and restarting
    // it would not help.
    const { judged, told } = await dependencies(context)
    const ready = Object.values(judged).every(Boolean)
    return reply.status(ready ? 200 : 503).send({ ...judged, ...told, mail: mailWay(context.env) })
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(context, request))
      return reply.status(403).send('metrics: loopback or METRICS_TOKEN only\n')
    return reply.type(context.metrics.contentType).send(await metrics.scrape())
  })
}
