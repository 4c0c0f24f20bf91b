/** Whether a foreign source is connected to any broker; each broker updates this every five seconds. */
import { sql } from 'drizzle-orm'

/** @param brokers the column of `south_states` */
const live = (brokers: string) => sql`
  from jsonb_each(${sql.raw(brokers)}) b
  where (b.value ->> 'at')::float8 > extract(epoch from now()) * 1000 - 15000`

export const isSeen = (brokers: string) => sql<boolean>`exists (select 1 ${live(brokers)})`
/** The sum over all brokers. */
export const messagesPerSecond = (brokers: string) =>
  sql<number>`(select coalesce(sum((b.value ->> 'perSecond')::float8), 0) ${live(brokers)})`.mapWith(Number)
