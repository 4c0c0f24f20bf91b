/** Events of tasks and configurations, as channels and contacts receive them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hmacBase64, seal } from '#infra/secrets'
import { eventFacts, eventPayload } from '#schema/alarm/channel-event'
import { openBench } from '#test/worker-bench'
import { decide } from '../task/decide.ts'
import { pauseTask } from '../task/pause-task.ts'
import { deliverNoticesJob } from './deliver-notices.ts'
import { notifyEventsJob } from './notify-events.ts'

const bench = await openBench()
const { ctx, tenants } = bench
const { sql } = ctx
ctx.env.WEBHOOK_ALLOW_PRIVATE = true
const [device, other] = tenants.a.devices
const [foreign] = tenants.b.devices
if (!device || !other || !foreign) throw new Error('tenants have devices')
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const received: { signature: string; signed: string; body: Record<string, unknown> & { data: object } }[] = []
const hook = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    const { headers } = request
    received.push({
      signature: String(headers['webhook-signature']),
      signed: `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`,
      body: JSON.parse(body),
    })
    response.end()
  })
})
beforeAll(() => new Promise<void>((done) => hook.listen(0, '127.0.0.1', done)))
afterAll(() => hook.close())
beforeEach(async () => {
  await sql`truncate alarm_channels, alarm_notices, contacts, tasks, device_configs, mails, send_budgets cascade`
  received.length = 0
})

const addChannel = (customerId: number, events: string[], language = 'en-US') => sql`
  insert into alarm_channels (customer_id, name, kind, url_sealed, url_shown, secret_sealed, events, event_language)
  values (${customerId}, ${`Hook ${language}`}, 'webhook', ${seal(`http://127.0.0.1:${(hook.address() as AddressInfo).port}/`, ctx.env.JWT_SECRET)},
    'http://127.0.0.1', ${seal(SECRET, ctx.env.JWT_SECRET)}, ${events}, ${language})`
const run = async () => {
  await notifyEventsJob.run(ctx, {})
  await deliverNoticesJob.run(ctx, {})
}
const types = () => received.map(({ body }) => body['type'])
const addConfig = (id: number, more: Record<string, unknown>) => sql`
  insert into device_configs ${sql({ device_id: id, level: 1, ...more })}`

describe('a task', () => {
  it('is sent when it starts, is paused and has ended, once each, signed, and only to receivers that selected it', async () => {
    const { customerId } = device
    await addChannel(customerId, ['taskStarted', 'taskPaused', 'taskCompleted'])
    await addChannel(foreign.customerId, ['taskStarted', 'taskPaused', 'taskCompleted'], 'zh-TW')
    const { taskId, itemOf } = await bench.task([device, other])
    const say = (what: 'started' | 'completed') =>
      sql.begin((tx) => decide(tx, [{ taskId, what }], ctx.now()))
    await say('started')
    await run()
    await bench.force({ outcome: 'failed' }, [itemOf(device)])
    await sql.begin((tx) => pauseTask(tx, taskId, 'failures', { failed: 1, tried: 1 }, ctx.now()))
    await run()
    await bench.force({ outcome: 'done', step: 'done' }, [itemOf(other)])
    await say('completed')
    await run()
    await run()
    expect(types()).toEqual(['task.started', 'task.paused', 'task.completed'])
    expect(received[1]?.body.data).toMatchObject({
      subject: 'Task “T (2.0.0)” paused: too many devices failed',
      count: 2,
      devices: [],
      task: { id: taskId, name: 'T', kind: 'upgrade', devices: 2, failed: 1, done: 0, reason: 'failures' },
    })
    expect(received[2]?.body.data).toMatchObject({ task: { done: 1, failed: 1, reason: null } })
    for (const { signature, signed, body } of received) {
      expect(signature).toBe(`v1,${hmacBase64({ base64: SECRET.slice(6) }, signed)}`)
      expect(eventPayload.safeParse(body.data).error).toBeUndefined()
    }
  })

  it.each([
    ['refused', 'Task “T (2.0.0)” was refused: nothing was sent'],
    ['expired', 'Task “T (2.0.0)” was not approved in time: nothing was sent'],
  ] as const)('whose approval was %s is not said to be completed', async (approval, subject) => {
    await addChannel(device.customerId, ['taskCompleted'])
    const { taskId, itemOf } = await bench.task([device])
    await sql`update tasks set approval = ${approval} where id = ${taskId}`
    await bench.force({ outcome: 'cancelled' }, [itemOf(device)])
    await sql.begin((tx) => decide(tx, [{ taskId, what: 'completed' }], ctx.now()))
    await run()
    expect(received[0]?.body.data).toMatchObject({
      subject,
      task: { done: 0, cancelled: 1, denied: approval },
    })
  })

  it('of several customers is sent to each with the counts of its own devices, in the selected language', async () => {
    await addChannel(device.customerId, ['taskStarted'])
    await addChannel(foreign.customerId, ['taskStarted'], 'zh-TW')
    const { taskId } = await bench.task([device, other, foreign])
    await sql.begin((tx) => decide(tx, [{ taskId, what: 'started' }], ctx.now()))
    await run()
    const said = received.map(({ body }) => body.data as { subject: string; count: number })
    expect(said.map(({ subject }) => subject).sort()).toEqual([
      'Task “T (2.0.0)” started: 2 devices',
      '任務「T (2.0.0)」已開始：1 台裝置',
    ])
    expect(said.map(({ count }) => count).sort()).toEqual([1, 2])
  })

  it('is sent to a contact by mail, unless they are a user whose alarm switch is off', async () => {
    const { customerId } = device
    await sql`
      insert into contacts (customer_id, name, phone, email, events, event_language)
      select ${customerId}, 'C', '1380000000' || n, case n when 1 then 'ops@example.test' else (select email from users where id = ${tenants.a.admin.id}) end,
        '{taskStarted}', 'en-US' from generate_series(1, 2) n`
    await sql`update users set alarm_state = 0 where id = ${tenants.a.admin.id}`
    const { taskId } = await bench.task([device])
    await sql.begin((tx) => decide(tx, [{ taskId, what: 'started' }], ctx.now()))
    await run()
    const mails = await sql<{ recipient: string; text: string }[]>`select recipient, text from mails`
    expect(mails.map(({ recipient }) => recipient)).toEqual(['ops@example.test'])
    expect(mails[0]?.text).toContain(`/task/upgrade/${taskId}`)
  })
})

describe('a task that waits for a second person', () => {
  const { a } = tenants
  const asks = async (devices: readonly (typeof device)[], more: Record<string, unknown> = {}) => {
    const { taskId } = await bench.task(devices)
    await sql`
      update tasks set ${sql({
        approval: 'waiting',
        paused_at: ctx.now(),
        pause_reason: 'approval',
        approval_until: new Date(ctx.now().getTime() + 72 * 3_600_000),
        created_by: a.admin.id,
        ...more,
      })} where id = ${taskId}`
    await sql`insert into task_decisions (task_id, at, what, by_engine) values (${taskId}, ${ctx.now()}, 'approvalAsked', false)`
    return taskId
  }
  const mails = () =>
    sql<
      { recipient: string; subject: string; text: string }[]
    >`select recipient, subject, text from mails order by id`
  const addresses = async () => (await mails()).map(({ recipient }) => recipient)
  const branch = a.devices.filter(({ groupId }) => groupId === a.groups.branch)
  beforeEach(async () => {
    await sql`update users set email = username || '@example.test', language = 'zh-TW'`
    await sql`update users set email = 'boss@example.test' where id = ${tenants.superAdmin.id}`
  })

  it('is sent to channels that selected it, and by mail to each user who may approve it, once', async () => {
    await addChannel(device.customerId, ['taskAwaitsApproval'])
    const taskId = await asks(branch)
    await run()
    await run()
    expect(types()).toEqual(['task.approval'])
    expect(received[0]?.body.data).toMatchObject({
      count: branch.length,
      task: { id: taskId, kind: 'upgrade' },
    })
    expect(eventPayload.safeParse(received[0]?.body.data).error).toBeUndefined()
    // The operator sees all of its devices; the viewer may not approve, and the admin has created it.
    expect(await mails()).toEqual([
      {
        recipient: `${a.operator.username}@example.test`,
        subject: '任務「T (2.0.0)」等待您核准',
        text: expect.stringContaining(`/task/upgrade/${taskId}`),
      },
    ])
  })

  it('with devices that nobody else of the customer sees, or of several customers, goes to the platform', async () => {
    await asks([device, other])
    await run()
    expect(await addresses()).toEqual(['sys@example.test', 'boss@example.test'])
    await sql`delete from mails`
    await asks([device, foreign], { customer_id: null, created_by: null })
    await run()
    expect(await addresses()).toEqual(['sys@example.test', 'boss@example.test'])
  })

  it('and was decided before the notice is not mailed any more', async () => {
    await asks(branch, { approval: 'refused' })
    await run()
    expect(await addresses()).toEqual([])
  })

  it('takes each mail from the budget of its customer', async () => {
    await asks(branch)
    await run()
    expect(
      await sql`select customer_id as id, purpose, used from send_budgets where purpose = 'confirmation'`,
    ).toEqual([{ id: device.customerId, purpose: 'confirmation', used: 1 }])
  })
})

describe('a configuration', () => {
  it('that drifts is sent once, again when it drifts again, and many devices of a customer as one', async () => {
    await addChannel(device.customerId, ['configDrifted'])
    await addConfig(device.id, { drift: 3 })
    await addConfig(other.id, { drift: 1 })
    await addConfig(foreign.id, { drift: 1 })
    await run()
    await run()
    expect(types()).toEqual(['config.drifted'])
    expect(received[0]?.body.data).toMatchObject({
      subject: '2 devices run another configuration than was set',
      count: 2,
      task: null,
    })
    const data = received[0]?.body.data as { devices: { sn: string; differences: number }[] } | undefined
    const listed = data?.devices ?? []
    expect(listed.map(({ sn, differences }) => [sn, differences]).sort()).toEqual(
      [
        [device.sn, 3],
        [other.sn, 1],
      ].sort(),
    )
    await sql`update device_configs set drift = 0 where device_id = ${device.id}`
    await run()
    await sql`update device_configs set drift = 2 where device_id = ${device.id}`
    await run()
    expect(received[1]?.body.data).toMatchObject({ count: 1 })
    expect(types()).toHaveLength(2)
  })

  it('that is rolled back is sent with the reason that the device gave, each time', async () => {
    await addChannel(device.customerId, ['configReverted'])
    await addConfig(device.id, { ended: 'reverted', ended_at: ctx.now(), detail: 'no connection' })
    await run()
    await run()
    expect(types()).toEqual(['config.reverted'])
    expect(received[0]?.body.data).toMatchObject({
      devices: [{ sn: device.sn, detail: 'no connection', differences: null }],
    })
    bench.pass(60_000)
    await sql`update device_configs set ended_at = ${ctx.now()}, detail = 'not confirmed within 90 s'`
    await run()
    expect(types()).toHaveLength(2)
    // For programs as the device said it, for people in their language.
    expect(received[1]?.body.data).toMatchObject({ devices: [{ detail: 'not confirmed within 90 s' }] })
    expect(received.map(({ body }) => body.data)).toMatchObject([
      { text: expect.stringContaining('“no connection”') },
      { text: expect.stringContaining('Not confirmed by the platform within 90 s') },
    ])
  })
})

it('every event can be selected by a receiver', () => {
  expect(new Set(Object.values(eventFacts).map(({ type }) => type)).size).toBe(Object.keys(eventFacts).length)
})
