/**
 * `npm run baseline` writes schema/migrations/0000_baseline.sql: the Drizzle tables, partitions, and the parts of
 * by-hand.sql before and after them. Until 1.0 no database has to be preserved, so there is one baseline instead of
 * numbered migrations.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { partitionedTables } from '#infra/partitions'
import { statusHistorySql } from '#schema/tables/status-pack'

const folder = fileURLToPath(new URL('../schema/migrations/', import.meta.url))
const tablesFolder = fileURLToPath(new URL('../schema/tables/', import.meta.url))
const [before, after] = ['-- ==== before the tables\n', '-- ==== after the tables\n']
export const baselineFile = `${folder}0000_baseline.sql`

/** Every exported table, ordered by name, so that the result depends neither on the test runner nor on file names. */
async function readTables(): Promise<Record<string, unknown>> {
  const files = globSync('**/*.ts', { cwd: tablesFolder })
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(`${tablesFolder}${file}`)),
  )
  return Object.fromEntries(
    modules.flatMap((module) => Object.entries(module)).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}

/** Partitions by day of `at`, with a default partition for other rows. @throws if there is no such table. */
function partition(statements: string[], table: string): string[] {
  const create = `CREATE TABLE "${table}" (`
  const at = statements.findIndex((statement) => statement.startsWith(create))
  const found = statements[at]
  if (!found) throw new Error(`${table} is partitioned, but no table in schema/tables/`)
  return [
    ...statements.with(at, found.replace(/\);\s*$/, ') PARTITION BY RANGE ("at");')),
    `CREATE TABLE "${table}_default" PARTITION OF "${table}" DEFAULT;`,
  ]
}

/** The baseline generated from the tables and by-hand.sql. */
export async function buildBaseline(): Promise<string> {
  const byHand = readFileSync(`${folder}by-hand.sql`, 'utf8')
  const [head, rest] = byHand.split(before)
  const [first, last] = rest?.split(after) ?? []
  if (head === undefined || first === undefined || last === undefined)
    throw new Error(`by-hand.sql lacks "${before.trim()}" or "${after.trim()}"`)
  const made = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(await readTables()))
  const tables = partitionedTables.reduce(partition, made)
  return `-- Made by \`npm run baseline\`: change schema/tables/ or by-hand.sql instead.\n\n${first.trim()}\n\n${tables.map((statement) => statement.trim()).join('\n')}\n\n${statusHistorySql}\n\n${last.trim()}\n`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(baselineFile, await buildBaseline())
