import type { Sql, Transaction } from './postgres.ts'

/** Partitioned by day of `at`, UTC. */
export const partitionedTables = [
  'status_samples',
  'status_packs',
  'device_logs',
  'probe_samples',
  'variable_reports',
] as const
const DAY_MS = 86_400_000
/** Advisory lock, held for one statement. */
const CREATION_LOCK = 7303
/** Rows deleted per statement. */
const BATCH = 5_000
/**
 * A partition is made and dropped under a lock of the whole table. While it waits for a long reader, such as a backup, everybody
 * who comes after waits for it, reports of devices as well: so it gives up soon, and is tried again at the next run.
 */
const LOCK_MS = 500
const SOON = `set local lock_timeout = ${LOCK_MS}`

/** Returns false if the table is being read for longer. */
async function unlessRead(work: PromiseLike<unknown>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if ((error as { code?: string }).code !== '55P03') throw error
    return false
  }
}

const dayName = (day: Date) => day.toISOString().slice(0, 10)
const utc = (day: string) => `${day}T00:00:00Z`

/**
 * Creates the partitions from `daysBack` days before `now` to `daysAhead` days after it; existing ones are unchanged.
 * `patient`: waits for those who read the tables; otherwise the partitions of a table that is being read are left for the next time.
 */
export async function ensurePartitions(
  sql: Sql | Transaction,
  now: Date,
  {
    daysBack = 1,
    daysAhead = 7,
    tables = partitionedTables,
    patient = true,
  }: {
    daysBack?: number
    daysAhead?: number
    tables?: readonly (typeof partitionedTables)[number][]
    patient?: boolean
  } = {},
): Promise<void> {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  for (const table of tables) {
    for (let offset = -daysBack; offset <= daysAhead; offset++) {
      const from = dayName(new Date(today + offset * DAY_MS))
      const to = dayName(new Date(today + (offset + 1) * DAY_MS))
      const name = `${table}_${from.replaceAll('-', '')}`
      const [found] = await sql`select 1 from pg_class where relname = ${name}`
      if (found) continue
      // Rows that were stored in the default partition while this day had none would block its creation: they stay
      // there.
      const [stray] =
        await sql`select 1 from ${sql(`${table}_default`)} where at >= ${utc(from)} and at < ${utc(to)} limit 1`
      if (stray) continue
      // Under a lock: of two that create the same table at once, "if not exists" fails in one.
      const made = sql.unsafe(
        `select pg_advisory_xact_lock(${CREATION_LOCK}); ${patient ? '' : `${SOON};`}
         create table if not exists "${name}" partition of "${table}" for values from ('${utc(from)}') to ('${utc(to)}')`,
      )
      if (patient) await made
      else if (!(await unlessRead(made))) break
    }
  }
}

/**
 * Drops the partitions all of whose rows are older than `days` days; returns their names. If the table is being read, the rest is
 * left for the next time.
 */
export async function dropOldPartitions(
  sql: Sql,
  table: (typeof partitionedTables)[number],
  days: number,
  now: Date,
): Promise<string[]> {
  const limit = `${table}_${dayName(new Date(now.getTime() - (days + 1) * DAY_MS)).replaceAll('-', '')}`
  const rows = await sql<{ relname: string }[]>`
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
    where p.relname = ${table} and c.relname ~ ${`^${table}_\\d{8}$`} and c.relname < ${limit}`
  const dropped: string[] = []
  for (const { relname } of rows) {
    if (!(await unlessRead(sql.unsafe(`${SOON}; drop table "${relname}"`)))) break
    dropped.push(relname)
  }
  const stray = sql(`${table}_default`)
  for (let gone = BATCH; gone === BATCH; ) {
    const { count } = await sql`
      delete from ${stray} where ctid = any(array(
        select ctid from ${stray} where at < ${new Date(now.getTime() - days * DAY_MS)} limit ${BATCH}))`
    gone = count
  }
  return dropped
}
