import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { drizzle } from 'drizzle-orm/postgres-js'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { expect, it } from 'vitest'
import { migrateDatabase } from '#infra/migrate'
import { seedRoles } from '#launch/seed'
import { emptyDatabase, testContext } from './harness.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

it('the tables and the migrations say the same', () => {
  const out = mkdtempSync(join(tmpdir(), 'iot-drift-'))
  cpSync(join(root, 'schema/migrations'), out, { recursive: true })
  const before = readdirSync(out).length
  const ran = spawnSync(
    join(root, 'node_modules/.bin/drizzle-kit'),
    ['generate', '--dialect', 'postgresql', '--schema', './schema/tables/*.ts', '--out', out],
    { cwd: root, encoding: 'utf8' },
  )
  expect(ran.status, ran.stdout + ran.stderr).toBe(0)
  expect(readdirSync(out).length, ran.stdout).toBe(before)
  rmSync(out, { recursive: true })
})

it('migrating twice changes nothing, and two processes migrating at once both succeed', async () => {
  const context = await testContext()
  await Promise.all([migrateDatabase(context.databaseUrl), migrateDatabase(context.databaseUrl)])
  const [row] = await context.sql<
    { n: number }[]
  >`select count(*)::int as n from pg_class where relname like 'status_samples_2%'`
  expect(row?.n).toBeGreaterThanOrEqual(9)
})

it('the operation log refuses to be rewritten', async () => {
  const context = await testContext()
  await context.sql`insert into operations (call, code) values ('x', 0)`
  await expect(context.sql`update operations set code = 1`).rejects.toThrow('append-only')
  await expect(context.sql`delete from operations`).rejects.toThrow('append-only')
})

/** The migrations as they were before this one. */
function migrationsBefore(tag: string): string {
  const out = mkdtempSync(join(tmpdir(), 'iot-before-'))
  cpSync(join(root, 'schema/migrations'), out, { recursive: true })
  const journal = join(out, 'meta/_journal.json')
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8')) as { entries: { tag: string }[] }
  const before = entries.slice(
    0,
    entries.findIndex((entry) => entry.tag === tag),
  )
  writeFileSync(journal, JSON.stringify({ ...rest, entries: before }))
  return out
}

it('an installation with one port at two n2n servers starts with this version, and gives no port twice from then on', async () => {
  const database = await emptyDatabase()
  const migrationsFolder = migrationsBefore('0025_n2n_port')
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined })
  const add = (address: string) => sql`
    insert into n2n_servers (name, address, port, version, token_hash) values (${address}, ${address}, 9001, 3, 'x')`
  try {
    await migrate(drizzle(sql), { migrationsFolder })
    await add('one.example.net')
    await add('two.example.net')
    await migrateDatabase(database.url)
    const rows = await sql`select address, port, shares_port from n2n_servers order by id`
    expect(rows.map((row) => Object.values(row))).toEqual([
      ['one.example.net', 9001, false],
      ['two.example.net', 9001, true],
    ])
    await expect(add('three.example.net')).rejects.toThrow('n2n_servers_port_unique')
  } finally {
    await sql.end()
    await database.drop()
    rmSync(migrationsFolder, { recursive: true })
  }
})

/** Beside a process of the version before, which has read one table and then wants one that the migration took meanwhile. */
async function migrateBesideOld(url: string): Promise<void> {
  const old = postgres(url, { max: 2, onnotice: () => undefined })
  let migrating: Promise<void> | undefined
  const reading = old.begin(async (tx) => {
    await tx`select 1 from roles`
    migrating = migrateDatabase(url)
    const waiting = () =>
      old`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await waiting()).length === 0) await new Promise((done) => setTimeout(done, 10))
    await tx`select 1 from customers`
  })
  // One of the two gives way: mostly the one that has waited longer, which is the migration.
  await Promise.allSettled([reading])
  await migrating
  await old.end()
}

it('an installation with names that look alike starts with this version, keeps them, and takes no more of them', async () => {
  const database = await emptyDatabase()
  const migrationsFolder = migrationsBefore('0026_alike')
  const sql = postgres(database.url, { max: 1, onnotice: () => undefined })
  const add = (name: string) => sql`insert into groups (customer_id, name, level) values (1, ${name}, 1)`
  const parameter = (zh: string, en: string) =>
    sql`insert into extra_parameters (name_zh, name_en, value) values (${zh}, ${en}, 'x')`
  const shared = async () =>
    (await sql`select name, shares_name from groups order by id`).map((row) => Object.values(row))
  try {
    await migrate(drizzle(sql), { migrationsFolder })
    for (const name of ['North', 'NORTH', 'north ']) await sql`insert into customers (name) values (${name})`
    for (const name of ['viewer', 'Viewer']) await sql`insert into roles (name) values (${name})`
    for (const sign of ['hp', 'HP'])
      await sql`insert into printer_drivers (address, type, sign) values ('/x', 'common', ${sign})`
    for (const name of ['Branch', 'branch', 'Ｂｒａｎｃｈ', 'Other']) await add(name)
    await parameter('甲 乙', 'a b')
    await parameter('甲  乙', 'c')
    await migrateBesideOld(database.url)
    expect(await shared()).toEqual([
      ['Branch', false],
      ['branch', true],
      ['Ｂｒａｎｃｈ', true],
      ['Other', false],
    ])
    await expect(add('BRANCH')).rejects.toThrow('groups_name_alike')
    await sql`update groups set name = 'BRANCH' where name = 'branch'`
    await expect(sql`update groups set name = 'OTHER' where name = 'BRANCH'`).rejects.toThrow(
      'groups_name_alike',
    )
    await sql`update groups set name = 'Free' where name = 'BRANCH'`
    expect((await shared())[1]).toEqual(['Free', false])
    await seedRoles(sql)
    await seedRoles(sql)
  } finally {
    await sql.end()
    await database.drop()
    rmSync(migrationsFolder, { recursive: true })
  }
})
