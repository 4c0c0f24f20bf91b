import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Bench, openBench, UPGRADE_DEADLINES } from '#test/worker-bench'
import { drainInboxJob } from '../inbox/drain-inbox.ts'
import { dispatchTasksJob } from './dispatch-tasks.ts'
import { sweepTasksJob } from './sweep-tasks.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
beforeEach(async () => {
  await bench.ctx.sql`delete from tasks`
  await bench.ctx.sql`delete from serving_marks`
})

/** An item whose device has reported these steps, and whose deadline has passed. */
async function overdue(told: readonly string[], more: object = {}) {
  const device = bench.tenants.a.devices[0]
  if (!device) throw new Error('no device')
  await bench.greet(device)
  const { itemOf } = await bench.task([device])
  const item = itemOf(device)
  await dispatchTasksJob.run(bench.ctx, {})
  for (const step of told)
    await bench.progress(device, item, step, step === told.at(-1) ? more : { percent: 1 })
  await drainInboxJob.run(bench.ctx, {})
  bench.pass(UPGRADE_DEADLINES.upgrading * 1000 + 1_000)
  return item
}

/** Files were served until `untilS` and again since `sinceS` seconds ago. */
const served = (untilS: number, sinceS: number) => bench.ctx.sql`
  insert into serving_marks (service, since, beat_at)
  values ('files', now() - make_interval(secs => ${sinceS}), now() - make_interval(secs => ${untilS}))
  on conflict (service) do update set since = excluded.since, beat_at = excluded.beat_at`

const failureAfterSweep = async (item: string) => {
  await sweepTasksJob.run(bench.ctx, {})
  return (await bench.item(item)).failure
}

describe('while the file server of the platform is down', () => {
  it.each([
    ['sent', [], 'connectTimeout'],
    ['sent', ['accepted'], 'connectTimeout'],
    ['connected', ['accepted', 'connected'], 'downloadTimeout'],
    ['downloading', ['accepted', 'connected', 'downloading'], 'downloadTimeout'],
  ] as const)(
    'the deadline of %s stands still, and begins anew with its return',
    async (step, told, failure) => {
      const item = await overdue(told)
      const lastsS = UPGRADE_DEADLINES[step]
      await served(7, 100_000)
      expect(await failureAfterSweep(item)).toBeNull()
      await served(0, lastsS - 5)
      expect(await failureAfterSweep(item)).toBeNull()
      await served(0, lastsS + 1)
      // One that was asked meanwhile may still answer.
      bench.pass(11_000)
      expect(await failureAfterSweep(item)).toBe(failure)
    },
  )

  it('steps that need none still time out', async () => {
    await served(7, 100_000)
    const item = await overdue(['downloaded'])
    expect(await failureAfterSweep(item)).toBe('unknownError')
  })
})

describe('the reason that a waiting device reports', () => {
  it('is the failure of its item when the deadline passes', async () => {
    const item = await overdue(['accepted'], { failure: 'domainError', detail: 'getaddrinfo ENOTFOUND' })
    expect((await bench.item(item)).failure).toBeNull()
    expect(await failureAfterSweep(item)).toBe('domainError')
  })

  it('is cleared when the item has moved on', async () => {
    const device = bench.tenants.a.devices[0]
    if (!device) throw new Error('no device')
    const item = await overdue(['accepted'], { failure: 'domainError' })
    await bench.progress(device, item, 'connected')
    await drainInboxJob.run(bench.ctx, {})
    bench.pass(UPGRADE_DEADLINES.upgrading * 1000)
    expect(await failureAfterSweep(item)).toBe('downloadTimeout')
  })
})
