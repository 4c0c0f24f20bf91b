import { describe, expect, it } from 'vitest'
import { peopleRefusals } from '#schema/people/people-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'

const { tenants, call, context } = await apiTest()
const { a, b, superAdmin, systemAdmin } = tenants
type Made = { customerId: number; groupId: number; userId: number | null }
type Row = Record<string, unknown> & { id: number; name: string }

const add = (body: object, who: { username: string } = systemAdmin) =>
  call<Made>('customer/addCustomer', body, who)
const list = async (body: object, who: { username: string } = systemAdmin) =>
  (await call<{ list: Row[]; total: number }>('customer/getCustomerList', body, who)).data
const template = async (name: string) =>
  (await context.sql<{ id: number }[]>`select id from roles where name = ${name} and template`)[0]?.id

describe('customers', () => {
  it('have name, ID, administrator, contact, phone, email, address, service type, logo and copyright text', async () => {
    const made = await add({
      name: 'North Hotels',
      contact: 'Li Wei',
      phone: '+86 10-6666 0000',
      email: 'ops@north.example',
      address: '1 Harbour Road',
      serviceType: 'remotePrint',
      copyright: '© North Hotels',
      totpRequired: false,
      username: 'north_admin',
      password: 'right-horse-7',
      confirmPassword: 'right-horse-7',
      roleId: await template('customerAdmin'),
    })
    expect(made.code).toBe(0)
    const found = await list({ search: 'north' })
    expect(found?.list).toMatchObject([
      {
        id: made.data?.customerId,
        name: 'North Hotels',
        administrator: 'north_admin',
        contact: 'Li Wei',
        phone: '+861066660000',
        email: 'ops@north.example',
        address: '1 Harbour Road',
        serviceType: 'remotePrint',
        copyright: '© North Hotels',
        totpRequired: false,
        logo: null,
        userCount: 1,
        deviceCount: 0,
      },
    ])
  })

  it('come with an administrator who sees Cloud Monitoring, unless it is switched off', async () => {
    const monitors = async (name: string, more: object) => {
      const person = { username: name, password: 'right-horse-7', confirmPassword: 'right-horse-7' }
      const roleId = await template('customerAdmin')
      expect((await add({ name, serviceType: 'standard', ...person, roleId, ...more })).code).toBe(0)
      return (await context.sql`select mon_state from users where username = ${name}`)[0]?.['mon_state']
    }
    expect(await monitors('monitoring_one', {})).toBe(1)
    expect(await monitors('monitoring_two', { monState: false })).toBe(0)
  })

  it.each([
    ['zh-CN', '默认分组'],
    ['zh-TW', '預設群組'],
  ] as const)('name their default group in the language of who adds them: %s', async (language, name) => {
    const customer = { name: `Customer ${language}`, serviceType: 'standard' }
    const made = await call<Made>('customer/addCustomer', customer, systemAdmin, {
      'accept-language': language,
    })
    expect(await context.sql`select name from groups where id = ${made.data?.groupId ?? 0}`).toEqual([
      { name },
    ])
  })

  it('come with their Default group, and their administrator may log in', async () => {
    const [group] =
      await context.sql`select g.name, level, is_default from groups g join customers c on c.id = g.customer_id where c.name = 'North Hotels'`
    expect(group).toEqual({ name: 'Default', level: 1, is_default: true })
    const login = await call<{ user_ctid: number; copyRight: string }>('userLogin', {
      username: 'north_admin',
      password: 'right-horse-7',
    })
    expect(login.data).toMatchObject({ copyRight: '© North Hotels', userType: 'customerAdmin' })
  })

  it('name required', async () => {
    for (const name of ['', '   '])
      expect(await add({ name })).toMatchObject({ code: sessionRefusals.invalid.code, field: 'name' })
  })

  it('role required, where an administrator is created with it', async () => {
    const answer = await add({
      name: 'No role',
      username: 'norole',
      password: 'right-horse-7',
      confirmPassword: 'right-horse-7',
    })
    expect(answer).toMatchObject({ code: peopleRefusals.roleRequired.code, field: 'roleId' })
    expect((await list({ search: 'No role' }))?.total).toBe(0)
  })

  it('an administrator gets no role of the installation, and passwords entered twice must not differ', async () => {
    const person = { username: 'someone', password: 'right-horse-7', confirmPassword: 'right-horse-7' }
    const high = await add({ name: 'High', ...person, roleId: await template('systemAdmin') })
    expect(high.code).toBe(sessionRefusals.noPermission.code)
    const differs = await add({
      name: 'High',
      ...person,
      confirmPassword: 'x',
      roleId: await template('customerAdmin'),
    })
    expect(differs).toMatchObject({ code: peopleRefusals.passwordsDiffer.code, field: 'confirmPassword' })
  })

  it('Duplicates: customer already exists; user already exists leaves no incomplete customer', async () => {
    for (const name of ['Acme', 'ACME', ' acme '])
      expect(await add({ name })).toMatchObject({ code: peopleRefusals.customerTaken.code, field: 'name' })
    const user = await add({
      name: 'Half made',
      username: 'north_admin',
      password: 'right-horse-7',
      confirmPassword: 'right-horse-7',
      roleId: await template('customerAdmin'),
    })
    expect(user).toMatchObject({ code: peopleRefusals.userTaken.code, field: 'username' })
    expect((await list({ search: 'Half made' }))?.total).toBe(0)
  })

  it('insufficient permission (on customer add): users of a customer never add one', async () => {
    expect((await add({ name: 'Mine' }, a.admin)).code).toBe(sessionRefusals.noPermission.code)
  })

  it('phone and e-mail are checked', async () => {
    expect((await add({ name: 'P', phone: 'call me' })).field).toBe('phone')
    expect((await add({ name: 'P', email: 'nobody' })).field).toBe('email')
  })

  it('getCustomerList is asked with user_id, offset and limit 500; a customer sees only itself', async () => {
    const all = await list({ user_id: 1, offset: 1, limit: 500 }, superAdmin)
    expect(all?.list.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Acme', 'Bolt', 'North Hotels']),
    )
    expect(
      (await list({ user_id: 1, offset: 1, limit: 500 }, a.admin))?.list.map(({ name }) => name),
    ).toEqual(['Acme'])
  })

  it('are changed, and the operation log has both states', async () => {
    const answer = await call(
      'customer/modifyCustomer',
      { customerId: b.customerId, name: 'Bolt', contact: 'Wang', copyright: '© Bolt' },
      systemAdmin,
    )
    expect(answer.code).toBe(0)
    const details = await call<{ copyRight: string }>('userLogin', {
      username: b.admin.username,
      password: 'right-horse-7',
    })
    expect(details.data?.copyRight).toBe('© Bolt')
    const [entry] =
      await context.sql`select before, after from operations where call = 'customer/modifyCustomer' and code = 0`
    expect(entry).toMatchObject({
      before: { contact: null },
      after: { contact: 'Wang' },
    })
  })

  it('customer cannot be deleted while it owns anything, and what blocks it is named', async () => {
    const answer = await call('customer/deleteCustomer', { customerId: a.customerId }, systemAdmin)
    expect(answer.code).toBe(peopleRefusals.customerInUse.code)
    expect(answer.message).toContain('devices (abnormal ones included) 4')
    expect(answer.message).toContain('users 3')
    expect(answer.message).toContain('groups 3')
  })

  it('abnormal devices and a single user block it too; only the empty Default group does not', async () => {
    const made = (await add({ name: 'Short lived' })).data as Made
    const remove = () => call('customer/deleteCustomer', { customerId: made.customerId }, systemAdmin)
    await context.sql`insert into devices (customer_id, group_id, sn, name, deleted_at) values (${made.customerId}, ${made.groupId}, 'GONE-1', 'gone', now())`
    expect((await remove()).message).toContain('devices')
    await context.sql`delete from devices where sn = 'GONE-1'`
    await context.sql`insert into users (username, password_hash, type, customer_id) values ('lonely', 'x', 'customerAdmin', ${made.customerId})`
    expect((await remove()).message).toContain('users 1')
    await context.sql`delete from users where username = 'lonely'`
    expect((await remove()).code).toBe(0)
    expect((await list({ search: 'Short lived' }))?.total).toBe(0)
    expect((await remove()).code).toBe(sessionRefusals.noPermission.code)
  })

  it('a deleted customer leaves no mail or notice that would still be sent', async () => {
    const { customerId } = (await add({ name: 'Closed down' })).data as Made
    const { sql } = context
    await sql`insert into mails (customer_id, purpose, recipient, subject, text) values (${customerId}, 'report', 'closed@down.example', 'Daily', 'secret figures')`
    await sql`insert into alarm_notices (id, customer_id, kind, subject, payload) values (gen_random_uuid(), ${customerId}, 'alert', 'Offline', '{}')`
    expect((await call('customer/deleteCustomer', { customerId }, systemAdmin)).code).toBe(0)
    expect(await sql`select 1 from mails where customer_id = ${customerId}`).toHaveLength(0)
    expect(await sql`select 1 from alarm_notices where customer_id = ${customerId}`).toHaveLength(0)
  })

  it('have texts for every table that can block them', async () => {
    const { ownedNames } = await import('./customer-owns.ts')
    const rows = await context.sql<{ table: string }[]>`
      select conrelid::regclass::text as table from pg_constraint
      where contype = 'f' and confrelid = 'customers'::regclass and confdeltype in ('a', 'r') and conparentid = 0`
    expect(rows.map(({ table }) => table).filter((table) => !(table in ownedNames))).toEqual([])
  })
})
