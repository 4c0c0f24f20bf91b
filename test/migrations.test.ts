import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { migrateDatabase } from '#infra/migrate'
import { testContext } from './harness.ts'

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
