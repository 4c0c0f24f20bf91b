import { expect, it } from 'vitest'
import { accountRefusals } from '#schema/people/account-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest({ SMTP_URL: 'smtp://127.0.0.1:1' })
const { sql } = context
const { a, superAdmin } = tenants

it('a mail that is sent again by several clicks at once is sent once, and takes one from the budget', async () => {
  const [mail] = await sql<{ id: number }[]>`
    insert into mails (customer_id, purpose, recipient, subject, text, state)
    values (${a.customerId}, 'report', 'x@example.test', 'S', 'T', 'failed') returning id`
  const codes = await Promise.all(
    Array.from({ length: 5 }, async () => (await call('mail/resendMail', { id: mail?.id }, superAdmin)).code),
  )
  expect(codes.filter((code) => code === 0)).toHaveLength(1)
  expect(codes.filter((code) => code === accountRefusals.mailNotFailed.code)).toHaveLength(4)
  const [spent] =
    await sql`select round(used)::int as used from send_budgets where customer_id = ${a.customerId}`
  expect(spent).toMatchObject({ used: 1 })
})
