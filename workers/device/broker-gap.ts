import type { Fragment, ISql } from 'postgres'
import { BROKER_LOST_MS } from '#schema/platform/upkeep'

/**
 * No broker is running, or one started after `grace`, so that devices are still reconnecting: their silence means
 * nothing. [decisions/011]
 */
export const brokerGap = (sql: ISql, grace: Date) => sql`(
  not exists (select 1 from brokers b where b.beat_at > now() - ${BROKER_LOST_MS} * interval '1 millisecond')
  or exists (select 1 from brokers b where b.started_at > ${grace}))`

/**
 * No broker has been running for these seconds without a gap. A change of the system clock is such a gap too: heartbeats
 * seem to be missing, and all that had time left has none [decisions/061].
 */
export const noBrokerFor = (sql: ISql, now: Date, seconds: Fragment) => sql`exists (
  select 1 from (select min(b.started_at) as up from brokers b
    where b.beat_at > now() - ${BROKER_LOST_MS} * interval '1 millisecond') living
  where living.up > ${now}::timestamptz - make_interval(secs => ${seconds}))`
