/** Reports are sent to unknown addresses only after confirmation: one mail asks, with a link that works once. */

import { beforeEach, describe, expect, it } from 'vitest'
import type { ReplyOf } from '#schema/kit/call'
import { accountRefusals } from '#schema/people/account-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import type { RecipientState } from '#schema/report/recipient'
import type { getReportScheduleList } from '#schema/report/report-schedule'
import { apiTest } from '#test/api-client'

const { context, call, tenants } = await apiTest({ PUBLIC_URL: 'https://cloud.example.test' })
const { a, b, superAdmin } = tenants
const { sql } = context
const STRANGER = 'boss@elsewhere.test'
const body = {
  report: 'online',
  range: '7d',
  name: 'Monday',
  every: 'day',
  at: '08:30',
  zone: 'UTC',
  recipients: [STRANGER],
}
const add = (recipients: readonly string[] = [STRANGER], who = a.admin) =>
  call<{ id: number }>('report/addReportSchedule', { ...body, recipients }, who)
const ask = (id: number | undefined, email = STRANGER, who = a.admin) =>
  call('report/askRecipient', { id, email }, who)
const confirm = (token: string) =>
  call<{ email: string; customerName: string | null }>('report/confirmRecipient', { token })
const mails = () => sql<{ recipient: string; text: string }[]>`select recipient, text from mails order by id`
const tokens = async () =>
  (await mails()).map(
    ({ text }) =>
      /https:\/\/cloud\.example\.test\/confirm-recipient\?language=[\w-]+#([\w-]{43})/.exec(text)?.[1] ?? '',
  )
const states = async (who = a.admin): Promise<[string, RecipientState][]> => {
  const { data } = await call<ReplyOf<typeof getReportScheduleList>>('report/getReportScheduleList', {}, who)
  return data?.list[0]?.recipientStates.map(({ email, state }) => [email, state]) ?? []
}

beforeEach(
  () => sql`truncate report_schedules, recipients, contacts, mails, alarm_deliveries, send_budgets cascade`,
)

describe('recipients of reports', () => {
  it('outside the users and contacts of the customer are asked, each once', async () => {
    const user = `${a.operator.username}@example.test`
    await sql`insert into contacts (customer_id, name, phone, email) values (${a.customerId}, 'Li', '13800000000', 'Li@Example.test')`
    const known = [user, 'li@example.test']
    const foreign = `${b.admin.username}@example.test`
    expect((await add([...known, foreign, STRANGER])).code).toBe(0)
    expect((await mails()).map(({ recipient }) => recipient)).toEqual([foreign, STRANGER])
    expect(await states()).toEqual([
      ...known.map((email) => [email, 'known']),
      [foreign, 'waiting'],
      [STRANGER, 'waiting'],
    ])
    // Another report for the same recipients, or the same one saved again: they were asked.
    await add([foreign, STRANGER])
    expect(await mails()).toHaveLength(2)
  })

  it('confirm by a link that works once; the mail contains no text that a sender could have written', async () => {
    await call('report/addReportSchedule', { ...body, name: 'Buy at evil.test' }, a.admin)
    const [mail] = await mails()
    expect(mail?.text).toContain(a.name)
    expect(mail?.text).not.toContain('evil.test')
    const [token = ''] = await tokens()
    expect((await confirm(`${token}x`)).code).toBe(accountRefusals.linkInvalid.code)
    expect(await confirm(token)).toMatchObject({ code: 0, data: { email: STRANGER, customerName: a.name } })
    expect(await states()).toEqual([[STRANGER, 'confirmed']])
    expect((await confirm(token)).code).toBe(accountRefusals.linkInvalid.code)
    expect(JSON.stringify(await sql`select * from operations`)).not.toContain(token)
    // For one customer, not for another.
    await add([STRANGER], b.admin)
    expect(await states(b.admin)).toEqual([[STRANGER, 'waiting']])
  })

  it('whose link has expired are asked again when the report is saved or on request', async () => {
    const id = (await add()).data?.id
    await sql`update recipients set expires_at = now(), asked_at = now() - interval '8 days'`
    const [old = ''] = await tokens()
    expect((await confirm(old)).code).toBe(accountRefusals.linkInvalid.code)
    expect(await states()).toEqual([[STRANGER, 'unasked']])
    const { report: _, ...rest } = body
    expect((await call('report/modifyReportSchedule', { ...rest, id }, a.admin)).code).toBe(0)
    expect(await states()).toEqual([[STRANGER, 'waiting']])
    await sql`update recipients set asked_at = now() - interval '61 minutes'`
    expect((await ask(id)).code).toBe(0)
    const [, second = '', third = ''] = await tokens()
    expect((await confirm(second)).code).toBe(accountRefusals.linkInvalid.code)
    expect((await confirm(third)).code).toBe(0)
  })

  it('who are no longer users have to be asked', async () => {
    const email = `${a.viewer.username}@example.test`
    await add([email])
    expect(await states()).toEqual([[email, 'known']])
    await sql`update users set status = 0 where id = ${a.viewer.id}`
    expect(await states()).toEqual([[email, 'unasked']])
    await sql`update users set status = 1 where id = ${a.viewer.id}`
  })

  it('are not flooded: once an hour by one customer, five times by all together', async () => {
    const id = (await add()).data?.id
    expect(await ask(id)).toMatchObject({
      code: accountRefusals.mailTooOften.code,
      message: expect.stringMatching(/60 minutes/),
    })
    expect(await mails()).toHaveLength(1)
    await sql`
      with more as (insert into customers (name) select 'More ' || n from generate_series(1, 4) n returning id)
      insert into recipients (customer_id, email, asked_at, expires_at) select id, ${STRANGER}, now(), now() from more`
    expect(await add([STRANGER], b.admin)).toMatchObject({
      code: accountRefusals.mailTooOften.code,
      field: 'recipients',
    })
    expect(await mails()).toHaveLength(1)
    // Asked by a clock that has been set back since.
    await sql`update recipients set asked_at = now() + interval '1 day'`
    expect((await add([STRANGER], b.admin)).code).toBe(0)
    expect((await ask(id)).code).toBe(0)
    expect(await mails()).toHaveLength(3)
  })

  it('beyond the budget for confirmations are not asked, and nothing is stored', async () => {
    const many = (from: number) => Array.from({ length: 20 }, (_, i) => `r${from + i}@elsewhere.test`)
    const codes = []
    for (const from of [0, 20, 40]) codes.push((await add(many(from))).code)
    // 30 per hour: the second report takes more than are left, and the rest of its mails wait.
    expect(codes).toEqual([0, 0, accountRefusals.sendBudgetSpent.code])
    expect(await mails()).toHaveLength(40)
    expect(await sql`select 1 from mails where due_at > now() + interval '1 minute'`).toHaveLength(10)
    expect(await sql`select 1 from report_schedules`).toHaveLength(2)
    expect((await add([`${a.viewer.username}@example.test`])).code).toBe(0)
  })

  it('are asked again only by users who may see the report', async () => {
    const id = (await add()).data?.id
    await sql`update recipients set asked_at = now() - interval '2 hours'`
    for (const who of [a.operator, b.admin])
      expect((await ask(id, STRANGER, who)).code).toBe(sessionRefusals.noPermission.code)
    expect((await ask(id, 'victim@elsewhere.test')).code).toBe(sessionRefusals.noPermission.code)
    expect((await ask(id, STRANGER, superAdmin)).code).toBe(0)
  })
})
