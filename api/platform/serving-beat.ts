/**
 * Tells the workers that files are served: while no api process does, download deadlines are suspended
 * [decisions/071].
 */
import type { Context } from '#infra/context'
import { SERVING_BEAT_MS, SERVING_LOST_MS } from '#schema/platform/serving'

/**
 * Any process may write the heartbeat: it only matters whether any process serves. A timestamp ahead of the clock is
 * overwritten.
 */
const beat = ({ sql }: Pick<Context, 'sql'>) => sql`
  insert into serving_marks as m (service, since, beat_at) values ('files', now(), now())
  on conflict (service) do update set beat_at = now(),
    since = case when m.since > now() or m.beat_at < now() - ${SERVING_LOST_MS} * interval '1 millisecond'
      then now() else m.since end`

/** Files that cannot be read are not served. */
async function beatIfServing(context: Pick<Context, 'sql' | 'files'>): Promise<void> {
  if (!(await context.files.answers())) throw new Error('the file store does not answer')
  await beat(context)
}

export function startServingBeat(context: Pick<Context, 'sql' | 'log' | 'files'>): {
  close(): Promise<void>
} {
  let beating: Promise<unknown> | null = null
  const next = () => {
    beating ??= beatIfServing(context)
      .catch((error: unknown) => context.log.warn({ err: error }, 'no heartbeat of the file server'))
      .finally(() => {
        beating = null
      })
  }
  next()
  const timer = setInterval(next, SERVING_BEAT_MS)
  return {
    close: async () => {
      clearInterval(timer)
      await beating
    },
  }
}
