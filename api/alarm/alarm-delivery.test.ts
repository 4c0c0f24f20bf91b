import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { accountRefusals } from '#schema/people/account-refusals'
import { apiTest } from '#test/api-client'
import { meanwhile } from '#test/meanwhile'

const { call, tenants, context } = await apiTest()
const { a } = tenants
const { sql } = context

async function delivered(mail: { state: string; kept: boolean }, recipient: string): Promise<void> {
  const noticeId = randomUUID()
  await sql`
    insert into alarm_notices (id, customer_id, kind, subject, payload)
    values (${noticeId}, ${a.customerId}, 'alert', 'Away', ${sql.json({ rule: null, incident: null, count: 0, alarms: [], text: 'Away' })})`
  await sql`
    with mail as (
      insert into mails (customer_id, purpose, recipient, subject, text, state, kept)
      values (${a.customerId}, 'alarm', ${recipient}, 'Away', 'Away', ${mail.state}, ${mail.kept}) returning id)
    insert into alarm_deliveries (notice_id, customer_id, mail_id, recipient)
    select ${noticeId}, ${a.customerId}, id, ${recipient} from mail`
}

const listed = async (more: object = {}) => {
  const { data } = await call('alarm/getDeliveryList', { search: 'Away', ...more }, a.admin)
  return (data as { list: { recipient: string; state: string }[] }).list.map(({ recipient, state }) => [
    recipient,
    state,
  ])
}

it('an e-mail that stays in the outbox for want of a mail server is not told as delivered', async () => {
  await delivered({ state: 'sent', kept: false }, 'sent@example.test')
  await delivered({ state: 'draft', kept: true }, 'kept@example.test')
  expect(await listed()).toEqual([
    ['kept@example.test', 'kept'],
    ['sent@example.test', 'sent'],
  ])
  expect(await listed({ state: 'sent' })).toEqual([['sent@example.test', 'sent']])
  expect(await listed({ state: 'kept' })).toEqual([['kept@example.test', 'kept']])
})

it('one that is still to be sent is not sent again, and takes nothing from the budget of those to come', async () => {
  await delivered({ state: 'draft', kept: false }, 'draft@example.test')
  const [found] = await sql<{ id: number }[]>`
    select id from alarm_deliveries where recipient = 'draft@example.test'`
  const again = () => call('alarm/redeliver', { deliveryId: found?.id }, a.admin)
  for (let pressed = 0; pressed < 3; pressed++)
    expect((await again()).code).toBe(alarmRefusals.deliveryPending.code)
  expect(await sql`select 1 from send_budgets where customer_id = ${a.customerId} and used > 0`).toHaveLength(
    0,
  )
  await sql`update mails set state = 'failed' where recipient = 'draft@example.test'`
  expect((await again()).code).toBe(0)
})

it('of two clicks at once one sends it again, and only that one takes from the budget', async () => {
  for (const way of ['mail', 'channel'] as const) {
    await delivered({ state: 'failed', kept: false }, `${way}@example.test`)
    const [found] = await sql<{ id: number; mailId: number; noticeId: string }[]>`
      select id, mail_id as "mailId", notice_id as "noticeId" from alarm_deliveries where recipient = ${`${way}@example.test`}`
    if (!found) throw new Error('no delivery')
    if (way === 'channel')
      await sql`
        with channel as (
          insert into alarm_channels (customer_id, name, kind, url_sealed, url_shown, enabled)
          values (${a.customerId}, 'clicks', 'webhook', '', '', true) returning id)
        update alarm_deliveries set channel_id = (select id from channel), mail_id = null, state = 'failed' where id = ${found.id}`
    await sql`delete from send_budgets`
    const second = await meanwhile(
      sql,
      () => call('alarm/redeliver', { deliveryId: found.id }, a.admin),
      (tx) =>
        way === 'mail'
          ? tx`update mails set state = 'draft' where id = ${found.mailId}`
          : tx`update alarm_deliveries set state = 'draft' where id = ${found.id}`,
    )
    expect(second.code).toBe(alarmRefusals.deliveryPending.code)
    expect(await sql`select 1 from send_budgets where used > 0`).toHaveLength(0)
  }
})

it('an e-mail is not sent again while no mail server is set, and stays as it is', async () => {
  await delivered({ state: 'failed', kept: false }, 'nowhere@example.test')
  const [found] = await sql<{ id: number }[]>`
    select id from alarm_deliveries where recipient = 'nowhere@example.test'`
  await sql`delete from send_budgets`
  const before = context.env.NODE_ENV
  Object.assign(context.env, { NODE_ENV: 'production' })
  try {
    expect((await call('alarm/redeliver', { deliveryId: found?.id }, a.admin)).code).toBe(
      accountRefusals.noTransport.code,
    )
  } finally {
    Object.assign(context.env, { NODE_ENV: before })
  }
  expect(await sql`select state from mails where recipient = 'nowhere@example.test'`).toEqual([
    { state: 'failed' },
  ])
  expect(await sql`select 1 from send_budgets where used > 0`).toHaveLength(0)
})
