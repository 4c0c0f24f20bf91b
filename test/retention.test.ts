import { expect, it } from 'vitest'
import { gather } from '#infra/gather'
import { partitionedTables } from '#infra/partitions'
import { retentionParameters } from '#schema/platform/retention-parameters'
import { isKept } from '#schema/tables/kept'
import { isDropped, isTrimmed, retention } from '#schema/tables/retention'
import { oldRowsSql } from '#workers/platform/trim-history'
import { testContext } from './harness.ts'

const context = await testContext()

/** Without partitions. */
const tables = (
  await context.sql<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by 1`
).map(({ name }) => name)

it('every table declares once what keeps it from growing without limit', async () => {
  const kept = await gather(new URL('../schema/tables/', import.meta.url), isKept)
  const named = [...Object.keys(retention), ...kept.map(({ table }) => table)]
  expect(
    tables.filter((name) => !named.includes(name)),
    'say beside these why they cannot grow (schema/tables/kept.ts), or in schema/tables/retention.ts how long their rows are kept',
  ).toEqual([])
  expect(named.filter((name, i) => !tables.includes(name) || named.indexOf(name) !== i)).toEqual([])
})

it('tables partitioned by day are dropped by days', () => {
  const dropped = Object.entries(retention).flatMap(([name, rule]) => (isDropped(rule) ? [name] : []))
  expect(dropped.toSorted()).toEqual([...partitionedTables].toSorted())
})

it('every retention parameter is used', () => {
  const used = Object.values(retention).flatMap((rule) => ('days' in rule ? [rule.days] : []))
  // This one is a number instead of an age.
  expect(Object.keys(retentionParameters).filter((key) => !used.includes(key as never))).toEqual([
    'backupsKept',
  ])
})

/** Few rows, found by a sequential scan. */
const SMALL = /^(tasks|login_attempts|email_bindings|api_tokens)$/

type Plan = { 'Node Type': string; 'Relation Name'?: string; Plans?: Plan[] }
const wholeReads = (plan: Plan): string[] => [
  ...(plan['Node Type'] === 'Seq Scan' ? [plan['Relation Name'] ?? ''] : []),
  ...(plan.Plans ?? []).flatMap(wholeReads),
]

it('old rows of big tables are found without reading the rest', async () => {
  const found: string[] = []
  for (const [table, rule] of Object.entries(retention)) {
    if (!isTrimmed(rule) || SMALL.test(table)) continue
    const [row] = await context.sql.begin(async (tx) => {
      await tx`set local enable_seqscan = off`
      return tx.unsafe<{ 'QUERY PLAN': { Plan: Plan }[] }[]>(
        `explain (format json) ${oldRowsSql(table, rule)}`,
        [new Date()],
      )
    })
    const plan = row?.['QUERY PLAN'][0]?.Plan
    if (!plan || wholeReads(plan).includes(table)) found.push(table)
  }
  expect(found).toEqual([])
})
