import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import postgres from 'postgres'
import { expect, it } from 'vitest'
import { SettingError } from '#infra/env'
import { awaitMigrated, migrateDatabase, recordKey } from '#infra/migrate'
import { baselineFile, buildBaseline } from '#launch/baseline'
import { emptyDatabase, testContext } from './harness.ts'
import { root } from './tracked-files.ts'

const KEY = 'a key of the database, 32 characters'

it('the baseline matches the tables: `npm run baseline` after a change', async () => {
  const [written, said] = [readFileSync(baselineFile, 'utf8'), await buildBaseline()].map((text) =>
    text.split('\n'),
  )
  const without = (lines: string[] = [], others: string[] = []) =>
    lines.filter((line) => !others.includes(line))
  expect({ missing: without(said, written), left: without(written, said) }).toEqual({ missing: [], left: [] })
  expect(written).toEqual(said)
})

it('migrating twice changes nothing, and two processes migrating at once both succeed', async () => {
  const context = await testContext()
  await Promise.all([migrateDatabase(context.databaseUrl), migrateDatabase(context.databaseUrl)])
  const [row] = await context.sql<
    { n: number }[]
  >`select count(*)::int as n from pg_class where relname like 'status_samples_2%'`
  expect(row?.n).toBeGreaterThanOrEqual(9)
})

it('a database that cannot be used is one sentence with its name and what to change', async () => {
  const { databaseUrl } = await testContext()
  const without = Object.assign(new URL(databaseUrl), { pathname: '/nowhere' }).href
  const closed = Object.assign(new URL(databaseUrl), { port: '1' }).href
  const waits = (url: string) => awaitMigrated(url, KEY, () => undefined)
  for (const opens of [migrateDatabase, waits]) {
    await expect(opens(without)).rejects.toThrow(
      /^the database nowhere at [\w.:]+ cannot be used \(database "nowhere" does not exist\): start it, or correct DATABASE_URL$/,
    )
    await expect(opens(closed)).rejects.toThrow(/cannot be used \(connect ECONNREFUSED [\w.:]+\)/)
    await expect(opens(closed)).rejects.toBeInstanceOf(SettingError)
  }
  await expect(migrateDatabase(closed, '/var/lib/iot')).rejects.toThrow(
    /^the database in DATA_DIR \/var\/lib\/iot does not run \(connect ECONNREFUSED [\w.:]+\): it runs as long as `npm start` does$/,
  )
})

it('a database of another encoding is not used, since it would take bytes for characters', async () => {
  const { databaseUrl } = await testContext()
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  const url = new URL(databaseUrl)
  url.pathname = `${url.pathname}_ascii`
  const name = url.pathname.slice(1)
  try {
    await sql.unsafe(
      `create database ${name} encoding 'SQL_ASCII' template template0 locale_provider libc lc_collate 'C' lc_ctype 'C'`,
    )
    for (const opens of [migrateDatabase, (to: string) => awaitMigrated(to, KEY, () => undefined)])
      await expect(opens(url.href)).rejects.toThrow(
        /has the encoding SQL_ASCII: make one with `createdb --encoding=UTF8 --template=template0`, and set DATABASE_URL to it$/,
      )
  } finally {
    await sql.unsafe(`drop database if exists ${name} with (force)`)
    await sql.end({ timeout: 5 })
  }
})

it('a database of another user is one sentence that says so', async () => {
  const database = await emptyDatabase()
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined })
  const role = `stranger_${process.pid}`
  try {
    await sql.unsafe(`create role ${role} login`)
    const url = Object.assign(new URL(database.url), { username: role }).href
    await expect(migrateDatabase(url)).rejects.toThrow(
      /^the database \w+ at [\w.:]+ does not belong to the user of DATABASE_URL \(permission denied for database \w+\): make it the owner with `alter database … owner to …`$/,
    )
    await expect(migrateDatabase(url)).rejects.toBeInstanceOf(SettingError)
  } finally {
    await sql.unsafe(`drop role if exists ${role}`)
    await sql.end({ timeout: 5 })
    await database.drop()
  }
})

it('a read-only database is waited for by the rooms, and ends a migration with one sentence', async () => {
  const database = await emptyDatabase()
  const sql = postgres(new URL('/postgres', database.url).href, { max: 1, onnotice: () => undefined })
  const name = new URL(database.url).pathname.slice(1)
  const becomes = (value: string) =>
    sql`alter database ${sql(name)} set default_transaction_read_only = ${sql.unsafe(value)}`
  try {
    await migrateDatabase(database.url)
    await becomes('on')
    await expect(migrateDatabase(database.url)).rejects.toThrow(
      /^the database \w+ at [\w.:]+ is read-only: promote the standby, or allow changes$/,
    )
    const said: string[] = []
    const waiting = awaitMigrated(database.url, KEY, (line) => said.push(line))
    await expect
      .poll(() => said)
      .toEqual([expect.stringMatching(/^waiting for the database .*: it is read-only$/)])
    await becomes('off')
    await waiting
  } finally {
    await sql.end()
    await database.drop()
  }
})

it('a restore that has not come to its end is waited for by the rooms, and ends a migration with one sentence', async () => {
  const database = await emptyDatabase()
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined })
  try {
    await migrateDatabase(database.url)
    // As `pg_restore` leaves it until everything else is there.
    await sql`refresh materialized view infra.whole with no data`
    await expect(migrateDatabase(database.url)).rejects.toThrow(
      /^the database \w+ at [\w.:]+ was restored only in part, or its restore still runs: nothing was changed there\. /,
    )
    const said: string[] = []
    const waiting = awaitMigrated(database.url, KEY, (line) => said.push(line))
    await expect
      .poll(() => said)
      .toEqual([expect.stringMatching(/: it was restored only in part, or its restore still runs$/)])
    await sql`refresh materialized view infra.whole`
    await waiting
    await migrateDatabase(database.url)
  } finally {
    await sql.end()
    await database.drop()
  }
})

it('no process goes on with another key than the one the database is encrypted with, unless that is lost', async () => {
  const database = await emptyDatabase()
  const other = `${KEY}, mistyped`
  const records = (key: string, lost = false) =>
    recordKey(database.url, { JWT_SECRET: key, JWT_SECRET_LOST: lost })
  const room = (key: string) => awaitMigrated(database.url, key, () => undefined)
  try {
    await migrateDatabase(database.url)
    await Promise.all(Array.from({ length: 6 }, () => records(KEY)))
    await records(KEY)
    await room(KEY)
    await expect(records(other)).rejects.toThrow(
      /^the database \w+ at [\w.:]+ is encrypted with another JWT_SECRET: set the one it was made with\. .*JWT_SECRET_LOST=true/,
    )
    await expect(room(other)).rejects.toThrow(
      'is encrypted with another JWT_SECRET: set the one that `npm run migrate`',
    )
    await room(KEY)
    await records(other, true)
    await room(other)
    await expect(room(KEY)).rejects.toBeInstanceOf(SettingError)
    const sql = postgres(database.url, { max: 1, onnotice: () => undefined })
    const [row] = await sql<{ mark: string }[]>`select mark from infra.encryption_key`
    await sql.end()
    expect(row?.mark).not.toContain(other)
  } finally {
    await database.drop()
  }
})

it('one that was killed half-way is run in full by the next start', async () => {
  const database = await emptyDatabase()
  const sql = postgres(database.url, { max: 2, onnotice: () => undefined })
  const others = () => sql<{ waits: boolean }[]>`
    select wait_event_type = 'Lock' as waits from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and query like 'insert into infra.migrations%'`
  const until = async (is: () => Promise<boolean>) => {
    while (!(await is())) await new Promise((done) => setTimeout(done, 20))
  }
  try {
    await sql`create schema infra`
    await sql`create table infra.migrations (name text primary key, hash text not null, applied_at timestamptz not null default now())`
    await sql.begin(async (tx) => {
      // The tables are created; the last statement, which records that, waits for this lock.
      await tx`lock table infra.migrations in share mode`
      const script = `(await import('./infra/migrate.ts')).migrateDatabase(${JSON.stringify(database.url)})`
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: root })
      await until(async () => (await others())[0]?.waits === true)
      child.kill('SIGKILL')
      await once(child, 'exit')
    })
    await until(async () => (await others()).length === 0)
    expect(await sql`select tablename from pg_tables where schemaname = 'public'`).toEqual([])
    await migrateDatabase(database.url)
    expect(await sql`select name from infra.migrations`).toEqual([{ name: '0000_baseline.sql' }])
  } finally {
    await sql.end()
    await database.drop()
  }
})

it('the operation log cannot be changed', async () => {
  const context = await testContext()
  await context.sql`insert into operations (call, code) values ('x', 0)`
  await expect(context.sql`update operations set code = 1`).rejects.toThrow('append-only')
  await expect(context.sql`delete from operations`).rejects.toThrow('append-only')
})

const otherVersions: readonly [string, (sql: postgres.Sql) => Promise<unknown>][] = [
  ['before the first baseline', (sql) => sql`create table customers (name text)`],
  [
    'with another baseline',
    async (sql) => {
      await sql`create schema infra`
      await sql`create table infra.migrations (name text primary key, hash text, applied_at timestamptz)`
      await sql`insert into infra.migrations values ('0000_baseline.sql', 'another', now())`
      await sql`create table customers (name text)`
    },
  ],
]

it.each(otherVersions)('a database of a version %s is refused and left unchanged', async (_what, make) => {
  const database = await emptyDatabase()
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined })
  const tables = async () =>
    (
      await sql`select tablename from pg_tables where schemaname not in ('pg_catalog', 'information_schema')
      order by 1`
    ).map((row) => row['tablename'])
  try {
    await make(sql)
    await sql`insert into customers (name) values ('kept')`
    const before = await tables()
    await expect(migrateDatabase(database.url)).rejects.toThrow('Set DATABASE_URL to an empty database')
    const said: string[] = []
    // It waits until the database is dropped.
    awaitMigrated(database.url, KEY, (line) => said.push(line)).catch(() => undefined)
    await expect.poll(() => said.join()).toMatch(/of another version \(npm run migrate says what to do\)$/)
    await expect(migrateDatabase(database.url, '/srv/data')).rejects.toThrow('mv /srv/data /srv/data-old')
    expect(await tables()).toEqual(before)
    expect(await sql`select name from customers`).toEqual([{ name: 'kept' }])
  } finally {
    await sql.end()
    await database.drop()
  }
})
