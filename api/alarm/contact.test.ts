import { beforeEach, describe, expect, it } from 'vitest'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { context, call, tenants } = await apiTest()
const { a, b, superAdmin } = tenants
const li = { name: 'Li', phone: '138-0013-8000', email: 'li@example.test' }
const create = (body: object, who = a.admin) => call<{ id: number }>('contact/createContact', body, who)

beforeEach(() => context.sql`truncate contacts, alarm_rules cascade`)

describe('[§5] Alarm contact', () => {
  it.each(['name', 'phone', 'email'])('%s is required', async (field) => {
    expect(await create({ ...li, [field]: '' })).toMatchObject({ code: sessionRefusals.invalid.code, field })
    expect(await create({ ...li, [field]: undefined })).toMatchObject({
      code: sessionRefusals.invalid.code,
      field,
    })
  })

  it.each(['12', 'phone', '+', '0123456789012345678901'])(
    'phone %s is not correctly formatted',
    async (phone) => {
      expect(await create({ ...li, phone })).toMatchObject({
        code: sessionRefusals.invalid.code,
        field: 'phone',
      })
    },
  )

  it.each(['li', 'li@', '@example.test', 'li example@x.y'])(
    'e-mail %s is not correctly formatted',
    async (email) => {
      expect(await create({ ...li, email })).toMatchObject({
        code: sessionRefusals.invalid.code,
        field: 'email',
      })
    },
  )

  it('[§8] "phone already exists", in any notation', async () => {
    expect((await create(li)).code).toBe(0)
    expect(await create({ ...li, email: 'other@example.test', phone: '138 00138000' })).toMatchObject({
      code: alarmRefusals.contactPhoneTaken.code,
      field: 'phone',
      message: 'Phone already exists',
    })
  })

  it.each([
    ['13800138000', '+86 138 0013 8000', '0086-13800138000', '8613800138000'],
    ['010-8765 4321', '+86 10 8765 4321', '0086 10 87654321', '861087654321'],
    ['+44 20 7946 0000', '0044 20 7946 0000', '442079460000', '+442079460000'],
  ])('[§5] %s is one number, compared by its digits with the country code', async (phone, ...same) => {
    await context.sql`delete from contacts`
    expect((await create({ ...li, phone })).code).toBe(0)
    for (const other of same)
      expect([other, await create({ ...li, email: 'x@example.test', phone: other })]).toMatchObject([
        other,
        { code: alarmRefusals.contactPhoneTaken.code, field: 'phone' },
      ])
    expect((await create({ ...li, email: 'y@example.test', phone: '+1 202 555 0100' })).code).toBe(0)
  })

  it('[§8] "email already exists", whatever the case', async () => {
    await create(li)
    expect(await create({ ...li, phone: '13900000000', email: 'LI@Example.test' })).toMatchObject({
      code: alarmRefusals.contactEmailTaken.code,
      field: 'email',
      message: 'Email already exists',
    })
  })

  it('is unique within the customer: another customer may have the same person', async () => {
    await create(li)
    expect((await create(li, b.admin)).code).toBe(0)
  })

  it('cannot be changed to the data of another one, but to its own', async () => {
    await create(li)
    const made = await create({ name: 'Wang', phone: '13900000000', email: 'wang@example.test' })
    const contactId = made.data?.id
    const change = (body: object) =>
      call('contact/updateContact', { contactId, name: 'Wang', ...body }, a.admin)
    expect((await change({ phone: li.phone, email: 'wang@example.test' })).code).toBe(
      alarmRefusals.contactPhoneTaken.code,
    )
    expect((await change({ phone: '13900000000', email: 'wang@example.test', wechat: 'w' })).code).toBe(0)
  })

  it('is not deleted while a rule uses it', async () => {
    const made = await create(li)
    const rule = await call<{ id: number }>(
      'alarm/createAlarmRule',
      { name: 'Away', kind: 'offline', threshold: 5, scope: 'customer', contactIds: [made.data?.id] },
      a.admin,
    )
    const gone = () => call('contact/deleteContact', { contactId: made.data?.id }, a.admin)
    expect(await gone()).toMatchObject({
      code: alarmRefusals.contactInUse.code,
      message: 'The alarm rule Away notifies this contact: remove it there first',
    })
    // It is on another page than alarm rules.
    await context.sql`update alarm_rules set kind = 'variable' where id = ${rule.data?.id ?? 0}`
    expect((await gone()).message).toBe(
      'The variable notice Away of Cloud Monitoring notifies this contact: remove it there first',
    )
    await context.sql`update alarm_rules set kind = 'offline' where id = ${rule.data?.id ?? 0}`
    await call('alarm/deleteAlarmRule', { ruleId: rule.data?.id }, a.admin)
    expect((await gone()).code).toBe(0)
  })

  it('is not deleted while a rule that uses it is being added', async () => {
    const contactId = (await create(li)).data?.id ?? 0
    let deleted: ReturnType<typeof call> | undefined
    await context.sql.begin(async (tx) => {
      const [rule] = await tx<{ id: number }[]>`
        insert into alarm_rules (customer_id, name, kind, severity, scope, mode, time_zone, language, alert_text, recovery_text)
        values (${a.customerId}, 'New', 'offline', 'minor', 'customer', 'once', 'UTC', 'en-US', 'a', 'r') returning id`
      await tx`insert into alarm_rule_contacts (rule_id, contact_id) values (${rule?.id ?? 0}, ${contactId})`
      deleted = call('contact/deleteContact', { contactId }, a.admin)
      await new Promise((done) => setTimeout(done, 300))
    })
    expect(await deleted).toMatchObject({ code: alarmRefusals.contactInUse.code })
  })

  it('created by a platform user belongs to the customer that they select', async () => {
    expect(await create(li, superAdmin)).toMatchObject({
      code: alarmRefusals.customerMissing.code,
      field: 'customerId',
    })
    expect((await create({ ...li, customerId: a.customerId }, superAdmin)).code).toBe(0)
    expect((await create({ ...li, customerId: b.customerId }, a.admin)).code).toBe(
      sessionRefusals.noPermission.code,
    )
  })
})
