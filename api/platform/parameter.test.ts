import { describe, expect, it, vi } from 'vitest'
import { openParameters } from '#infra/parameters'
import { accountRefusals } from '#schema/people/account-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { parameters } from '#schema/platform/parameter-list'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { systemAdmin, a, b } = tenants

type Row = { key: string | null; id: number | null; name: string; value: string; source: string }
const list = async (body: object, who: { username: string }) =>
  (await call<{ list: Row[] }>('parameter/getParameterList', { limit: 100, ...body }, who)).data?.list ?? []
const sessionHours = async (body: object, who: { username: string }) =>
  (await list(body, who)).find(({ key }) => key === 'sessionHours')
const set = (body: object, who: { username: string } = systemAdmin) =>
  call('parameter/setParameter', body, who)

describe('declared parameters', () => {
  it('have their default until another value is set', async () => {
    expect(await sessionHours({}, systemAdmin)).toMatchObject({ value: '12', source: 'initial' })
  })

  it.each([
    ['below', parameters.sessionHours.min - 1],
    ['above', parameters.sessionHours.max + 1],
  ])('refuse a value %s their bounds, naming the field', async (_where, value) => {
    expect(await set({ key: 'sessionHours', value })).toMatchObject({
      code: accountRefusals.parameterRange.code,
      field: 'value',
    })
  })

  it('refuse fractions and text', async () => {
    for (const value of [1.5, 'many']) expect((await set({ key: 'sessionHours', value })).code).toBe(3)
  })

  it('a customer has a value of its own, which others do not see, and removes it with null', async () => {
    expect((await set({ key: 'sessionHours', value: 24 })).code).toBe(0)
    expect((await set({ key: 'sessionHours', value: 2, customerId: a.customerId })).code).toBe(0)
    expect(await sessionHours({}, a.admin)).toMatchObject({ value: '2', source: 'customer' })
    expect(await sessionHours({}, b.admin)).toMatchObject({ value: '24', source: 'platform' })
    expect(await context.parameters.get('sessionHours', a.customerId)).toBe(2)
    expect((await set({ key: 'sessionHours', value: null, customerId: a.customerId })).code).toBe(0)
    expect(await sessionHours({}, a.admin)).toMatchObject({ value: '24', source: 'platform' })
    expect((await set({ key: 'sessionHours', value: null })).code).toBe(0)
  })

  it('that belong to the installation are not set for one customer', async () => {
    expect((await set({ key: 'mailDays', value: 30, customerId: a.customerId })).code).toBe(
      accountRefusals.parameterShared.code,
    )
  })

  it('are not set by customer administrators, whatever their role', async () => {
    expect((await set({ key: 'sessionHours', value: 2 }, a.admin)).code).toBe(
      sessionRefusals.noPermission.code,
    )
  })

  it('reach other processes within seconds', async () => {
    let clock = 0
    const other = openParameters(context.sql, () => clock)
    expect(await other.get('commandWaitS')).toBe(60)
    await set({ key: 'commandWaitS', value: 90 })
    expect(await other.get('commandWaitS')).toBe(60)
    clock += 2_001
    expect(await other.get('commandWaitS')).toBe(90)
    await set({ key: 'commandWaitS', value: null })
  })

  it('are those of after a change also for who asked while they were still being read', async () => {
    let value = 60
    const answered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const slow = async () => {
      const rows = [{ key: 'commandWaitS', customerId: null, value }]
      await answered.shift()?.promise
      return rows
    }
    const [first, second] = answered
    const changing = openParameters(slow as unknown as typeof context.sql)
    const before = changing.get('commandWaitS')
    value = 90
    changing.forget()
    const after = changing.get('commandWaitS')
    second?.resolve()
    expect(await after).toBe(90)
    first?.resolve()
    expect(await before).toBe(60)
    expect(await changing.get('commandWaitS')).toBe(90)
  })

  it('are limited to their bounds even if the row says otherwise', async () => {
    await context.sql`insert into parameter_values (key, value) values ('loginDays', 1)`
    context.parameters.forget()
    expect(await context.parameters.get('loginDays')).toBe(parameters.loginDays.min)
  })

  it('control the length of a session, per customer', async () => {
    await set({ key: 'sessionHours', value: 3, customerId: a.customerId })
    context.parameters.forget()
    await call('userLogin', { username: a.viewer.username, password: 'right-horse-7' })
    const [row] = await context.sql<{ hours: number }[]>`
      select round(extract(epoch from expires_at - created_at) / 3600)::int as hours from sessions
      where user_id = ${a.viewer.id} order by created_at desc limit 1`
    expect(row?.hours).toBe(3)
  })

  it('control how many failed logins are allowed', async () => {
    await set({ key: 'loginFailures', value: 3 })
    context.parameters.forget()
    const fail = () => call('userLogin', { username: b.viewer.username, password: 'wrong-pass-1' })
    const codes = []
    for (let i = 0; i < 4; i++) codes.push((await fail()).code)
    expect(codes).toEqual([101, 101, 101, sessionRefusals.tooManyAttempts.code])
    await set({ key: 'loginFailures', value: null })
    await context.sql`delete from login_attempts`
  })
})

describe('parameters added by users', () => {
  const add = (body: object, who = systemAdmin) =>
    call<{ id: number }>('parameter/addParameter', { value: 'x', ...body }, who)

  it('duplicate parameter Chinese name is refused [§8]', async () => {
    expect((await add({ nameZh: '站点代码', nameEn: 'Site code' })).code).toBe(0)
    expect(await add({ nameZh: '站点代码', nameEn: 'Another' })).toMatchObject({
      code: accountRefusals.parameterZhTaken.code,
      field: 'nameZh',
      message: 'A parameter with the Chinese name 站点代码 already exists',
    })
  })

  it('duplicate parameter English name is refused, in any case [§8]', async () => {
    expect(await add({ nameZh: '其他', nameEn: 'site CODE' })).toMatchObject({
      code: accountRefusals.parameterEnTaken.code,
      field: 'nameEn',
    })
  })

  it('cannot have the name of a declared one', async () => {
    expect((await add({ nameZh: '登录有效期', nameEn: 'Mine' })).code).toBe(
      accountRefusals.parameterZhTaken.code,
    )
    expect((await add({ nameZh: '我的', nameEn: 'session length' })).code).toBe(
      accountRefusals.parameterEnTaken.code,
    )
  })

  it('are changed and deleted, noted in the operation log with before and after', async () => {
    const id = (await add({ nameZh: '区域', nameEn: 'Region', value: 'north', customerId: a.customerId }))
      .data?.id
    const next = { id, nameZh: '区域', nameEn: 'Region', value: 'south' }
    expect((await call('parameter/modifyParameter', next, systemAdmin)).code).toBe(0)
    expect((await list({ search: 'region' }, a.admin)).map(({ value }) => value)).toEqual(['south'])
    expect(await list({ search: 'region' }, b.admin)).toEqual([])
    expect((await call('parameter/deleteParameter', { id }, systemAdmin)).code).toBe(0)
    const rows = await vi.waitFor(async () => {
      const found = await context.sql<{ before: { value: string } | null; customer: number }[]>`
        select before, object_customer_id as customer from operations where object = 'Region' order by id`
      // The log is written after the response was sent.
      expect(found).toHaveLength(3)
      return found
    }, 40_000)
    expect(rows.map(({ before }) => before?.value)).toEqual([undefined, 'north', 'south'])
    expect(new Set(rows.map(({ customer }) => customer))).toEqual(new Set([a.customerId]))
  })
})

describe('what a retention parameter keeps', () => {
  const useOf = async (key: string, who: { username: string } = systemAdmin) =>
    call<{ bytes: number | null }>('parameter/getParameterUse', { key }, who)

  it('is the size of its tables with their partitions, and grows with their rows', async () => {
    const before = (await useOf('statusDays')).data?.bytes ?? 0
    const parts = await context.sql<
      { relid: string }[]
    >`select relid::text from pg_partition_tree('status_samples') where isleaf`
    expect(parts.length).toBeGreaterThan(1)
    expect(before).toBeGreaterThan(0)
    const plain = (await useOf('warningDays')).data?.bytes ?? 0
    await context.sql`
      insert into device_warnings (device_id, what, detail, at)
      select ${a.devices[0]?.id ?? 0}, 'invalidMessage', repeat('x', 200), now() - n * interval '1 minute' from generate_series(1, 2000) n`
    expect((await useOf('warningDays')).data?.bytes).toBeGreaterThan(plain + 100_000)
  })

  it('is nothing for a parameter that keeps no rows', async () => {
    expect((await useOf('sessionHours')).data).toEqual({ bytes: null })
  })
})
