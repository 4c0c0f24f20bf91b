/** Mail over real SMTP: a report on schedule and on request, and the link that binds an address. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sendReports } from '#schema/report/report-schedule'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { type Mailbox, openMailbox } from '../mailbox.ts'
import { seedTenants, TEST_PASSWORD, type Tenants } from '../tenants.ts'
import { until } from './until.ts'

let system: Booted
let box: Mailbox
let tenants: Tenants
let token: string
/** Addresses and user names of a try are its own: those of the first are confirmed, bound or taken. */
let tries = 0

beforeAll(async () => {
  box = await openMailbox()
  const context = await testContext({ SMTP_URL: `smtp://${box.url}` })
  tenants = await seedTenants(context)
  system = await bootAll({ context })
  token = await system.login(tenants.a.admin.username, TEST_PASSWORD)
})
afterAll(() => system.close())

/** Its text. Of a letter in Chinese nodemailer encodes what needs fewer bytes, which depends on the letters of the token, too. */
function decoded(letter: string): string {
  const [head = '', ...body] = letter.split('\r\n\r\n')
  const text = body.join('\r\n\r\n')
  return /^content-transfer-encoding: base64/im.test(head)
    ? Buffer.from(text, 'base64').toString('utf8')
    : text.replace(/=\r?\n/g, '').replace(/=3D/g, '=')
}
const to = (address: string) => box.letters.filter((letter) => letter.includes(`To: ${address}\r\n`))
/** The first attachment, decoded. */
function attachment(letter: string): { name: string; text: string } {
  const part = letter.split(/^--.*$/m).find((one) => one.includes('Content-Disposition: attachment')) ?? ''
  const [head = '', ...body] = part.trim().split(/\r?\n\r?\n/)
  const text = Buffer.from(body.join('').replace(/\s/g, ''), 'base64').toString('utf8')
  return { name: /filename=(\S+)/.exec(head)?.[1] ?? '', text }
}

it('a report is sent to each recipient on schedule, once, and again on request', async () => {
  const { sql } = system.context
  await sql`insert into fleet_hours (hour, customer_id, group_id, model, devices, known_s, online_s, signal_sum, signal_devices, excellent, good, fair, poor)
    values (date_trunc('hour', now() - interval '1 hour'), ${tenants.a.customerId}, 0, '*', 4, 14400, 10800, 0, 0, 0, 0, 0, 0)`
  const recipients = [`boss${++tries}@example.test`, `night${tries}@example.test`]
  const [boss = '', night = ''] = recipients
  box.letters.length = 0
  const { data } = await system.call(
    'report/addReportSchedule',
    {
      report: 'online',
      name: 'Morning',
      range: '24h',
      every: 'day',
      at: '07:30',
      zone: 'Asia/Shanghai',
      weekday: 1,
      monthDay: 1,
      recipients,
      enabled: true,
    },
    token,
  )
  const { id } = data as { id: number }
  // Both are unknown: each is asked, and until they confirm nothing else is sent there.
  for (const email of recipients) {
    const [asked = ''] = await until('they are asked', () => (to(email).length > 0 ? to(email) : null))
    const link = new URL(/http:\/\/\S+#\S+/.exec(decoded(asked))?.[0] ?? '')
    expect(link.pathname).toBe('/confirm-recipient')
    const confirm = () => system.call('report/confirmRecipient', { token: link.hash.slice(1) })
    if (email === recipients[0]) {
      await sql`update report_schedules set next_run_at = now() - interval '1 second' where id = ${id}`
      await system.context.queue.add(sendReports, {})
      await until('it was due and went to nobody', async () => {
        const [row] = await sql`select 1 from report_schedules where id = ${id} and next_run_at > now()`
        return row
      })
      await until('nothing but the two questions was sent', () => box.letters.length >= 2)
      expect(box.letters).toHaveLength(2)
    }
    expect((await confirm()).code).toBe(0)
    expect((await confirm()).code).not.toBe(0)
  }
  box.letters.length = 0
  await sql`update report_schedules set next_run_at = now() - interval '1 second' where id = ${id}`
  await system.context.queue.add(sendReports, {})
  await until('both have their mail', () => box.letters.length === 2)
  const [letter = ''] = to(boss)
  expect(to(night)).toHaveLength(1)
  expect(letter).toContain('Auto-Submitted: auto-generated')
  const { name, text } = attachment(letter)
  expect(name).toBe('online.csv')
  expect(text).toMatch(/^\uFEFFOnline rate,.* – .*\r\nTime \(.+\),Online rate \(%\),Devices\r\n/)
  expect(text).toMatch(/\d\d:00,75,4\r\n/)
  const [row] = await sql<{ at: Date }[]>`select next_run_at as at from report_schedules where id = ${id}`
  expect(row?.at.toISOString()).toMatch(/T23:30:00/)
  expect(row?.at.getTime()).toBeGreaterThan(Date.now())

  expect((await system.call('report/sendReportNow', { id }, token)).code).toBe(0)
  await until('both have it again', () => box.letters.length === 4)
  expect(to(boss)).toHaveLength(2)
})

it('the link that binds an address works once', async () => {
  const email = `desk${++tries}@example.test`
  expect((await system.call('user/bindEmail', { email, passwd: TEST_PASSWORD }, token)).code).toBe(0)
  const [letter = ''] = await until('the mail', () => (to(email).length > 0 ? to(email) : null))
  const link = new URL(/http:\/\/\S+#\S+/.exec(decoded(letter))?.[0] ?? '')
  expect(link.pathname).toBe('/confirm-email')
  const confirm = () => system.call('user/confirmEmail', { token: link.hash.slice(1) })
  expect((await confirm()).code).toBe(0)
  expect((await confirm()).code).not.toBe(0)
  expect((await system.call('emailLogin', { email, password: TEST_PASSWORD })).code).toBe(0)
})

it('an invited user chooses a password by the link in their mail, and logs in', async () => {
  const username = `newcomer${++tries}`
  const email = `${username}@example.test`
  const [role] = await system.context.sql<{ id: number }[]>`
    select id from roles where template and name = 'customerAdmin'`
  const person = { username, email, userType: 'customerAdmin', roleId: role?.id }
  const made = await system.call('user/addUser', { ...person, invite: true, language: 'zh-TW' }, token)
  expect(made).toMatchObject({ code: 0, data: { kept: false } })
  const linkOf = (letter: string) => new URL(/http:\/\/\S+#\S+/.exec(decoded(letter))?.[0] ?? '')
  const [first = ''] = await until('the invitation', () => (to(email).length > 0 ? to(email) : null))
  const { userId } = made.data as { userId: number }
  expect((await system.call('user/sendInvitation', { userId }, token)).code).toBe(0)
  const [, second = ''] = await until('the second one', () => (to(email).length > 1 ? to(email) : null))
  const accept = (link: URL) =>
    system.call('user/acceptInvitation', {
      token: link.hash.slice(1),
      password: 'their-own-7',
      confirmPassword: 'their-own-7',
    })
  expect(linkOf(second).pathname).toBe('/invitation')
  expect(linkOf(second).searchParams.get('language')).toBe('zh-TW')
  // The newer link replaces the older one.
  expect((await accept(linkOf(first))).code).not.toBe(0)
  expect((await accept(linkOf(second))).code).toBe(0)
  expect((await accept(linkOf(second))).code).not.toBe(0)
  expect((await system.call('emailLogin', { email, password: 'their-own-7' })).code).toBe(0)
})
