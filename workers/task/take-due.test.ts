import { beforeAll, beforeEach, expect, it } from 'vitest'
import { commandBook, taskKinds } from '#infra/task-kinds'
import { addDevices, type TestDevice } from '#test/tenants'
import { until } from '#test/walks/until'
import { type Bench, openBench } from '#test/worker-bench'
import { drainInboxJob } from '../inbox/drain-inbox.ts'
import { dispatchTasksJob } from './dispatch-tasks.ts'
import { sweepTasksJob } from './sweep-tasks.ts'

let bench: Bench
let site: TestDevice[]
beforeAll(async () => {
  bench = await openBench()
  const { a } = bench.tenants
  site = await addDevices(bench.ctx.sql, a.customerId, a.groups.other, 'SITE-', 12)
})
beforeEach(async () => {
  bench.line.said.length = 0
  bench.line.fail = false
  await bench.ctx.sql`delete from tasks`
  bench.pass(600_000)
})
const drive = async () => {
  await sweepTasksJob.run(bench.ctx, {})
  await dispatchTasksJob.run(bench.ctx, {})
}
const told = () => new Set(bench.heard('command').map(({ sn }) => sn))
const reboot = async (of: readonly TestDevice[], waitMs = 3_600_000) => {
  for (const device of of) await bench.greet(device, 'boot-1')
  return bench.reboot(of, { waitMs })
}
const comeBack = async (sns: Iterable<string>, bootId: string) => {
  for (const device of site.filter(({ sn }) => new Set(sns).has(sn)))
    await bench.hello(device, bootId, '1.0.0')
  await drainInboxJob.run(bench.ctx, {})
}

it('a command that must be typed goes to many only with a second person, one that only the platform sends never', () => {
  const bulk = [...commandBook.values()].filter((command) => command.bulk)
  expect(bulk.map(({ name }) => name)).toEqual(['reboot', 'factoryReset'])
  expect(bulk.filter(({ platformOnly }) => platformOnly)).toEqual([])
  const typed = bulk.filter(({ confirm }) => confirm === 'typed').map(({ name }) => name)
  const senders = [...taskKinds.values()].filter(
    ({ sends }) => sends.by === 'command' && typed.includes(sends.command ?? ''),
  )
  expect(senders.map(({ secondPerson }) => secondPerson)).toEqual(typed.map(() => true))
})

it('the command carries the id of its item, its arguments and the time until which it may begin', async () => {
  const taskId = await reboot(site.slice(0, 1))
  await drive()
  const [item] = await bench.ctx.sql<{ id: string; deadlineAt: Date }[]>`
    select id, deadline_at as "deadlineAt" from task_items where task_id = ${taskId}`
  expect(bench.heard('command').map(({ payload }) => payload)).toEqual([
    { id: item?.id, name: 'reboot', args: { delayS: 0 }, deadlineAt: item?.deadlineAt.getTime() },
  ])
  expect(item?.deadlineAt.getTime()).toBe(bench.ctx.now().getTime() + 300_000)
})

it('a site does not go offline as a whole: the next devices follow when the previous ones are back', async () => {
  await reboot(site)
  await drive()
  expect(told().size).toBe(3)
  bench.pass(2000)
  await drive()
  expect(told().size).toBe(3)
  for (const rounds of [2, 3, 4]) {
    await comeBack(told(), `boot-${rounds}`)
    bench.pass(2000)
    await drive()
    expect(told().size).toBe(3 * rounds)
  }
  await comeBack(told(), 'boot-5')
  expect(await bench.standing()).toEqual({ done: 12 })
})

it('two tasks over one site count together and take turns: the small one does not wait for the end of the big one', async () => {
  const big = await reboot(site.slice(0, 8))
  await drive()
  expect(told().size).toBe(2)
  const small = await reboot(site.slice(8))
  const sentOf = async (id: number) => {
    const { waiting = 0, ...rest } = await bench.standing(id)
    return Object.values(rest).reduce((sum, n) => sum + n, 0) + waiting * 0
  }
  await drive()
  expect([await sentOf(big), await sentOf(small)]).toEqual([2, 1])
  await comeBack(told(), 'boot-2')
  bench.pass(2000)
  await drive()
  expect([await sentOf(big), await sentOf(small)]).toEqual([4, 2])
})

it('the share of a site does not grow when several tasks address it one after another', async () => {
  // Each task has finished all but some devices, which wait: twelve devices, three tasks of twelve.
  for (const [from, to] of [
    [0, 4],
    [4, 8],
    [8, 12],
  ] as const) {
    const id = await reboot(site)
    const over = await bench.ctx.sql<{ id: string }[]>`
      select id from task_items where task_id = ${id} and device_id <> all(${site.slice(from, to).map((device) => device.id)})`
    await bench.force(
      { outcome: 'done', step: 'done' },
      over.map((row) => row.id),
    )
  }
  await drive()
  expect(told().size).toBe(3)
})

it('no more are sent per second than declared', async () => {
  const { a } = bench.tenants
  const many: TestDevice[] = []
  for (let i = 0; i < 30; i++) {
    const [row] = await bench.ctx.sql<{ id: number }[]>`
      insert into groups (customer_id, name, level) values (${a.customerId}, ${`Shop ${i}`}, 1) returning id`
    many.push(...(await addDevices(bench.ctx.sql, a.customerId, row?.id ?? 0, `SHOP${i}-`, 1)))
  }
  await reboot(many)
  await drive()
  await drive()
  expect(told().size).toBe(20)
  bench.pass(2500)
  await drive()
  expect(told().size).toBe(30)
})

it('what the rate holds back is sent as soon as the rate allows it, though no device is back yet', async () => {
  const { queue } = bench.ctx
  const woken = () => queue.added.get('dispatchTasks') ?? 0
  await reboot(site.slice(0, 1))
  const before = woken()
  await drive()
  expect(told().size).toBe(1)
  await until('the job is woken', () => woken() > before)
})

it('nor does the rest of one task wait for the periodic run if it was sent while the rate of another held that back', async () => {
  const { queue } = bench.ctx
  const woken = () => queue.added.get('dispatchTasks') ?? 0
  await reboot(site.slice(0, 1))
  await drive()
  const { a } = bench.tenants
  const others = await addDevices(bench.ctx.sql, a.customerId, a.groups.branch, 'PACED-', 1)
  await reboot(others)
  await drive()
  expect(told().size).toBe(2)
  const before = woken()
  await until('the job is woken for each', () => woken() >= before + 2)
})

it('a worker that is killed while sending sends nothing twice, and devices that are offline stay counted', async () => {
  await reboot(site)
  bench.line.fail = true
  await drive()
  bench.line.fail = false
  expect(await bench.standing()).toEqual({ away: 3, waiting: 9 })
  bench.pass(11_000)
  await drive()
  expect(bench.heard('command')).toHaveLength(0)
  expect(bench.heard('inquire')).toHaveLength(3)
})

it('a device that is asked and never had the command gets it again with the same id; one that had it replies', async () => {
  await reboot(site.slice(0, 2))
  // Both are in one group: one at a time may be away.
  bench.line.fail = true
  await drive()
  bench.line.fail = false
  bench.pass(11_000)
  await drive()
  const [asked] = bench.heard('inquire')
  const device = site.find(({ sn }) => sn === asked?.sn)
  if (!asked || !device) throw new Error('nobody was asked')
  await bench.report(device, 'reply', { id: asked.payload['id'], at: 0, state: 'unknown' })
  await drainInboxJob.run(bench.ctx, {})
  await drive()
  expect(bench.heard('command').map(({ payload }) => payload['id'])).toEqual([asked.payload['id']])
  await bench.report(device, 'reply', { id: asked.payload['id'], at: 0, state: 'accepted' })
  await drainInboxJob.run(bench.ctx, {})
  const [row] = await bench.ctx
    .sql`select step, sending from task_items where id = ${String(asked.payload['id'])}`
  expect(row).toEqual({ step: 'upgrading', sending: 'sent' })
})

it('a device that reports a failure has failed, with its own message', async () => {
  const taskId = await reboot(site.slice(0, 1))
  await drive()
  const [said] = bench.heard('command')
  const [device] = site
  if (!device) throw new Error('no device')
  await bench.report(device, 'reply', { id: said?.payload['id'], at: 0, state: 'failed', error: 'not now' })
  await drainInboxJob.run(bench.ctx, {})
  const [row] = await bench.ctx.sql`
    select outcome, failure, failure_detail as detail, (select status from tasks where id = ${taskId}) from task_items`
  expect(row).toEqual({ outcome: 'failed', failure: 'upgradeFailed', detail: 'not now', status: 'completed' })
})

it('a device that comes back days later is not rebooted: its waiting item has expired', async () => {
  await reboot(site.slice(0, 2), 1_200_000)
  for (const device of site.slice(0, 2)) await bench.leave(device)
  await drive()
  expect(await bench.standing()).toEqual({ waiting: 2 })
  bench.pass(3 * 86_400_000)
  for (const device of site.slice(0, 2)) await bench.greet(device, 'boot-9')
  await drive()
  const rows = await bench.ctx.sql`select distinct outcome, failure, failure_detail as detail from task_items`
  expect(rows).toEqual([{ outcome: 'failed', failure: 'deviceOffline', detail: 'expired' }])
  expect(told().size).toBe(0)
})

it('what was cancelled before it was sent is never sent', async () => {
  await reboot(site)
  await drive()
  await bench.ctx.sql`update task_items set outcome = 'cancelled' where sending = 'none'`
  const first = [...told()]
  await comeBack(first, 'boot-7')
  bench.pass(5000)
  await drive()
  expect([...told()]).toEqual(first)
  expect(await bench.standing()).toEqual({ done: 3, cancelled: 9 })
})

it('a device that began to flash meanwhile waits', async () => {
  const [one] = site
  if (!one) throw new Error('no device')
  const task = await bench.task([one])
  await bench.force({ step: 'upgrading', sending: 'sent' }, [task.itemOf(one)])
  await reboot([one])
  await drive()
  expect(told().size).toBe(0)
})

it('an upgrade can also take a part of a site at a time', async () => {
  for (const device of site) await bench.greet(device, 'boot-1')
  const { taskId } = await bench.task(site)
  await bench.ctx.sql`update tasks set group_share = 0.25, max_per_second = 2 where id = ${taskId}`
  await drive()
  expect(new Set(bench.heard('offer').map(({ sn }) => sn)).size).toBe(3)
})

it('a clock that was ahead and is set back holds up no task that has begun', async () => {
  const taskId = await reboot(site)
  await bench.ctx.sql`update tasks set group_share = 0.25, max_per_second = 2 where id = ${taskId}`
  await drive()
  expect(told().size).toBe(3)
  bench.pass(-3_600_000)
  await comeBack(told(), 'boot-2')
  bench.pass(2000)
  await drive()
  expect(told().size).toBe(6)
})
