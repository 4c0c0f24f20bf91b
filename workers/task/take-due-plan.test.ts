/** A task that was just created has no statistics yet: what it takes to choose its items must grow as their number does. */
import { expect, it } from 'vitest'
import { byForce } from '#test/move-check'
import { addDevices } from '#test/tenants'
import { openBench } from '#test/worker-bench'
import type { Transaction } from '../kit/processor.ts'
import { takeDue } from './take-due.ts'

const DEVICES = 600
/** About 20 are needed; joining the waiting items to themselves needed 300 and more, and repeated for each even more. */
const ROWS_PER_DEVICE = 60

type Plan = { 'Actual Rows': number; 'Actual Loops': number; Plans?: Plan[]; [removed: string]: unknown }
const looksAt = (plan: Plan): number =>
  plan['Actual Loops'] *
    (plan['Actual Rows'] +
      Number(plan['Rows Removed by Join Filter'] ?? 0) +
      Number(plan['Rows Removed by Filter'] ?? 0)) +
  (plan.Plans ?? []).reduce((sum, part) => sum + looksAt(part), 0)

/** The same statement, explained instead of run for its rows. */
const explaining = (tx: Transaction) =>
  Object.assign(
    (strings: TemplateStringsArray, ...values: never[]) => {
      const whole = strings[0]?.trimStart().startsWith('with flying')
      if (!whole) return tx(strings, ...values)
      const texts = [`explain (analyze, timing off, format json) ${strings[0] ?? ''}`, ...strings.slice(1)]
      return tx(Object.assign(texts, { raw: texts }), ...values)
    },
    { unsafe: tx.unsafe.bind(tx) },
  ) as unknown as Transaction

it('looks at a bounded number of rows per device, at the start and half way', async () => {
  const bench = await openBench()
  const { sql } = bench.ctx
  const { a } = bench.tenants
  const devices = await addDevices(sql, a.customerId, a.groups.root, 'PLAN-', DEVICES)
  await sql`update device_states set online = true, last_login_at = ${new Date(bench.ctx.now().getTime() - 3_600_000)}`
  await sql`update devices set hello_at = ${bench.ctx.now()}`
  await bench.task(devices)
  const rowsOf = () =>
    sql.begin(async (tx) => {
      const [explained] = (await takeDue(explaining(tx), bench.ctx)) as unknown as {
        'QUERY PLAN': [{ Plan: Plan }]
      }[]
      return explained ? looksAt(explained['QUERY PLAN'][0].Plan) : 0
    })
  const first = await rowsOf()
  await byForce(
    sql,
    (tx) =>
      tx`update task_items set sending = 'none', outcome = 'done', step = 'done' where sending = 'intent'`,
  )
  const second = await rowsOf()
  expect(Math.min(first, second)).toBeGreaterThan(100)
  expect(Math.max(first, second) / DEVICES).toBeLessThan(ROWS_PER_DEVICE)
})
