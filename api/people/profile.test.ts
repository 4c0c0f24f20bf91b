import { describe, expect, it } from 'vitest'
import { accountRefusals } from '#schema/people/account-refusals'
import { peopleRefusals } from '#schema/people/people-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { meanwhile } from '#test/meanwhile'
import { TEST_PASSWORD } from '#test/tenants'

const { call, tenants, context, app, token } = await apiTest({ PUBLIC_URL: 'https://cloud.example.test' })
const { admin, operator, viewer } = tenants.a

const details = async (user: { username: string }, token: string) =>
  (await app.inject({ method: 'GET', url: '/api/user/getUserDetails', headers: { token } })).json().data ??
  user
const bind = (email: string, who: { username: string }, passwd = TEST_PASSWORD, language = 'en-US') =>
  call<{ kept: boolean }>('user/bindEmail', { email, passwd }, who, { 'accept-language': language })
const lastMail = async () => {
  const [row] = await context.sql<{ recipient: string; subject: string; text: string }[]>`
    select recipient, subject, text from mails order by id desc limit 1`
  if (!row) throw new Error('no mail')
  const token =
    /https:\/\/cloud\.example\.test\/confirm-email\?language=[\w-]+#([\w-]{43})/.exec(row.text)?.[1] ?? ''
  return { ...row, token }
}
const confirm = (token: string) => call<{ email: string }>('user/confirmEmail', { token })
const emailLogin = (email: string) => call('emailLogin', { email, password: TEST_PASSWORD })
const reset = () => context.sql`delete from email_bindings`

describe('edit profile', () => {
  it('code 0 saves, omitted fields stay, an empty text clears [§7]', async () => {
    const body = {
      nickname: 'Ann',
      user_tel: '+86 138-0000-0001',
      user_addr: 'Street 1',
      user_sex: 2,
      user_qq: '10001',
    }
    expect((await call('user/updateUser', body, admin)).code).toBe(0)
    expect((await call('user/updateUser', { user_addr: '' }, admin)).code).toBe(0)
    const [row] = await context.sql`select nickname, tel, addr, sex, qq from users where id = ${admin.id}`
    expect(row).toEqual({ nickname: 'Ann', tel: '+8613800000001', addr: null, sex: 2, qq: '10001' })
  })

  it('accepts every user field that it returned, and changes none of those that grant permissions [§7]', async () => {
    // The login made by the call is recorded in the row.
    await call('config/getMenu', {}, viewer)
    const stored = () => context.sql`select * from users where id = ${viewer.id}`
    const before = await stored()
    const raised = {
      user_id: admin.id,
      username: 'somebody_else',
      roleid: 1,
      user_ctid: tenants.b.customerId,
      user_iscustomer: 0,
      user_status: 0,
      user_email: 'other@example.test',
      userLoginTime: '2026-01-01T00:00:00Z',
      copyRight: null,
      customerLogo: null,
      defaultGroupId: 1,
      monState: 1,
    }
    expect((await call('user/updateUser', raised, viewer)).code).toBe(0)
    expect(await stored()).toEqual(before)
  })

  it.each(['without a picture', 'with a picture'])(
    'accepts its own details sent back as they are, %s: null says again that a field is not set',
    async (which) => {
      const [image] = await context.sql<{ id: string }[]>`
        insert into images (id, customer_id, mime, content) values (gen_random_uuid(), ${tenants.a.customerId}, 'image/webp', '') returning id`
      if (which === 'with a picture')
        expect((await call('user/updateUser', { user_icon: image?.id }, viewer)).code).toBe(0)
      const own = async () => details(viewer, await token(viewer))
      const before = await own()
      expect(before).toMatchObject({
        nickname: null,
        user_icon: which === 'with a picture' ? `/images/${image?.id}` : null,
      })
      expect(await call('user/updateUser', before, viewer)).toMatchObject({ code: 0 })
      expect(await own()).toEqual(before)
    },
  )

  it('phone already exists names the field [§8]', async () => {
    expect(await call('user/updateUser', { user_tel: '+8613800000001' }, operator)).toMatchObject({
      code: peopleRefusals.phoneTaken.code,
      field: 'user_tel',
    })
  })

  it('records only changes in the operation log', async () => {
    await call('user/updateUser', { nickname: 'Ann', realname: 'Anna' }, admin)
    const rows = await context.sql<{ before: object; after: object }[]>`
      select before, after from operations where call = 'user/updateUser' and after ? 'realname'`
    expect(rows).toEqual([{ before: { realname: null }, after: { realname: 'Anna' } }])
  })

  it('does not accept another customer’s picture', async () => {
    const [image] = await context.sql<{ id: string }[]>`
      insert into images (id, customer_id, mime, content) values (gen_random_uuid(), ${tenants.b.customerId}, 'image/webp', '') returning id`
    expect((await call('user/updateUser', { user_icon: image?.id }, admin)).code).toBe(
      sessionRefusals.noPermission.code,
    )
  })
})

describe('e-mail binding', () => {
  it('what does not look like an e-mail is refused: enter a correct email [§5]', async () => {
    expect(await bind('nobody', admin)).toMatchObject({
      code: accountRefusals.emailFormat.code,
      field: 'email',
      message: 'Enter a correct e-mail address',
    })
  })

  it('code 15 for a wrong password [§7]', async () => {
    expect(await bind('new@example.test', admin, 'wrong-pass-1')).toMatchObject({ code: 15, field: 'passwd' })
    await context.sql`delete from login_attempts`
  })

  it('code 0 sends a link and binds nothing yet; the click binds, without a login [§7]', async () => {
    expect(await bind('New@example.test', admin)).toMatchObject({ code: 0, data: { kept: true } })
    const { recipient, token } = await lastMail()
    expect(recipient).toBe('New@example.test')
    expect((await emailLogin('new@example.test')).code).toBe(sessionRefusals.wrongCredentials.code)
    expect((await emailLogin(`${admin.username}@example.test`)).code).toBe(0)
    expect(await confirm(token)).toMatchObject({ code: 0, data: { email: 'New@example.test' } })
    expect((await emailLogin('new@example.test')).code).toBe(0)
    expect((await emailLogin(`${admin.username}@example.test`)).code).toBe(
      sessionRefusals.wrongCredentials.code,
    )
    await context.sql`delete from login_attempts`
  })

  it('a link works once', async () => {
    const { token } = await lastMail()
    expect((await confirm(token)).code).toBe(accountRefusals.linkInvalid.code)
  })

  it('a link is good for 30 minutes [§9]', async () => {
    await bind('late@example.test', admin)
    const { token } = await lastMail()
    const [row] = await context.sql<{ minutes: number }[]>`
      select round(extract(epoch from expires_at - now()) / 60)::int as minutes from email_bindings where used_at is null`
    expect(row?.minutes).toBe(30)
    await context.sql`update email_bindings set expires_at = now() - interval '1 second'`
    expect((await confirm(token)).code).toBe(accountRefusals.linkInvalid.code)
  })

  it('a later link replaces an earlier one, and the token is stored only hashed', async () => {
    await bind('first@example.test', admin)
    const first = (await lastMail()).token
    await bind('second@example.test', admin)
    expect((await confirm(first)).code).toBe(accountRefusals.linkInvalid.code)
    expect(JSON.stringify(await context.sql`select * from email_bindings`)).not.toContain(first)
    expect(JSON.stringify(await context.sql`select * from operations`)).not.toContain(first)
    await reset()
  })

  it('email already exists: another user’s address is refused, in any case [§8]', async () => {
    expect(await bind('NEW@EXAMPLE.TEST', operator)).toMatchObject({
      code: peopleRefusals.emailTaken.code,
      field: 'email',
    })
  })

  it('an address bound by another user between mail and click is not bound twice', async () => {
    await bind('race@example.test', operator)
    const one = (await lastMail()).token
    await bind('race@example.test', viewer)
    const two = (await lastMail()).token
    expect((await confirm(one)).code).toBe(0)
    expect((await confirm(two)).code).toBe(accountRefusals.linkInvalid.code)
    await reset()
  })

  it('nothing is bound for a user disabled meanwhile', async () => {
    await bind('gone@example.test', viewer)
    await context.sql`update users set status = 0 where id = ${viewer.id}`
    expect((await confirm((await lastMail()).token)).code).toBe(accountRefusals.linkInvalid.code)
    await context.sql`update users set status = 1 where id = ${viewer.id}`
    await reset()
  })

  it('a link from before the password was changed, or before an administrator set an address, binds nothing', async () => {
    const { id } = operator
    const [before] = await context.sql<{ email: string; hash: string }[]>`
      select email, password_hash as hash from users where id = ${id}`
    const newpassword = 'Other12345x'
    const list = await call<{ list: Record<string, unknown>[] }>(
      'user/getUserList',
      { search: operator.username },
      admin,
    )
    const row = list.data?.list.find((one) => one['user_id'] === id) ?? {}
    const setAddress = {
      ...{ userId: id, userType: row['userType'], customerId: row['customerId'], roleId: row['roleId'] },
      groupIds: (row['groups'] as { gid: number }[]).map(({ gid }) => gid),
      email: 'set-by-admin@example.test',
    }
    for (const [name, body, who] of [
      [
        'user/changePassword',
        { oldpassword: TEST_PASSWORD, newpassword, confirmPassword: newpassword },
        operator,
      ],
      ['user/changePassword', { userId: id, newpassword, confirmPassword: newpassword }, admin],
      ['user/modifyUser', setAddress, admin],
    ] as const) {
      expect((await bind('thief@example.test', operator)).code).toBe(0)
      const { token } = await lastMail()
      expect((await call(name, body, who)).code, name).toBe(0)
      expect((await confirm(token)).code, name).toBe(accountRefusals.linkInvalid.code)
      await context.sql`update users set password_hash = ${before?.hash ?? ''} where id = ${id}`
      await context.sql`update sessions set ended_at = null where user_id = ${id}`
    }
    await context.sql`update users set email = ${before?.email ?? null} where id = ${id}`
    await reset()
  })

  it('limits mails to five an hour for a user and for an address', async () => {
    for (let i = 0; i < 5; i++) expect((await bind('target@example.test', operator)).code).toBe(0)
    expect((await bind('elsewhere@example.test', operator)).code).toBe(accountRefusals.mailTooOften.code)
    expect((await bind('target@example.test', viewer)).code).toBe(accountRefusals.mailTooOften.code)
    // Sent by a clock that has been set back since.
    await context.sql`update email_bindings set created_at = now() + interval '1 day'`
    expect((await bind('target@example.test', viewer)).code).toBe(0)
    await reset()
  })

  it.each([
    ['zh-CN', '绑定邮箱'],
    ['zh-TW', '綁定電子郵件'],
    ['en-US', 'Bind your e-mail'],
  ])('the mail is written in %s', async (language, words) => {
    await bind('words@example.test', operator, TEST_PASSWORD, language)
    expect((await lastMail()).subject).toContain(words)
    await reset()
  })

  it('is in the operation log under the user’s name, though the click needs no login', async () => {
    await bind('logged@example.test', operator)
    await confirm((await lastMail()).token)
    const rows = await context.sql<{ username: string; after: { email: string } }[]>`
      select username, after from operations where call = 'user/confirmEmail' and code = 0 order by id desc limit 1`
    expect(rows).toEqual([{ username: operator.username, after: { email: 'logged@example.test' } }])
    expect(
      await details(
        operator,
        await call<{ token: string }>('emailLogin', {
          email: 'logged@example.test',
          password: TEST_PASSWORD,
        }).then((answer) => answer.data?.token ?? ''),
      ),
    ).toMatchObject({
      user_email: 'logged@example.test',
    })
  })
})

it.each([
  [
    'the password',
    'user/changePassword',
    { oldpassword: TEST_PASSWORD, newpassword: 'thief-pass-9' },
    'oldpassword',
  ],
  ['the address', 'user/bindEmail', { email: 'thief@example.test', passwd: TEST_PASSWORD }, 'passwd'],
])(
  '%s is not changed with a password that an administrator replaces at the same moment',
  async (_, path, body, field) => {
    const { sql } = context
    const { id } = operator
    await call('config/getMenu', {}, operator)
    const [before] = await sql<{ hash: string }[]>`select password_hash as hash from users where id = ${id}`
    const asked = await meanwhile(
      sql,
      () => call(path, body, operator),
      (tx) => tx`select 1 from users where id = ${id} for update`,
      (tx) => tx`update users set password_hash = 'of the administrator' where id = ${id}`,
    )
    expect(asked).toMatchObject({ code: 15, field })
    expect(await sql`select password_hash as hash from users where id = ${id}`).toEqual([
      { hash: 'of the administrator' },
    ])
    expect(await sql`select 1 from email_bindings where email = 'thief@example.test'`).toHaveLength(0)
    await sql`update users set password_hash = ${before?.hash ?? ''} where id = ${id}`
  },
)
