import type { ISql } from 'postgres'
import { BROKER_LOST_MS } from '#schema/platform/upkeep'

/**
 * No broker is running, or one started after `grace`, so that devices are still reconnecting: their silence means
 * nothing. [decisions/011]
 */
export const brokerGap = (sql: ISql, grace: Date) => sql`(
  not exists (select 1 from brokers b where b.beat_at > now() - ${BROKER_LOST_MS} * interval '1 millisecond')
  or exists (select 1 from brokers b where b.started_at > ${grace}))`
