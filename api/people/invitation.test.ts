import { beforeEach, describe, expect, it } from 'vitest'
import { accountRefusals } from '#schema/people/account-refusals'
import { peopleRefusals } from '#schema/people/people-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { meanwhile } from '#test/meanwhile'
import { TEST_PASSWORD } from '#test/tenants'

const { tenants, call, context } = await apiTest({ PUBLIC_URL: 'https://cloud.example.test' })
const { a, b } = tenants
const password = 'right-horse-7'
const viewerRole = async () => {
  const [row] = await context.sql<{ id: number }[]>`select id from roles where template and name = 'viewer'`
  return row?.id
}

let count = 0
async function invite(more: object = {}, who: { username: string } = a.admin) {
  const username = `guest_${++count}`
  const email = `${username}@example.test`
  const reply = await call<{ userId: number; kept: boolean }>(
    'user/addUser',
    {
      username,
      email,
      invite: true,
      userType: 'normal',
      roleId: await viewerRole(),
      groupIds: [a.groups.branch],
      ...more,
    },
    who,
    { 'accept-language': 'en-US' },
  )
  return { username, email, userId: reply.data?.userId ?? 0, reply }
}
const mailsTo = (email: string) =>
  context.sql<{ subject: string; text: string; purpose: string }[]>`
    select subject, text, purpose from mails where recipient = ${email} order by id`
async function linkTo(email: string) {
  const letter = (await mailsTo(email)).at(-1)
  const found = /https:\/\/cloud\.example\.test\/invitation\?language=([\w-]+)#([\w-]{43})/.exec(
    letter?.text ?? '',
  )
  return { language: found?.[1], token: found?.[2] ?? '' }
}
const read = (token: string) => call('user/readInvitation', { token })
const accept = (token: string, chosen = password) =>
  call('user/acceptInvitation', { token, password: chosen, confirmPassword: chosen })
const send = (userId: number, who: { username: string } = a.admin) =>
  call('user/sendInvitation', { userId }, who)
const stateOf = async (username: string) =>
  (
    await call<{ list: { invitation: { state: string; email: string } | null }[] }>(
      'user/getUserList',
      { search: username },
      a.admin,
    )
  ).data?.list[0]?.invitation
const logIn = (username: string, with_ = password) => call('userLogin', { username, password: with_ })
const invalid = accountRefusals.linkInvalid.code

beforeEach(async () => {
  await context.sql`delete from invitations`
  await context.sql`delete from send_budgets`
  await context.sql`delete from login_attempts`
})

describe('an invited user', () => {
  it('gets one link, chooses their password with it, and can log in', async () => {
    const { username, email, reply } = await invite()
    expect(reply).toMatchObject({ code: 0, data: { kept: true } })
    expect(await stateOf(username)).toMatchObject({ state: 'invited', email })
    const { token } = await linkTo(email)
    expect((await read(token)).data).toEqual({ username, email, customerName: 'Acme' })
    expect((await logIn(username)).code).toBe(sessionRefusals.wrongCredentials.code)
    expect((await accept(token)).data).toEqual({ username, email })
    expect((await logIn(username)).code).toBe(0)
    expect((await call('emailLogin', { email, password })).code).toBe(0)
    expect(await stateOf(username)).toMatchObject({ state: 'accepted' })
  })

  it('the link works once, of many at the same time, too', async () => {
    const { email } = await invite()
    const { token } = await linkTo(email)
    const codes = await Promise.all(Array.from({ length: 8 }, async () => (await accept(token)).code))
    expect(codes.filter((code) => code === 0)).toHaveLength(1)
    expect(codes.filter((code) => code === invalid)).toHaveLength(7)
    expect((await read(token)).code).toBe(invalid)
  })

  it('the mail is in the language that was chosen for them, again when it is sent again', async () => {
    const { email, userId } = await invite({ language: 'zh-TW' })
    expect((await linkTo(email)).language).toBe('zh-TW')
    expect((await mailsTo(email))[0]?.subject).toContain('雲端平台')
    await send(userId)
    expect((await linkTo(email)).language).toBe('zh-TW')
    const other = await invite()
    expect(await mailsTo(other.email)).toMatchObject(
      [{ purpose: 'confirmation', subject: /^You are invited/ }].map((one) => ({
        ...one,
        subject: expect.stringMatching(one.subject),
      })),
    )
  })

  it('is refused in the language of who invites, not in that of the mail', async () => {
    const { username } = await invite()
    const { reply } = await invite({ username, language: 'zh-TW' })
    expect(reply).toMatchObject({ field: 'username', message: expect.stringContaining('exists') })
  })

  it('a password must follow the rule and be entered twice, and a wrong one does not use the link up', async () => {
    const { email } = await invite()
    const { token } = await linkTo(email)
    expect(await accept(token, '12345678')).toMatchObject({ field: 'password' })
    expect(
      await call('user/acceptInvitation', { token, password, confirmPassword: 'right-horse-8' }),
    ).toMatchObject({ field: 'confirmPassword' })
    expect((await accept(token)).code).toBe(0)
  })

  it.each<[string, (of: { userId: number }) => Promise<unknown>]>([
    ['replaced by a newer one', ({ userId }) => send(userId)],
    ['withdrawn', ({ userId }) => call('user/withdrawInvitation', { userId }, a.admin)],
    ['expired', () => context.sql`update invitations set expires_at = now() - interval '1 second'`],
    ['of a deleted user', ({ userId }) => call('user/deleteUser', { userId }, a.admin)],
    ['of a disabled user', ({ userId }) => call('user/setUserStatus', { userId, status: 0 }, a.admin)],
    [
      'of a user with another address',
      ({ userId }) => context.sql`update users set email = 'moved@example.test' where id = ${userId}`,
    ],
    [
      'of a user who was given a password',
      ({ userId }) => call('user/changePassword', { userId, newpassword: 'other-horse-7' }, a.admin),
    ],
  ])('a link that is %s is refused like one that never was', async (_, end) => {
    const { email, userId, username } = await invite()
    const { token } = await linkTo(email)
    await end({ userId })
    const never = await read('x'.repeat(43))
    for (const refused of [await read(token), await accept(token)])
      expect([refused.code, refused.message]).toEqual([invalid, never.message])
    expect((await logIn(username)).code).toBe(sessionRefusals.wrongCredentials.code)
    await context.sql`delete from users where id = ${userId}`
  })

  it('is stored without the token or a known password', async () => {
    const { email, username } = await invite()
    const { token } = await linkTo(email)
    const [row] = await context.sql<{ hash: string }[]>`select hash from invitations where email = ${email}`
    expect(row?.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(row?.hash).not.toContain(token)
    expect((await logIn(username, TEST_PASSWORD)).code).toBe(sessionRefusals.wrongCredentials.code)
  })
})

describe('inviting', () => {
  it('needs an address; a typed password stays possible, and is required without an invitation', async () => {
    expect((await invite({ email: undefined })).reply).toMatchObject({
      code: accountRefusals.emailFormat.code,
      field: 'email',
    })
    expect((await invite({ invite: false })).reply).toMatchObject({ field: 'password' })
    const typed = await invite({ invite: false, password, confirmPassword: password })
    expect(typed.reply.code).toBe(0)
    expect(await stateOf(typed.username)).toBeNull()
    expect((await logIn(typed.username)).code).toBe(0)
  })

  it('who logs in with a typed password needs no link any more: it does not replace their password', async () => {
    const typed = await invite({ invite: false, password, confirmPassword: password })
    await send(typed.userId)
    const { token } = await linkTo(typed.email)
    expect((await read(token)).code).toBe(0)
    expect((await logIn(typed.username)).code).toBe(0)
    for (const refused of [await read(token), await accept(token, 'other-horse-7')])
      expect(refused.code).toBe(invalid)
    expect((await logIn(typed.username)).code).toBe(0)
    expect(await stateOf(typed.username)).toBeNull()
  })

  it('again is for users who have not logged in yet', async () => {
    const { email, userId } = await invite()
    expect((await send(userId)).code).toBe(0)
    expect(await mailsTo(email)).toHaveLength(2)
    await accept((await linkTo(email)).token)
    expect((await send(userId)).code).toBe(peopleRefusals.notInvitable.code)
    expect((await call('user/withdrawInvitation', { userId }, a.admin)).code).toBe(
      peopleRefusals.notInvitable.code,
    )
    await logIn(a.viewer.username, TEST_PASSWORD)
    expect((await send(a.viewer.id)).code).toBe(peopleRefusals.notInvitable.code)
  })

  it('again is refused for a user who accepts while it is handled, and leaves their acceptance as it is', async () => {
    const { email, userId, username } = await invite()
    const second = await meanwhile(
      context.sql,
      () => send(userId),
      async (tx) => {
        await tx`update users set password_hash = 'chosen' where id = ${userId}`
        await tx`update invitations set accepted_at = now() where user_id = ${userId}`
      },
    )
    expect(second.code).toBe(peopleRefusals.notInvitable.code)
    expect(await stateOf(username)).toMatchObject({ state: 'accepted' })
    expect(await mailsTo(email)).toHaveLength(1)
  })

  it('is not possible for users of others, nor for those without the permission', async () => {
    const { userId } = await invite()
    for (const name of ['user/sendInvitation', 'user/withdrawInvitation']) {
      expect((await call(name, { userId }, b.admin)).code).toBe(sessionRefusals.noPermission.code)
      expect((await call(name, { userId }, a.viewer)).code).toBe(sessionRefusals.noPermission.code)
    }
  })

  it('does not flood an address, not even by deleting the user and creating them again', async () => {
    const email = 'flooded@example.test'
    const codes: number[] = []
    for (let i = 0; i < 6; i++) {
      const { reply, userId } = await invite({ email })
      codes.push(reply.code)
      await context.sql`delete from users where id = ${userId}`
    }
    expect(codes).toEqual([0, 0, 0, 0, 0, accountRefusals.mailTooOften.code])
    expect(await mailsTo(email)).toHaveLength(5)
    // Nobody was created for whom no mail could be written.
    expect(await context.sql`select 1 from users where email = ${email}`).toEqual([])
    // Sent by a clock that has been set back since.
    await context.sql`update invitations set sent_at = now() + interval '1 day' where email = ${email}`
    expect((await invite({ email })).reply.code).toBe(0)
  })

  it('spends the customer’s budget of confirmations', async () => {
    await context.sql`
      insert into send_budgets (customer_id, purpose, used, counted_at) values (${a.customerId}, 'confirmation', 10000, now())`
    const { reply, email } = await invite()
    expect(reply.code).toBe(accountRefusals.sendBudgetSpent.code)
    expect(await context.sql`select 1 from users where email = ${email}`).toEqual([])
  })
})
