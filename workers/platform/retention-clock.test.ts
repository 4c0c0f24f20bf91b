import { expect, it } from 'vitest'
import { openBench } from '#test/worker-bench'
import { AGE_STEP_H, agedTo } from './retention-clock.ts'
import { trimHistoryJob } from './trim-history.ts'

const HOUR_MS = 3_600_000
const bench = await openBench()
const { ctx } = bench
const behindMs = async (name: string) => ctx.now().getTime() - (await agedTo(ctx, name)).getTime()

it('age follows the clock from run to run, and immediately when it is set back', async () => {
  expect(await behindMs('usual')).toBe(0)
  bench.pass(HOUR_MS)
  expect(await behindMs('usual')).toBe(0)
  bench.pass(-5 * HOUR_MS)
  expect(await behindMs('usual')).toBe(0)
})

it('after a jump of the clock it advances in steps, twice as fast as time', async () => {
  await agedTo(ctx, 'leap')
  bench.pass(100 * HOUR_MS)
  expect(await behindMs('leap')).toBe((100 - AGE_STEP_H) * HOUR_MS)
  bench.pass(HOUR_MS)
  expect(await behindMs('leap')).toBe((101 - 2 * AGE_STEP_H) * HOUR_MS)
})

it('a clock set ten years ahead drops no history', async () => {
  const { sql } = ctx
  const id = bench.tenants.a.devices[0]?.id ?? 0
  await trimHistoryJob.run(ctx, {})
  await sql`insert into device_warnings (device_id, at, what) values (${id}, ${ctx.now()}, 'x')`
  bench.pass(10 * 365 * 24 * HOUR_MS)
  await trimHistoryJob.run(ctx, {})
  expect(await sql`select 1 from device_warnings`).toHaveLength(1)
})
