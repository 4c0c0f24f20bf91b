/** Migrates a database to this version of the product, or reports that it belongs to another version or another key. */
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type postgres from 'postgres'
import { type Env, SettingError } from './env.ts'
import { ensurePartitions } from './partitions.ts'
import { openClient } from './postgres.ts'
import { prepareQueues } from './queue.ts'
import { sign } from './secrets.ts'

const folder = fileURLToPath(new URL('../schema/migrations', import.meta.url))

/** Polling interval of a room that waits for its tables. */
const WAIT_MS = 1_000

type Migration = { name: string; hash: string; text: string }

function readMigrations(): Migration[] {
  return globSync('[0-9]*.sql', { cwd: folder })
    .toSorted()
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8')
      return { name: file, hash: createHash('sha256').update(text).digest('hex'), text }
    })
}

/** The message for a database of another version. `dataDir` is the location of the embedded one. */
function anotherVersion(url: string, dataDir: string | undefined): SettingError {
  const { host, pathname } = new URL(url)
  const untouched = 'was made by another version, and this version cannot read it: nothing was changed there'
  return new SettingError(
    dataDir === undefined
      ? `the database ${pathname.slice(1)} at ${host} ${untouched}. Set DATABASE_URL to an empty database, or go on with the version that made it`
      : `the data in DATA_DIR ${dataDir} ${untouched}. Move the folder aside (mv ${dataDir} ${dataDir}-old) and start again, which makes a new one, or go on with the version that made it`,
  )
}

const nameOf = (url: string) => {
  const { host, pathname } = new URL(url)
  return `the database ${pathname.slice(1)} at ${host}`
}

/** `insufficient_privilege` */
const FORBIDDEN = '42501'

/** The oldest PostgreSQL that has what our tables and statements use. */
const OLDEST = { number: 150_000, name: '15' }

/** @throws SettingError with one line that says why the database cannot be used. */
async function assertUsable(sql: postgres.Sql, url: string, dataDir: string | undefined): Promise<void> {
  const name = nameOf(url)
  const [server] = await sql<{ version: number; encoding: string }[]>`
    select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`.catch(
    (error: Error) => {
      const says = error.message || (error as NodeJS.ErrnoException).code
      throw new SettingError(
        dataDir === undefined
          ? `${name} cannot be used (${says}): start it, or correct DATABASE_URL`
          : `the database in DATA_DIR ${dataDir} does not run (${says}): it runs as long as \`npm start\` does`,
      )
    },
  )
  if ((server?.version ?? 0) < OLDEST.number)
    throw new SettingError(`${name} is older than PostgreSQL ${OLDEST.name}: set DATABASE_URL to a newer one`)
  // As a cluster has that was made without a locale: it takes bytes for characters, and would break names in Chinese.
  if (server?.encoding !== 'UTF8')
    throw new SettingError(
      `${name} has the encoding ${server?.encoding}: make one with \`createdb --encoding=UTF8 --template=template0\`, and set DATABASE_URL to it`,
    )
}

/** As a standby is before its promotion. Asked by a new connection: a setting of the database does not reach an old one. */
async function isReadOnly(url: string): Promise<boolean> {
  const sql = openClient(url, { max: 1, onnotice: () => undefined })
  try {
    const [row] = await sql<{ on: boolean }[]>`select current_setting('transaction_read_only')::boolean as on`
    return row?.on ?? false
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** Whether the product's tables exist without a record of migrations: a version before the first baseline. */
async function isUnrecorded(sql: postgres.Sql): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select to_regclass('public.customers') is not null and to_regclass('infra.migrations') is null as found`
  return row?.found ?? false
}

/**
 * Whether a restore has not come to its end. `pg_restore` fills the record of migrations early, and makes the keys last: a
 * process that starts on such a database stores twice what must be there once. A materialized view is the very last thing
 * that it fills [decisions/191].
 */
async function isPartlyRestored(sql: postgres.Sql): Promise<boolean> {
  const [row] = await sql<{ partly: boolean }[]>`
    select exists (select 1 from pg_class where oid = to_regclass('infra.whole') and not relispopulated) as partly`
  return row?.partly ?? false
}

/** @throws SettingError if the applied migrations do not match the beginning of ours. */
async function applyMigrations(sql: postgres.Sql, stranger: () => SettingError): Promise<void> {
  if (await isUnrecorded(sql)) throw stranger()
  await sql`create schema if not exists infra`
  await sql`create table if not exists infra.migrations (
    name text primary key, hash text not null, applied_at timestamptz not null default now())`
  const applied = await sql<
    { name: string; hash: string }[]
  >`select name, hash from infra.migrations order by name`
  const known = readMigrations()
  if (applied.some(({ name, hash }, i) => known[i]?.name !== name || known[i].hash !== hash)) throw stranger()
  await sql.begin(async (tx) => {
    for (const { name, hash, text } of known.slice(applied.length)) {
      await tx.unsafe(text)
      await tx`insert into infra.migrations (name, hash) values (${name}, ${hash})`
    }
    await tx`create materialized view if not exists infra.whole as select true as whole`
  })
}

/**
 * Migrates the database to this version: product tables, partitions for the coming days, queue tables, then what `seed`
 * writes. One process at a time (advisory lock, held until everything is done); all due migrations run in one
 * transaction, so a killed start leaves nothing half done.
 * @param dataDir the location of the embedded database; omitted for a database of DATABASE_URL. @throws SettingError
 * if the database was created by another version; it is left unchanged.
 */
export async function migrateDatabase(
  url: string,
  dataDir?: string,
  seed: () => Promise<void> = async () => undefined,
): Promise<void> {
  const sql = openClient(url, { max: 1, max_lifetime: null, onnotice: () => undefined })
  try {
    await assertUsable(sql, url, dataDir)
    if (await isReadOnly(url))
      throw new SettingError(`${nameOf(url)} is read-only: promote the standby, or allow changes`)
    await sql`select pg_advisory_lock(7301)`
    if (await isPartlyRestored(sql))
      throw new SettingError(
        `${nameOf(url)} ${PARTLY}: nothing was changed there. Wait for the end of the restore, or restore the whole dump into a new database`,
      )
    await applyMigrations(sql, () => anotherVersion(url, dataDir)).catch(
      (error: Error & { code?: string }) => {
        if (error.code !== FORBIDDEN) throw error
        throw new SettingError(
          `${nameOf(url)} does not belong to the user of DATABASE_URL (${error.message}): make it the owner with \`alter database … owner to …\``,
        )
      },
    )
    const later = openClient(url, { max: 1, onnotice: () => undefined })
    try {
      await ensurePartitions(later, new Date())
    } finally {
      await later.end({ timeout: 5 })
    }
    await prepareQueues(url)
    await seed()
  } finally {
    await sql.end({ timeout: 5 })
  }
}

/** What tells two keys apart without telling either. */
const keyMark = (key: string) => sign(key, 'key of the database')

/** The mark of the key with which the database is encrypted; null if none was recorded. */
async function recordedMark(sql: postgres.Sql): Promise<string | null> {
  const [table] = await sql<
    { there: boolean }[]
  >`select to_regclass('infra.encryption_key') is not null as there`
  if (!table?.there) return null
  const [row] = await sql<{ mark: string }[]>`select mark from infra.encryption_key`
  return row?.mark ?? null
}

const otherKey = (url: string, remedy: string) =>
  new SettingError(`${nameOf(url)} is encrypted with another JWT_SECRET: ${remedy}`)

/**
 * Records with which key this database is encrypted, so that no process ever adds to it with another one, which nothing
 * could read again. @throws SettingError if it is another key, unless `JWT_SECRET_LOST` says that this key takes over.
 */
export async function recordKey(
  url: string,
  env: Pick<Env, 'JWT_SECRET' | 'JWT_SECRET_LOST'>,
): Promise<void> {
  const sql = openClient(url, { max: 1, onnotice: () => undefined })
  try {
    // `if not exists` fails where two processes find at once that it does not.
    await sql`select pg_advisory_lock(7305)`
    await sql`create table if not exists infra.encryption_key (
      one boolean primary key default true check (one), mark text not null)`
    const mark = keyMark(env.JWT_SECRET)
    if (env.JWT_SECRET_LOST)
      await sql`insert into infra.encryption_key (mark) values (${mark}) on conflict (one) do update set mark = excluded.mark`
    else await sql`insert into infra.encryption_key (mark) values (${mark}) on conflict do nothing`
    if ((await recordedMark(sql)) !== mark)
      throw otherKey(
        url,
        'set the one it was made with. If that is lost, start once with JWT_SECRET_LOST=true, which gives up what it encrypted (docs/operations.md, Backup and restore)',
      )
  } finally {
    await sql.end({ timeout: 5 })
  }
}

const PARTLY = 'was restored only in part, or its restore still runs'
const REMEDY = '(npm run migrate makes them)'
/** It refuses them, and names the choices. */
const OTHER = 'its tables are of another version (npm run migrate says what to do)'

/** Whether the tables are those of this version; if not, why not. */
async function schemaFault(sql: postgres.Sql): Promise<string | null> {
  const [row] = await sql<{ recorded: boolean }[]>`
    select to_regclass('infra.migrations') is not null as recorded`
  if (!row?.recorded) return (await isUnrecorded(sql)) ? OTHER : `it has no tables yet ${REMEDY}`
  const applied = await sql<{ name: string; hash: string }[]>`
    select name, hash from infra.migrations order by name`
  const known = readMigrations()
  if (applied.some(({ name, hash }, i) => known[i]?.name !== name || known[i].hash !== hash)) return OTHER
  if (applied.length < known.length) return `its tables are of an older version ${REMEDY}`
  return (await isPartlyRestored(sql)) ? `it ${PARTLY}` : null
}

/**
 * Resolves when the database has the tables of this version and takes changes: rooms that are started during
 * `npm run migrate` or before it, or before a standby is promoted, wait. `say` is called once for each reason.
 * @throws SettingError if it is encrypted with another key than `key`.
 */
export async function awaitMigrated(url: string, key: string, say: (line: string) => void): Promise<void> {
  const sql = openClient(url, { max: 1, onnotice: () => undefined })
  try {
    await assertUsable(sql, url, undefined)
    for (let said = ''; ; ) {
      const fault = (await schemaFault(sql)) ?? ((await isReadOnly(url)) ? 'it is read-only' : null)
      if (fault === null) {
        const mark = await recordedMark(sql)
        if (mark === null || mark === keyMark(key)) return
        throw otherKey(url, 'set the one that `npm run migrate` was run with, the same for every process')
      }
      if (fault !== said) say(`waiting for ${nameOf(url)}: ${fault}`)
      said = fault
      await sleep(WAIT_MS)
    }
  } finally {
    await sql.end({ timeout: 5 })
  }
}
