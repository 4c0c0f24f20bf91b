/** A file server of ours that was away is no silence of a device [decisions/071]. */
import type { ISql } from 'postgres'
import { taskKinds } from '#infra/task-kinds'
import { SERVING_LOST_MS } from '#schema/platform/serving'

/** While in these steps, the device needs a file server to go on. */
const STEPS = ['sent', 'connected', 'downloading'] as const

const fetching = [...taskKinds.values()].filter(({ sends }) => sends.by === 'offer').map(({ name }) => name)

/**
 * Whether the deadline of item `i` of task `t` does not count: its device needs a file server, and there is none, or has not
 * been one for as long as this step may last. So after a gap each item has the whole time of its step again.
 */
export const servingGap = (sql: ISql, scale: number) => {
  // Offered, with no word that it left: for the device that is the step `sent`.
  const step = sql`case when i.step = 'created' and i.sending <> 'none' then 'sent' else i.step end`
  return sql`exists (select 1 from serving_marks m
    where m.service = 'files' and (m.beat_at < now() - ${SERVING_LOST_MS} * interval '1 millisecond'
      or m.since > now() - make_interval(secs => (t.deadlines->>(${step}))::float8 * ${scale}::float8))
    and t.kind = any(${fetching}) and ${step} = any(${[...STEPS]}::text[]))`
}
