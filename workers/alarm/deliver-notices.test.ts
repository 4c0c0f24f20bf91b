import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seal } from '#infra/secrets'
import { until } from '#test/walks/until'
import { openBench } from '#test/worker-bench'
import { deliverNoticesJob } from './deliver-notices.ts'

const { ctx, tenants, pass } = await openBench()
const { sql } = ctx
ctx.env.WEBHOOK_ALLOW_PRIVATE = true

/** Requests to /hangs are answered only at the end. */
const hanging: (() => void)[] = []
const answered: string[] = []
/** The status of /returns; 0: it accepts. */
let away = 0
/** Messages of the present minute to /robot; it accepts twenty. */
let spoken = 0
/** Of the requests to /overloaded, one in ten is accepted. */
let asked = 0
const receiver = createServer((request, response) => {
  if (request.url === '/overloaded' && ++asked % 10 !== 0) return void response.writeHead(503).end()
  if (away && request.url === '/returns') return void response.writeHead(away).end()
  if (request.url?.startsWith('/hangs')) return void hanging.push(() => response.end())
  answered.push(request.url ?? '')
  response.end(request.url === '/robot' ? `{"errcode":${++spoken > 20 ? 45009 : 0}}` : '')
})
beforeAll(() => new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done)))
afterAll(() => receiver.close())

async function addChannel(customerId: number, name: string, kind = 'webhook'): Promise<number> {
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${name}`
  const [channel] = await sql<{ id: number }[]>`
    insert into alarm_channels (customer_id, name, kind, url_sealed, url_shown)
    values (${customerId}, ${name}, ${kind}, ${seal(url, ctx.env.JWT_SECRET)}, 'http://127.0.0.1') returning id`
  return channel?.id ?? 0
}
async function addNotice(customerId: number, channelId: number): Promise<void> {
  const id = randomUUID()
  const payload = { rule: null, incident: null, count: 0, alarms: [], text: 'A notice' }
  await sql`
    insert into alarm_notices (id, customer_id, kind, subject, payload, created_at)
    values (${id}, ${customerId}, 'raised', 'A notice', ${sql.json(payload)}, ${ctx.now()})`
  await sql`
    insert into alarm_deliveries (notice_id, customer_id, channel_id, recipient, due_at)
    values (${id}, ${customerId}, ${channelId}, 'hook', ${ctx.now()}::timestamptz - interval '1 minute')`
}

it('receivers of one customer that hang delay no notice of another customer', async () => {
  const [a, b] = [tenants.a.customerId, tenants.b.customerId]
  for (let n = 0; n < 20; n++) await addNotice(a, await addChannel(a, `hangs${n}`))
  const run = deliverNoticesJob.run(ctx, {})
  await until('the first ones hang', () => hanging.length > 0)
  // It comes later, and all that is due before it hangs.
  await addNotice(b, await addChannel(b, 'answers'))
  await until('the other customer is notified', () => answered.length === 1, 5_000)
  expect(hanging.length).toBeLessThan(12)
  const letGo = setInterval(() => {
    for (const answer of hanging.splice(0)) answer()
  }, 20)
  await run
  clearInterval(letGo)
  expect(await sql`select state, count(*)::int as n from alarm_deliveries group by state`).toEqual([
    { state: 'sent', n: 21 },
  ])
})

it('a channel that failed gets its new notices on the lines for such channels', async () => {
  await sql`truncate alarm_channels, alarm_notices cascade`
  hanging.length = 0
  answered.length = 0
  const { customerId } = tenants.a
  const channel = await addChannel(customerId, 'hangs')
  await addNotice(customerId, channel)
  await sql`update alarm_deliveries set state = 'sending', attempts = 1, error = 'unreachable', due_at = ${ctx.now()}::timestamptz + interval '1 hour'`
  for (let n = 0; n < 6; n++) await addNotice(customerId, channel)
  const run = deliverNoticesJob.run(ctx, {})
  await until('two of them hang', () => hanging.length === 2)
  // A customer has three of the other lines: the same customer's other channel uses one.
  await addNotice(customerId, await addChannel(customerId, 'answers'))
  await until('the other channel is notified', () => answered.length === 1, 5_000)
  expect(hanging).toHaveLength(2)
  const letGo = setInterval(() => {
    for (const answer of hanging.splice(0)) answer()
  }, 20)
  await run
  clearInterval(letGo)
})

it('a robot gets messages although it got as many as it accepts by a clock that was set back since', async () => {
  await sql`truncate alarm_channels, alarm_notices cascade`
  const { customerId } = tenants.a
  const robot = await addChannel(customerId, 'robot', 'dingtalk')
  for (let n = 0; n < 20; n++) await addNotice(customerId, robot)
  await sql`update alarm_deliveries set state = 'sent', sent_at = ${new Date(ctx.now().getTime() + 3_600_000)} where channel_id = ${robot}`
  await addNotice(customerId, robot)
  spoken = 0
  await deliverNoticesJob.run(ctx, {})
  expect(
    await sql`select count(*)::int as sent from alarm_deliveries where channel_id = ${robot} and state = 'sent'`,
  ).toEqual([{ sent: 21 }])
})

it.each(['wecom', 'dingtalk'])(
  'a robot (%s) gets no more within a minute than it accepts, and the rest after it; other channels do not wait',
  async (kind) => {
    await sql`truncate alarm_channels, alarm_notices cascade`
    answered.length = 0
    const { customerId } = tenants.a
    const robot = await addChannel(customerId, 'robot', kind)
    for (let n = 0; n < 50; n++) await addNotice(customerId, robot)
    await addNotice(customerId, await addChannel(customerId, 'answers'))
    for (const done of [18, 36, 50]) {
      spoken = 0
      await deliverNoticesJob.run(ctx, {})
      expect(answered).toContain('/answers')
      expect(
        await sql`select count(*) filter (where state = 'sent')::int as sent, max(attempts) as attempts from alarm_deliveries where channel_id = ${robot}`,
      ).toEqual([{ sent: done, attempts: 1 }])
      pass(61_000)
    }
  },
)

it.each([
  [503, 'it could not take meanwhile are delivered, in their order, instead of hours later', 4],
  [429, 'it refused wait for their own time', 1],
])('when a receiver that answered %i accepts again, notices that %s', async (status, _what, sent) => {
  await sql`truncate alarm_channels, alarm_notices cascade`
  const { customerId } = tenants.a
  const channel = await addChannel(customerId, 'returns')
  away = status
  for (let n = 0; n < 3; n++) await addNotice(customerId, channel)
  // Four tries; the next one is half an hour later.
  for (const wait of [6_000, 61_000, 301_000, 120_000]) {
    await deliverNoticesJob.run(ctx, {})
    pass(wait)
  }
  away = 0
  await addNotice(customerId, channel)
  await deliverNoticesJob.run(ctx, {})
  const rows = await sql`select state, attempts from alarm_deliveries order by id`
  expect(rows.filter(({ state }) => state === 'sent')).toHaveLength(sent)
  expect(rows.map(({ attempts }) => attempts)).toEqual(sent === 4 ? [5, 5, 5, 1] : [4, 4, 4, 1])
})

it('a receiver that takes few of many loses none of those that wait, for which it has a day', async () => {
  await sql`truncate alarm_channels, alarm_notices cascade`
  const { customerId } = tenants.a
  const channel = await addChannel(customerId, 'overloaded')
  for (let n = 0; n < 15; n++) {
    for (let i = 0; i < 10; i++) await addNotice(customerId, channel)
    await deliverNoticesJob.run(ctx, {})
    pass(100_000)
  }
  expect(await sql`select 1 from alarm_deliveries where state = 'failed'`).toEqual([])
})

it('a channel whose receiver accepts nothing is told of once to those who manage it, and again after it has worked', async () => {
  await sql`truncate alarm_channels, alarm_notices, mails cascade`
  const { customerId, admin, viewer } = tenants.a
  await sql`update users set email = username || '@example.com' where username in (${admin.username}, ${viewer.username}, ${tenants.b.admin.username})`
  const channel = await addChannel(customerId, 'returns')
  const mails = () =>
    sql<{ recipient: string; text: string }[]>`select recipient, text from mails order by id`
  const broken = async () =>
    (await sql`select broken_at is not null as broken from alarm_channels where id = ${channel}`)[0]?.[
      'broken'
    ]
  const tryFor = async (waits: readonly number[]) => {
    for (const wait of waits) {
      await addNotice(customerId, channel)
      await deliverNoticesJob.run(ctx, {})
      pass(wait)
    }
  }
  away = 500
  await tryFor([6_000, 61_000, 301_000])
  expect(await mails()).toEqual([])
  await tryFor([301_000, 1_801_000, 1_801_000])
  expect(await mails()).toMatchObject([{ recipient: `${admin.username}@example.com` }])
  expect((await mails())[0]?.text).toContain('HTTP 500')
  expect(await broken()).toBe(true)
  away = 0
  await tryFor([301_000])
  expect(await broken()).toBe(false)
  away = 410
  await tryFor([301_000])
  expect((await mails()).map(({ text }) => /HTTP \d+/.exec(text)?.[0])).toEqual(['HTTP 500', 'HTTP 410'])
  away = 0
})

it('a channel that is switched off by its receiver is told of, though the receiver has accepted another notice just before', async () => {
  await sql`truncate alarm_channels, alarm_notices, mails cascade`
  const { customerId, admin } = tenants.a
  await sql`update users set email = 'gone@example.com' where username = ${admin.username}`
  const channel = await addChannel(customerId, 'returns')
  await addNotice(customerId, channel)
  await sql`update alarm_deliveries set due_at = ${ctx.now()}::timestamptz + interval '5 seconds'`
  await addNotice(customerId, channel)
  away = 0
  await deliverNoticesJob.run(ctx, {})
  pass(6_000)
  away = 410
  await deliverNoticesJob.run(ctx, {})
  away = 0
  expect(await sql`select state from alarm_deliveries order by id`).toEqual([
    { state: 'failed' },
    { state: 'sent' },
  ])
  expect(await sql`select recipient from mails`).toEqual([{ recipient: 'gone@example.com' }])
})

it('notices that were written before the clock was set back are delivered', async () => {
  await sql`truncate alarm_channels, alarm_notices cascade`
  answered.length = 0
  const { customerId } = tenants.a
  await addNotice(customerId, await addChannel(customerId, 'answers'))
  await sql`update alarm_deliveries set created_at = ${ctx.now()}::timestamptz + interval '1 day', due_at = ${ctx.now()}::timestamptz + interval '1 day'`
  await deliverNoticesJob.run(ctx, {})
  expect(answered).toEqual(['/answers'])
})
