/** An outage of the platform's file server does not count as silence of devices [decisions/071]. */
import type { ISql } from 'postgres'
import { taskKinds } from '#infra/task-kinds'
import { SERVING_LOST_MS } from '#schema/platform/serving'

/** Steps in which the device needs a file server to continue. */
const STEPS = ['sent', 'connected', 'downloading'] as const

const fetching = [...taskKinds.values()].filter(({ sends }) => sends.by === 'offer').map(({ name }) => name)

/** Offered, but not confirmed as sent: for the device that is the step `sent`. */
const stepOf = (sql: ISql) =>
  sql`case when i.step = 'created' and i.sending <> 'none' then 'sent' else i.step end`

/** The time that item `i` of task `t` has for its present step; null while it waits for its turn. */
export const stepSeconds = (sql: ISql, scale: number) =>
  sql`(t.deadlines->>(${stepOf(sql)}))::float8 * ${scale}::float8`

/**
 * Whether the deadline of item `i` of task `t` is suspended: its device needs a file server, and there is
 * none, or there has not been one for the whole deadline of this step. So after a gap each item has the full
 * deadline of its step again.
 */
export const servingGap = (sql: ISql, scale: number) => {
  const step = stepOf(sql)
  return sql`exists (select 1 from serving_marks m
    where m.service = 'files' and (m.beat_at < now() - ${SERVING_LOST_MS} * interval '1 millisecond'
      or m.since > now() - make_interval(secs => ${stepSeconds(sql, scale)}))
    and t.kind = any(${fetching}) and ${step} = any(${[...STEPS]}::text[]))`
}
