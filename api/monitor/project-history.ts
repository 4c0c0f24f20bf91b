/**
 * The disk space of a project's samples. Counting them would read all of them; instead some pages of some days are
 * sampled [decisions/137]. Reports are partitioned by day, so the size of a day is known.
 */
import { sql } from 'drizzle-orm'
import { getProjectHistory } from '#schema/monitor/project'
import { rowOf } from '../kit/about.ts'
import { type CallContext, handler } from '../kit/handler.ts'
import { projectGroups } from './project-figures.ts'
import { storedProject } from './project-object.ts'

const DAYS_SAMPLED = 24
const PAGES_SAMPLED = 100
const PAGE_BYTES = 8192

type Day = { name: string; day: string; bytes: number; pages: number }

/** The days with any data, oldest first. */
const filledDays = ({ db }: CallContext) =>
  db.execute<Day>(sql`
    select c.relname as name, to_char(to_date(right(c.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') as day,
      pg_total_relation_size(c.oid)::float8 as bytes, (pg_relation_size(c.oid) / ${PAGE_BYTES})::int as pages
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'variable_reports'::regclass and c.relname ~ '^variable_reports_[0-9]{8}$' and pg_relation_size(c.oid) > 0
    order by 1`)

/** Evenly spread, with the first and the last. */
export function spread<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all]
  return Array.from({ length: most }, (_, n) => all[Math.round((n * (all.length - 1)) / (most - 1))] as T)
}

/**
 * The share of a day's bytes that belongs to these terminals: from the same pages each time, so that the figure is
 * stable.
 */
async function shareOf(
  { db }: CallContext,
  { name, pages }: Day,
  terminalIds: readonly number[],
): Promise<number> {
  const percent = Math.min(100, (100 * PAGES_SAMPLED) / Math.max(1, pages))
  const [row] = await db.execute<{ share: number | null }>(sql`
    select (sum(pg_column_size(r.*)) filter (where r.terminal_id = any(${sql.param([...terminalIds])}::int[])))::float8
      / nullif(sum(pg_column_size(r.*)), 0) as share
    from ${sql.identifier(name)} r tablesample system (${percent}) repeatable (1)`)
  return row?.share ?? 0
}

export const getProjectHistoryHandler = handler(getProjectHistory, async (ctx) => {
  const { id } = rowOf(ctx, storedProject)
  const platformDays = await ctx.parameters.get('variableDays')
  const terminals = await ctx.db.execute<{ id: number }>(sql`
    select t.id from terminals t join devices d on d.id = t.device_id where d.group_id in (${projectGroups(id)})`)
  const ids = terminals.map((terminal) => terminal.id)
  const days = ids.length === 0 ? [] : [...(await filledDays(ctx))]
  const shares: { place: number; share: number }[] = []
  for (const place of spread([...days.keys()], DAYS_SAMPLED)) {
    const day = days[place]
    if (day) shares.push({ place, share: await shareOf(ctx, day, ids) })
  }
  // Each day has the share of the nearest sampled day.
  const near = (place: number) =>
    shares.reduce((best, one) => (Math.abs(one.place - place) < Math.abs(best.place - place) ? one : best))
      .share
  return {
    platformDays,
    days: days.flatMap(({ day, bytes }, place) => {
      const own = Math.round(bytes * near(place))
      return own > 0 ? [{ day, bytes: own }] : []
    }),
  }
})
