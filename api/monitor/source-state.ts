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

/**
 * Whether the terminal `t` gets its values from a foreign source that is connected: no gateway polls it, so none says that it
 * answers.
 */
export const isFed = sql<boolean>`exists (select 1 from south_terminals l
  join south_accounts a on a.id = l.account_id and a.enabled join south_states x on x.account_id = a.id
  where l.terminal_id = t.id and ${isSeen('x.brokers')})`
