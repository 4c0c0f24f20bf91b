import { furnish } from '../furnish.ts'

export const furnishMail = furnish(async ({ sql }, tenant) => {
  const [made] = await sql<{ id: number }[]>`
    insert into mails (customer_id, purpose, recipient, subject, text, state) values (${tenant.customerId}, 'report', 'x@example.test', ${`${tenant.name} mail`}, 'x', 'failed') returning id`
  const id = { id: made?.id }
  return { own: { 'mail/getMail': id, 'mail/resendMail': id } }
})
