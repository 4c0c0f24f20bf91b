/** Addresses of webhooks are passwords, and channels and contacts deliver the alarms of the whole customer. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { seal } from '#infra/secrets'
import type { getAlarmChannelList, testAlarmChannel } from '#schema/alarm/alarm-channel'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import type { getContactList } from '#schema/alarm/contact'
import type { ReplyOf } from '#schema/kit/call'
import { accountRefusals } from '#schema/people/account-refusals'
import { apiTest } from '#test/api-client'

const { context, call, tenants } = await apiTest({ WEBHOOK_ALLOW_PRIVATE: 'true' })
const { a, b } = tenants
const { sql } = context
const SECRETS = ['T00000000', 'B11111111', 'XXXXXXXXXXXX', 'k3y-of-robot']
const tail = `/services/${SECRETS[0]}/${SECRETS[1]}/${SECRETS[2]}?key=${SECRETS[3]}`
const slack = `https://hooks.example.com${tail}`

/** Repeats the requested URL in its response, as many servers do; accepts only what is sent to /works. */
const echo = createServer((request, response) => {
  response.statusCode = request.url === '/works' ? 200 : 404
  response.end(`The requested URL ${request.url} was not found; ${request.url?.slice(0, 24)}`)
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((done) => echo.listen(0, '127.0.0.1', done))
  port = (echo.address() as AddressInfo).port
  // The operator sees one branch, and has all permissions of an administrator there.
  await sql`update users set role_id = (select id from roles where name = 'customerAdmin') where id = ${a.operator.id}`
})
afterAll(() => echo.close())
beforeEach(() => sql`truncate alarm_channels, alarm_notices, alarm_rules, contacts cascade`)

const create = async (secretUrl: string, body: object = {}) =>
  (
    await call<{ id: number }>(
      'alarm/createAlarmChannel',
      { name: 'Hook', kind: 'webhook', secretUrl, ...body },
      a.admin,
    )
  ).data?.id ?? 0
const change = (channelId: number, body: object, who = a.admin) =>
  call('alarm/updateAlarmChannel', { channelId, name: 'Hook', ...body }, who)
const list = async (who = a.admin) =>
  (await call<ReplyOf<typeof getAlarmChannelList>>('alarm/getAlarmChannelList', {}, who)).data?.list ?? []
const test = async (channelId: number) =>
  (await call<ReplyOf<typeof testAlarmChannel>>('alarm/testAlarmChannel', { channelId }, a.admin)).data
const sealed = async () => (await sql`select url_sealed from alarm_channels`)[0]?.['url_sealed']

describe('the address of a channel', () => {
  it.each(['webhook', 'wecom', 'dingtalk', 'sms'])(
    'of the kind %s is shown by its origin only',
    async (kind) => {
      const id = await create(slack, { kind, template: '{"to":"{phone}"}' })
      expect((await list())[0]?.urlShown).toBe('https://hooks.example.com')
      await change(id, { secretUrl: `${slack}2`, name: 'Other', template: '{"to":"{phone}"}' })
      await call('alarm/deleteAlarmChannel', { channelId: id }, a.admin)
      const log = JSON.stringify(await sql`select * from operations`)
      expect(log).toContain('https://hooks.example.com')
      for (const secret of SECRETS) expect(log).not.toContain(secret)
    },
  )

  it('stays as it is when the form leaves it untouched, empty or not', async () => {
    const id = await create(slack)
    const before = await sealed()
    expect((await change(id, { name: 'A' })).code).toBe(0)
    expect((await change(id, { name: 'B', secretUrl: '', signingSecret: '' })).code).toBe(0)
    expect(await sealed()).toBe(before)
    expect(await list()).toMatchObject([{ name: 'B', urlShown: 'https://hooks.example.com' }])
  })

  it('is removed from what the receiver returns', async () => {
    const id = await create(`http://127.0.0.1:${port}${tail}`)
    const tested = await test(id)
    expect(tested).toMatchObject({ ok: false, status: 404, error: null })
    expect(tested?.response).toContain('The requested URL /')
    const everywhere = JSON.stringify([tested, await sql`select * from alarm_deliveries`])
    for (const secret of SECRETS) expect(everywhere).not.toContain(secret)
  })
})

describe('a failed test', () => {
  it('is reported with the same word, whatever the cause', async () => {
    const closed = await create('http://127.0.0.1:1/')
    const unknown = await create('http://no-such-host.invalid/', { name: 'Unknown' })
    const tests = [await test(closed), await test(unknown)]
    for (const tested of tests)
      expect(tested).toEqual({ ok: false, status: null, response: null, error: 'unreachable', tookMs: null })
    const log = JSON.stringify(await sql`select error, response_text, took_ms from alarm_deliveries`)
    expect(log).not.toMatch(/ECONN|ENOTFOUND|127\.0\.0\.1/)
  })

  it('reports an address that was encrypted with another key', async () => {
    const id = await create(slack)
    await sql`update alarm_channels set url_sealed = ${seal(slack, 'another key')}`
    expect(await test(id)).toMatchObject({ ok: false, error: 'unreadable' })
  })
})

describe('a user confined to groups', () => {
  const rule = (body: object, who = a.admin) =>
    call('alarm/createAlarmRule', { name: 'R', kind: 'offline', threshold: 5, ...body }, who)
  const contact = async () =>
    (
      await call<{ id: number }>(
        'contact/createContact',
        { name: 'Li', phone: '13800138000', email: 'li@example.test' },
        a.admin,
      )
    ).data?.id ?? 0
  const redirect = (contactId: number, who = a.operator) =>
    call(
      'contact/updateContact',
      { contactId, name: 'Li', phone: '13800138000', email: 'thief@example.test' },
      who,
    )

  it.each([
    ['customer-wide', { scope: 'customer' }],
    ['of other groups', { scope: 'groups', groupIds: [a.groups.other] }],
  ])('does not change the channels and contacts of rules that are %s', async (_, scope) => {
    const [channelId, contactId] = [await create(slack), await contact()]
    expect((await rule({ ...scope, channelIds: [channelId], contactIds: [contactId] })).code).toBe(0)
    const before = await sealed()
    for (const body of [{ secretUrl: 'https://thief.example/' }, { enabled: false }, { newSecret: true }])
      expect((await change(channelId, body, a.operator)).code).toBe(alarmRefusals.receiverOfOthers.code)
    expect((await redirect(contactId)).code).toBe(alarmRefusals.receiverOfOthers.code)
    expect(await sealed()).toBe(before)
    expect((await sql`select email from contacts`)[0]?.['email']).toBe('li@example.test')
    expect((await list(a.operator))[0]?.changeable).toBe(false)
    const people = await call<ReplyOf<typeof getContactList>>('contact/getContactList', {}, a.operator)
    expect(people.data?.list[0]?.changeable).toBe(false)
    // A user who sees the whole customer can.
    expect((await change(channelId, { secretUrl: 'https://new.example/' })).code).toBe(0)
    expect((await redirect(contactId, a.admin)).code).toBe(0)
  })

  it('changes those that only rules of those groups use, and those that none uses', async () => {
    const [channelId, contactId] = [await create(slack), await contact()]
    expect((await change(channelId, {}, a.operator)).code).toBe(0)
    const own = {
      scope: 'groups',
      groupIds: [a.groups.branch],
      channelIds: [channelId],
      contactIds: [contactId],
    }
    expect((await rule(own, a.operator)).code).toBe(0)
    expect((await change(channelId, { enabled: false }, a.operator)).code).toBe(0)
    expect((await redirect(contactId)).code).toBe(0)
    expect((await list(a.operator))[0]?.changeable).toBe(true)
  })

  it('deletes their own rule also once a device of it was given to another customer', async () => {
    const [, stays, goes] = a.devices.map(({ id }) => id)
    const { data } = (await rule({ scope: 'devices', deviceIds: [stays, goes] }, a.operator)) as {
      data: { id: number } | null
    }
    await sql`update devices set customer_id = ${b.customerId}, group_id = ${b.groups.root} where id = ${goes ?? 0}`
    const deleted = await call('alarm/deleteAlarmRule', { ruleId: data?.id }, a.operator)
    await sql`update devices set customer_id = ${a.customerId}, group_id = ${a.groups.branch} where id = ${goes ?? 0}`
    expect(deleted.code).toBe(0)
  })
})

describe('tests of channels', () => {
  it('are bounded for each customer: of 60 at once 20 are sent, the others are refused with the waiting time', async () => {
    const id = await create(`http://127.0.0.1:${port}/`)
    await sql`truncate send_budgets`
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => call('alarm/testAlarmChannel', { channelId: id }, a.admin)),
    )
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(20)
    const refused = answers.filter(({ code }) => code === accountRefusals.sendBudgetSpent.code)
    expect(refused).toHaveLength(40)
    expect(refused[0]?.message).toBe(
      'The 20 that may be sent within an hour are used up, try again in 3 minutes',
    )
    const spent = (who: { username: string }) =>
      call<{ list: object[] }>('mail/getSpentBudgets', {}, who).then(({ data }) => data?.list)
    expect(await spent(a.admin)).toMatchObject([
      { customerId: a.customerId, purpose: 'channelTest', perHour: 20 },
    ])
    expect(await spent(tenants.b.admin)).toEqual([])
    await sql`truncate send_budgets`
  })
})

describe('events, which are about the whole customer,', () => {
  const contact = { name: 'C', phone: '13800000001', email: 'c@example.test' }

  it('cannot be chosen by a user confined to groups, for neither a channel nor a contact', async () => {
    const events = ['taskPaused']
    const refused = alarmRefusals.eventsOfOthers.code
    const channel = { name: 'H', kind: 'webhook', secretUrl: slack, events }
    expect(await call('alarm/createAlarmChannel', channel, a.operator)).toMatchObject({ code: refused })
    expect(await call('contact/createContact', { ...contact, events }, a.operator)).toMatchObject({
      code: refused,
    })
    expect((await call('alarm/createAlarmChannel', { ...channel, events: [] }, a.operator)).code).toBe(0)
  })

  it('protect their channel and contact from such a user, and stay when an edit does not name them', async () => {
    const channelId = await create(slack, { events: ['configDrifted', 'taskPaused'] })
    const made = await call<{ id: number }>(
      'contact/createContact',
      { ...contact, events: ['taskPaused'] },
      a.admin,
    )
    const refused = alarmRefusals.receiverOfOthers.code
    expect((await change(channelId, { name: 'Mine' }, a.operator)).code).toBe(refused)
    const edited = { contactId: made.data?.id, ...contact, email: 'me@example.test' }
    expect((await call('contact/updateContact', edited, a.operator)).code).toBe(refused)
    expect((await change(channelId, { name: 'Renamed' })).code).toBe(0)
    expect(await list()).toMatchObject([{ name: 'Renamed', events: ['taskPaused', 'configDrifted'] }])
    expect(await list(a.operator)).toMatchObject([{ changeable: false }])
  })
})

it('a channel that accepts nothing is said to be so until it has another address, is switched on again, or takes a test', async () => {
  const id = await create(slack)
  const breaks = () => sql`update alarm_channels set broken_at = now()`
  const isBroken = async () => (await list())[0]?.brokenAt !== null
  await breaks()
  await change(id, { name: 'Renamed', enabled: true })
  expect(await isBroken()).toBe(true)
  await change(id, { secretUrl: `${slack}2`, enabled: true })
  expect(await isBroken()).toBe(false)
  await breaks()
  await change(id, { enabled: false })
  expect(await isBroken()).toBe(true)
  await change(id, { enabled: true })
  expect(await isBroken()).toBe(false)
  await change(id, { secretUrl: `http://127.0.0.1:${port}/works`, enabled: true })
  await breaks()
  expect(await test(id)).toMatchObject({ ok: true })
  expect(await isBroken()).toBe(false)
})
