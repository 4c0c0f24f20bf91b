import { expect, it } from 'vitest'
import { RUN_GRACE_MS } from '#schema/device/schedule'
import { openBench } from '#test/worker-bench'
import { runSchedulesJob } from './run-schedules.ts'

const bench = await openBench()
const { sql } = bench.ctx

it('a run is missed only when its device had time to return to a broker', async () => {
  const [device] = bench.tenants.a.devices
  if (!device) throw new Error('a device')
  await sql`
    insert into schedule_runs (device_id, due_at, state) values (${device.id}, ${bench.ctx.now()}, 'waiting')`
  const state = async (ms: number) => {
    bench.pass(ms)
    await runSchedulesJob.run(bench.ctx, {})
    return (await sql<{ state: string }[]>`select state from schedule_runs`)[0]?.state
  }
  await sql`delete from brokers`
  expect(await state(2 * RUN_GRACE_MS)).toBe('waiting')
  await sql`insert into brokers (id, started_at, beat_at) values ('bench', ${bench.ctx.now()}, 'infinity')`
  expect(await state(RUN_GRACE_MS - 1000)).toBe('waiting')
  expect(await state(2000)).toBe('missed')
})
