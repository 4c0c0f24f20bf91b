/** The disk space of the rows of a retention parameter. Sizes come from PostgreSQL's catalogue: nothing is counted. */
import { sql } from 'drizzle-orm'
import { getParameterUse } from '#schema/platform/parameter'
import { retention } from '#schema/tables/retention'
import { handler } from '../kit/handler.ts'

export const getParameterUseHandler = handler(getParameterUse, async ({ db, actor }, body) => {
  const tables = Object.entries(retention).flatMap(([table, { days }]) => (days === body.key ? [table] : []))
  // The tables hold the rows of all customers.
  if (tables.length === 0 || actor.customerId !== null) return { bytes: null }
  // A partitioned table itself is empty; other tables have no partitions.
  const [row] = await db.execute<{ bytes: number }>(sql`
    select sum(pg_total_relation_size(named) + (
      select coalesce(sum(pg_total_relation_size(relid)), 0) from pg_partition_tree(named) where relid <> named
    ))::float8 as bytes
    from unnest(${sql.param(tables)}::regclass[]) as named`)
  return { bytes: row?.bytes ?? 0 }
})
