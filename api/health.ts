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

async function dependencies(
  context: Context,
): Promise<{ judged: Record<string, boolean>; working: boolean }> {
  try {
    const asked = context.sql<{ beat: boolean; queue: boolean }[]>`
      select exists (select 1 from brokers where beat_at > now() - ${BROKER_LOST_MS} * interval '1 millisecond') as beat,
        to_regnamespace('bullmq') is not null as queue`
    const [row] = await withinTime('readiness', READY_MS, asked)
    const working = (await withinTime('readiness', READY_MS, silentSince(context))) === null
    const queue = context.env.REDIS_URL ? await context.queue.answers() : (row?.queue ?? false)
    return { judged: { postgres: true, broker: row?.beat ?? false, queue }, working }
  } catch (error) {
    context.log.warn({ err: error }, 'readiness: postgres')
    return { judged: { postgres: false, broker: false, queue: false }, working: false }
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
    const { judged, working } = await dependencies(context)
    // Reported without affecting readiness: without mail or workers this process still works, and restarting it would
    // not help.
    const told = { workers: working, mail: mailWay(context.env) }
    return reply.status(Object.values(judged).every(Boolean) ? 200 : 503).send({ ...judged, ...told })
  })
  app.get('/metrics', async (request, reply) => {
    if (!mayReadMetrics(context, request))
      return reply.status(403).send('metrics: loopback or METRICS_TOKEN only\n')
    return reply.type(context.metrics.contentType).send(await metrics.scrape())
  })
}
