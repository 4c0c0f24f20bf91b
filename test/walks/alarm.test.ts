/** A device loses its network: alarm, signed webhook and mail, return, recovery. Verified like a receiver. */
import { createHmac } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { deliverNotices } from '#schema/alarm/alarm-channel'
import { evaluateAlarms } from '#schema/alarm/alarm-rule'
import { type Booted, bootAll } from '#test/boot'
import { testContext } from '#test/harness'
import { addDevices, seedTenants, simulated, TEST_PASSWORD } from '#test/tenants'
import { until } from './until.ts'

type Received = { headers: IncomingHttpHeaders; body: string }
type Body = {
  type: string
  data: { count: number; incident: { ground: string } | null; alarms: { sn: string }[] }
}

let booted: Booted
let token: string
let hook: Server
let secret = ''
let refuseFirst = 0
const received: Received[] = []
const SNS = Array.from({ length: 8 }, (_, i) => `WALK-0000${i}`)
/** One is lost alone, of its own for each try; the others together. */
const ALONE = ['WALK-00008', 'WALK-00009']
let tries = 0

/** Written from the specification of Standard Webhooks, without using our code. */
function verified({ headers, body }: Received): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const expected = createHmac('sha256', key).update(signed).digest('base64')
  const fresh = Math.abs(Date.now() / 1000 - Number(headers['webhook-timestamp'])) < 300
  return fresh && String(headers['webhook-signature']).split(' ').includes(`v1,${expected}`)
}
const parsed = (one: Received) => JSON.parse(one.body) as Body
const heard = (type: string, sn?: string) =>
  received.find((one) => {
    const { type: is, data } = parsed(one)
    return is === type && (sn === undefined || data.alarms.some((alarm) => alarm.sn === sn))
  })

beforeAll(async () => {
  hook = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      response.statusCode = refuseFirst-- > 0 ? 503 : 200
      response.end('thanks')
    })
  })
  await new Promise<void>((done) => hook.listen(0, '127.0.0.1', done))
  const context = await testContext({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  const { a } = await seedTenants(context)
  const made = await addDevices(
    context.sql,
    a.customerId,
    a.groups.branch,
    'WALK-',
    SNS.length + ALONE.length,
  )
  booted = await bootAll({
    context,
    sim: {
      ...simulated(made),
    },
  })
  await booted.sim?.whenOnline(60_000)
  // In the first minute of a broker no device counts as missing.
  await context.sql`update brokers set started_at = started_at - interval '2 minutes'`
  token = await booted.login(a.admin.username, TEST_PASSWORD)
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/hook`
  const channel = await call<{ id: number; secret: string }>('alarm/createAlarmChannel', {
    name: 'Hook',
    kind: 'webhook',
    secretUrl: url,
  })
  secret = channel.secret
  const contact = await call<{ id: number }>('contact/createContact', {
    name: 'Li',
    phone: '13800138000',
    email: 'li@example.test',
  })
  await call('alarm/createAlarmRule', {
    name: 'Away',
    kind: 'offline',
    threshold: 1,
    scope: 'customer',
    contactIds: [contact.id],
    channelIds: [channel.id],
  })
}, 180_000)
afterAll(async () => {
  await booted?.close()
  hook?.close()
})

async function call<T>(name: string, body: object): Promise<T> {
  const answer = await booted.call(name, body, token)
  expect(answer.code, answer.message).toBe(0)
  return answer.data as T
}
/** Runs the jobs instead of waiting for their schedules of ten and five seconds. */
const soon = <T>(what: string, ask: () => T | undefined | Promise<T | undefined>) =>
  until(
    what,
    async () => {
      await booted.context.queue.add(evaluateAlarms, {})
      await booted.context.queue.add(deliverNotices, {})
      return ask()
    },
    60_000,
    500,
  )
async function onlineOf(sns: readonly string[]): Promise<number> {
  const { sql } = booted.context
  const [row] = await sql<{ n: number }[]>`
    select count(*)::int as n from device_states s join devices d on d.id = s.device_id where d.sn in ${sql([...sns])} and s.online`
  return row?.n ?? -1
}
/** The devices lose their network, and it was two minutes ago. */
async function lose(sns: readonly string[]) {
  for (const sn of sns) {
    const device = booted.sim?.device(sn)
    // Without DISCONNECT; then switched off until they are needed again.
    device?.goOffline(1)
    device?.down()
  }
  const { sql } = booted.context
  await until('they are offline', async () => (await onlineOf(sns)) === 0, 60_000)
  await sql`update device_states set online_changed_at = online_changed_at - interval '2 minutes' where not online`
  await until(
    'they are alarmed',
    async () => {
      const [row] = await sql<
        { n: number }[]
      >`select count(*)::int as n from alarms where sn in ${sql([...sns])} and ended_at is null`
      return row?.n === sns.length
    },
    60_000,
  )
  // The half minute of waiting for others with the same cause.
  await sql`update alarms set last_at = last_at - interval '31 seconds' where ended_at is null`
}
async function bringBack(sns: readonly string[]) {
  for (const sn of sns) booted.sim?.device(sn).boot()
  await until('they are online', async () => (await onlineOf(sns)) === sns.length, 60_000)
}

/** A retry begins where the first try did. */
beforeEach(async () => {
  const { sql } = booted.context
  const all = [...SNS, ...ALONE]
  for (const sn of all) if (!booted.sim?.device(sn).online) booted.sim?.device(sn).boot()
  await until('all are online', async () => (await onlineOf(all)) === all.length, 60_000)
  await soon('all is over', async () => {
    const [row] = await sql<{ n: number }[]>`
      select (select count(*) from alarms where ended_at is null)::int
        + (select count(*) from alarm_deliveries where state in ('draft', 'sending') and channel_id is not null)::int as n`
    return row?.n === 0 || undefined
  })
})

it('killed → alarm → signed webhook, retried after a refusal, and mail → returned → cleared → recovery', async () => {
  const sn = ALONE[tries++ % ALONE.length] ?? ''
  const deliveries = async () =>
    (await call<{ list: object[] }>('alarm/getDeliveryList', { search: 'Away' })).list.length
  const [before, deliveredBefore] = [received.length, await deliveries()]
  refuseFirst = 1
  await lose([sn])
  await soon('the webhook was heard twice', () => received[before + 1])
  const [first, second] = received.slice(before) as [Received, Received]
  expect(parsed(second)).toMatchObject({ type: 'alarm.alert', data: { count: 1, alarms: [{ sn }] } })
  expect(verified(first)).toBe(true)
  expect(verified(second)).toBe(true)
  expect(verified({ ...second, body: `${second.body} ` })).toBe(false)
  // The same notice: a receiver that counted the first one as received discards the second.
  expect(second.headers['webhook-id']).toBe(first.headers['webhook-id'])
  const mails = await booted.context.sql<
    { subject: string }[]
  >`select subject from mails where recipient = 'li@example.test' and subject like ${`%${sn}`}`
  expect(mails).toEqual([{ subject: `[Major] Away: Device ${sn}` }])
  const bell = await call<{ open: number }>('alarm/getAlarmCount', {})
  expect(bell.open).toBe(1)

  await bringBack([sn])
  const recovery = await soon('the recovery was heard', () => heard('alarm.recovery', sn))
  expect(verified(recovery)).toBe(true)
  const history = await call<{ list: object[] }>('alarm/getAlarmHistory', { search: sn })
  expect(history.list).toMatchObject([{ sn, endReason: 'recovered' }])
  expect(await deliveries()).toBe(deliveredBefore + 4)
}, 180_000)

it('a mass outage is one notice', async () => {
  const before = received.length
  await lose(SNS.slice(1))
  await soon('the outage was heard', () => received[before])
  await bringBack(SNS.slice(1))
  await soon('its end was heard', () => heard('alarm.recovery', SNS[7]))
  const heardNow = received.slice(before).map(parsed)
  expect(heardNow.map(({ type }) => type)).toEqual(['alarm.alert', 'alarm.recovery'])
  expect(heardNow[0]?.data).toMatchObject({
    count: 7,
    incident: { ground: expect.stringMatching(/group|carrier/) },
  })
}, 180_000)
