/**
 * Packs status samples of days that ended a day ago, one device and day at a time; late ones are added to what is
 * packed. Each batch is one statement: a killed process neither loses nor duplicates any [decisions/141].
 */
import { packSamples } from '#schema/platform/pack-samples'
import { packSql } from '#schema/tables/status-pack'
import { processor, type WorkerContext } from '../kit/processor.ts'

const DAY_MS = 86_400_000
/** Devices in one statement: of a full day some 60,000 samples. */
const BATCH = 20
/** How long to wait for the lock of a day's partition; one that is in use is truncated in a later round. */
const LOCK_MS = 500
/** Advisory lock. */
const PACK_LOCK = 7304

/** The time of storing up to which both roll-ups have read the samples; null: none. */
async function summedUntil({ sql }: WorkerContext): Promise<string | null> {
  const [row] = await sql<{ until: string | null }[]>`
    select least((select at from rollup_cursors where name = 'signal'), (select at from traffic_cursors where device_id = 0))::text as until
    where exists (select 1 from rollup_cursors where name = 'signal') and exists (select 1 from traffic_cursors where device_id = 0)`
  return row?.until ?? null
}

/**
 * Midnights of days with samples to pack, the oldest first. Days are known from the partitions, and of each only the first sample is
 * read: the least time of all samples would read a backlog of some days completely, which after a pause of the workers takes
 * longer than the time limit of a statement, and nothing would be packed again.
 */
export const daysToPack = (sql: WorkerContext['sql'], now: Date, until: string) => sql<{ day: string }[]>`
  select days.day::text as day from (
    select to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD')::timestamp at time zone 'UTC' as day from pg_inherits
    where inhparent = 'status_samples'::regclass and inhrelid <> 'status_samples_default'::regclass
    union select distinct date_trunc('day', at, 'UTC') from status_samples_default) days
  cross join lateral (
    select 1 from status_samples s where s.at >= days.day and s.at < days.day + interval '1 day'
      and s.stored_at <= ${until}::text::timestamptz limit 1) filled
  where days.day < ${new Date(Math.floor((now.getTime() - DAY_MS) / DAY_MS) * DAY_MS)} order by days.day`

/**
 * One at a time, and the statement begins after the one before is committed: two that added to one pack at once would each see it
 * without the other's samples.
 */
const packBatch = ({ sql }: WorkerContext, ids: number[], day: string, until: string): Promise<number> =>
  sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${PACK_LOCK})`
    const { count } = await tx.unsafe(packSql, [ids, day, until])
    return count
  })

async function packDay(ctx: WorkerContext, day: string, until: string): Promise<number> {
  let packs = 0
  for (let last = 0; ; ) {
    const found = await ctx.sql<{ id: number }[]>`
      select d.id from devices d where d.id > ${last} and exists (
        select 1 from status_samples s where s.device_id = d.id and s.at >= ${day}::text::timestamptz
          and s.at < ${day}::text::timestamptz + interval '1 day' and s.stored_at <= ${until}::text::timestamptz)
      order by d.id limit ${BATCH}`
    const ids = found.map(({ id }) => id)
    if (ids.length === 0) return packs
    packs += await packBatch(ctx, ids, day, until)
    last = ids.at(-1) ?? last
  }
}

/** An empty partition gives its space back, indexes too, which deleting does not. */
async function giveBack({ sql }: WorkerContext, day: string): Promise<void> {
  const name = `status_samples_${day.slice(0, 10).replaceAll('-', '')}`
  const [there] = await sql`select 1 from pg_class where relname = ${name} and pg_relation_size(oid) > 0`
  if (!there) return
  try {
    await sql.begin(async (tx) => {
      await tx`set local lock_timeout = ${tx.unsafe(String(LOCK_MS))}`
      await tx`lock table ${tx(name)} in access exclusive mode`
      const [left] = await tx`select 1 from ${tx(name)} limit 1`
      if (!left) await tx`truncate ${tx(name)}`
    })
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error
  }
}

export const packSamplesJob = processor(packSamples, async (ctx) => {
  const until = await summedUntil(ctx)
  if (until === null) return { packs: 0 }
  let packs = 0
  for (const { day } of await daysToPack(ctx.sql, ctx.now(), until)) {
    packs += await packDay(ctx, day, until)
    await giveBack(ctx, day)
  }
  return { packs }
})
