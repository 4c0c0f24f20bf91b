import { describe, expect, it } from 'vitest'
import { allFunctionIds } from '#infra/rights'
import { sayIn } from '#infra/say'
import { deviceRebootPermission } from '#schema/device/commands/power'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { meanwhile } from '#test/meanwhile'
import { TEST_PASSWORD } from '#test/tenants'

const { call, tenants, context, app } = await apiTest()
const { admin, operator, viewer } = tenants.a

const logIn = async (username: string, password = TEST_PASSWORD, headers = {}) =>
  call<{ token: string }>('userLogin', { username, password }, undefined, headers)
const forget = () => context.sql`delete from login_attempts`

describe('login', () => {
  it('by user name returns the token and the user’s fields', async () => {
    const answer = await logIn(admin.username)
    expect(answer).toMatchObject({
      code: 0,
      data: {
        username: admin.username,
        user_ctid: tenants.a.customerId,
        user_iscustomer: 1,
        monState: 1,
        token: expect.any(String),
      },
    })
    expect(JSON.stringify(answer)).not.toContain('argon2')
  })

  it('by e-mail address, in any case', async () => {
    expect(
      await call('emailLogin', {
        email: `${admin.username.toUpperCase()}@Example.test`,
        password: TEST_PASSWORD,
      }),
    ).toMatchObject({ code: 0 })
  })

  it('rejects a password shorter than 6 as too short [§5]', async () => {
    expect(await logIn(admin.username, '12345')).toMatchObject({
      code: sessionRefusals.passwordTooShort.code,
      field: 'password',
    })
  })

  it('gives an unknown user and a wrong password the same response', async () => {
    const [unknown, wrong] = [await logIn('nobody-here'), await logIn(admin.username, 'wrong-password-1')]
    expect(unknown).toEqual(wrong)
    expect(wrong.code).toBe(sessionRefusals.wrongCredentials.code)
    await forget()
  })

  it('is throttled after five failures, the right password included, whether the user exists or not', async () => {
    for (const name of [viewer.username, 'ghost']) {
      for (let i = 0; i < 5; i++) await logIn(name, 'wrong-password-1')
      expect(await logIn(name)).toMatchObject({ code: sessionRefusals.tooManyAttempts.code })
    }
    expect(await logIn(operator.username)).toMatchObject({ code: 0 })
    await forget()
  })

  it('refuses a disabled user like a wrong password', async () => {
    await context.sql`update users set status = 0 where id = ${tenants.b.viewer.id}`
    expect((await logIn(tenants.b.viewer.username)).code).toBe(sessionRefusals.wrongCredentials.code)
    await forget()
  })

  it('is not paused any longer once the clock was set back, and failures count again from now on', async () => {
    const ahead = () => context.sql`
      update login_attempts set first_at = first_at + interval '1 year', blocked_until = blocked_until + interval '1 year'`
    const fail = () => logIn(viewer.username, 'wrong-password-1')
    for (let i = 0; i < 5; i++) await fail()
    await ahead()
    expect((await logIn(viewer.username)).code).toBe(0)
    await forget()
    for (let i = 0; i < 4; i++) await fail()
    await ahead()
    for (let i = 0; i < 4; i++) await fail()
    expect((await logIn(viewer.username)).code).toBe(0)
    await forget()
    for (let i = 0; i < 4; i++) await fail()
    await ahead()
    for (let i = 0; i < 5; i++) await fail()
    expect(await logIn(viewer.username)).toMatchObject({ code: sessionRefusals.tooManyAttempts.code })
    await forget()
  })

  it('counts an IPv6 network of 64 bits as one address', async () => {
    const from = async (remoteAddress: string, password: string) => {
      const payload = { username: viewer.username, password }
      const answer = await app.inject({ method: 'POST', url: '/api/userLogin', remoteAddress, payload })
      return answer.json().code
    }
    for (let i = 1; i <= 5; i++)
      expect(await from(`2001:db8:0:1:${i}::${i}`, 'wrong-password-1')).toBe(
        sessionRefusals.wrongCredentials.code,
      )
    expect(await from('2001:db8:0:1:ffff::9', TEST_PASSWORD)).toBe(sessionRefusals.tooManyAttempts.code)
    expect(await from('2001:db8:0:2::1', TEST_PASSWORD)).toBe(0)
    await forget()
  })

  it.each([
    ['userLogin', { username: 'nobody' }],
    ['emailLogin', { email: 'nobody@example.test' }],
  ])('[§7] language in %s selects the language of the response', async (name, who) => {
    const said = async (language: string | null | undefined, header: string) => {
      const body = { ...who, password: 'wrong-password-1', language }
      return (await call(name, body, undefined, { 'accept-language': header })).message
    }
    expect(await said('zh-TW', 'en-US')).toBe(sayIn('zh-TW')(sessionRefusals.wrongCredentials.text))
    expect(await said('en-US', 'zh-CN')).toBe(sayIn('en-US')(sessionRefusals.wrongCredentials.text))
    // An unsupported language, or none: the headers decide.
    expect(await said('fr', 'en-US')).toBe(sayIn('en-US')(sessionRefusals.wrongCredentials.text))
    await forget()
    for (const none of [undefined, null, ''])
      expect(await said(none, 'zh-TW')).toBe(sayIn('zh-TW')(sessionRefusals.wrongCredentials.text))
    const wrong = await call(name, { ...who, language: 'zh-TW' }, undefined, { 'accept-language': 'en-US' })
    expect(wrong.message).toContain('不能空白')
    await forget()
  })

  it('speaks the language asked for, zh-CN by default', async () => {
    expect((await logIn('nobody', 'wrong-password-1', { 'accept-language': 'zh-TW' })).message).toBe(
      sayIn('zh-TW')(sessionRefusals.wrongCredentials.text),
    )
    expect((await logIn('nobody', 'wrong-password-1', { 'accept-language': 'fr' })).message).toBe(
      sayIn('zh-CN')(sessionRefusals.wrongCredentials.text),
    )
    await forget()
  })
})

describe('a session', () => {
  it('ends at logout with code 20 from then on', async () => {
    const token = (await logIn(operator.username)).data?.token ?? ''
    expect((await call('userLogout', {}, token)).code).toBe(0)
    expect((await call('permission/showFunctionList', {}, token)).code).toBe(
      sessionRefusals.sessionEnded.code,
    )
  })

  it('ends at once when the user is disabled', async () => {
    const token = (await logIn(viewer.username)).data?.token ?? ''
    await context.sql`update users set status = 0 where id = ${viewer.id}`
    expect((await call('permission/showFunctionList', {}, token)).code).toBe(
      sessionRefusals.sessionEnded.code,
    )
    await context.sql`update users set status = 1 where id = ${viewer.id}`
  })

  it('does not begin with a password that was changed while the login was handled', async () => {
    const { id, username } = tenants.b.operator
    const [before] = await context.sql<
      { hash: string }[]
    >`select password_hash as hash from users where id = ${id}`
    // It has checked the password, and waits for the row.
    const asked = await meanwhile(
      context.sql,
      () => logIn(username),
      (tx) => tx`select 1 from users where id = ${id} for update`,
      async (tx) => {
        await tx`update users set password_hash = 'another' where id = ${id}`
        await tx`update sessions set ended_at = now() where user_id = ${id} and ended_at is null`
      },
    )
    expect(asked.code).toBe(sessionRefusals.wrongCredentials.code)
    expect(await context.sql`select 1 from sessions where user_id = ${id} and ended_at is null`).toHaveLength(
      0,
    )
    await context.sql`update users set password_hash = ${before?.hash ?? ''} where id = ${id}`
    await forget()
  })

  it('does not begin for a user who was disabled while the login was handled, not even once they are enabled again', async () => {
    const { id, username } = tenants.b.operator
    const asked = await meanwhile(
      context.sql,
      () => logIn(username),
      async (tx) => {
        await tx`update users set status = 0 where id = ${id}`
        await tx`update sessions set ended_at = now() where user_id = ${id} and ended_at is null`
      },
    )
    expect(asked.code).toBe(sessionRefusals.wrongCredentials.code)
    expect(await context.sql`select 1 from sessions where user_id = ${id} and ended_at is null`).toHaveLength(
      0,
    )
    await context.sql`update users set status = 1 where id = ${id}`
    await forget()
  })

  it('gets code 2 once it has expired', async () => {
    const token = (await logIn(viewer.username)).data?.token ?? ''
    await context.sql`update sessions set expires_at = now() - interval '1 second' where user_id = ${viewer.id}`
    expect((await call('permission/showFunctionList', {}, token)).code).toBe(sessionRefusals.notLoggedIn.code)
  })

  it('signed with another key gets code 2', async () => {
    const token = (await logIn(operator.username)).data?.token ?? ''
    const forged = `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(43)}`
    expect((await call('permission/showFunctionList', {}, forged)).code).toBe(
      sessionRefusals.notLoggedIn.code,
    )
  })
})

describe('changing the password', () => {
  it('returns code 15 for a wrong old password [§7]', async () => {
    expect(
      await call('user/changePassword', { oldpassword: 'not-it-12', newpassword: 'new-pass-1' }, admin),
    ).toMatchObject({ code: 15, field: 'oldpassword' })
    await forget()
  })

  it.each(['', null])(
    'is of the own one with %j as the userId, and needs the old password',
    async (userId) => {
      for (const oldpassword of [undefined, 'not-it-12']) {
        const body = { userId, oldpassword, newpassword: 'new-pass-1' }
        expect(await call('user/changePassword', body, admin)).toMatchObject({
          code: 15,
          field: 'oldpassword',
        })
      }
      await forget()
    },
  )

  it.each(['a1b2', 'letters', '1234567', `a1${'x'.repeat(15)}`])(
    'refuses %s: 6–16 characters, two kinds [§5]',
    async (newpassword) => {
      expect(
        (await call('user/changePassword', { oldpassword: TEST_PASSWORD, newpassword }, admin)).code,
      ).toBe(sessionRefusals.passwordRule.code)
    },
  )

  it('refuses the old password as the new one', async () => {
    expect(
      (await call('user/changePassword', { oldpassword: TEST_PASSWORD, newpassword: TEST_PASSWORD }, admin))
        .code,
    ).toBe(sessionRefusals.samePassword.code)
  })

  it('ends every other login of the user, and not this one', async () => {
    const [here, there] = [
      (await logIn(operator.username)).data?.token ?? '',
      (await logIn(operator.username)).data?.token ?? '',
    ]
    expect(
      (await call('user/changePassword', { oldpassword: TEST_PASSWORD, newpassword: 'fresh-pass-9' }, here))
        .code,
    ).toBe(0)
    expect((await call('permission/showFunctionList', {}, here)).code).toBe(0)
    expect((await call('permission/showFunctionList', {}, there)).code).toBe(
      sessionRefusals.sessionEnded.code,
    )
    expect((await logIn(operator.username)).code).toBe(sessionRefusals.wrongCredentials.code)
    await forget()
  })
})

describe('the permissions of a login', () => {
  it('are returned as function ids: a viewer lacks reboot, the super administrator lacks none', async () => {
    await context.sql`update sessions set expires_at = now() + interval '1 hour'`
    const held = async (user: { username: string }) =>
      (
        await call<{ list: { functionId: number }[] }>('permission/showFunctionList', {}, user)
      ).data?.list.map((f) => f.functionId)
    expect(await held(viewer)).not.toContain(deviceRebootPermission.id)
    expect(await held(tenants.superAdmin)).toEqual(allFunctionIds)
  })

  it('are returned as a menu in the user’s language, without empty sections', async () => {
    const answer = await call<{
      queryResult: { parentId: number; parentName: string }[]
      sonId: { parentId: number; path: string }[]
    }>('config/getMenu', { funTag: 0 }, admin, { 'accept-language': 'zh-CN' })
    expect(answer.data?.queryResult.map((parent) => parent.parentName)).toEqual(
      expect.arrayContaining(['设备管理', '软件管理', '系统管理']),
    )
    const parents = new Set(answer.data?.sonId.map((son) => son.parentId))
    expect(answer.data?.queryResult.every(({ parentId }) => parents.has(parentId))).toBe(true)
    expect(answer.data?.sonId.map((son) => son.path)).toContain('/device/devicelist')
  })

  it('writes the operation log without secrets', async () => {
    await logIn(admin.username)
    const rows = await context.sql<
      { body: object; code: number }[]
    >`select body, code from operations where call = 'userLogin' and username = ${admin.username}`
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(TEST_PASSWORD)
  })
})

describe('the transport', () => {
  it.each([
    ['malformed JSON', 400, { payload: '{', headers: { 'content-type': 'application/json' } }],
    [
      'a prototype in JSON',
      400,
      { payload: '{"__proto__":{"a":1}}', headers: { 'content-type': 'application/json' } },
    ],
    ['another media type', 415, { payload: '<x/>', headers: { 'content-type': 'text/xml' } }],
    [
      'a compressed body',
      415,
      { payload: '{}', headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' } },
    ],
    [
      '30 MB',
      413,
      {
        payload: JSON.stringify({ username: 'x'.repeat(30 * 1024 * 1024) }),
        headers: { 'content-type': 'application/json' },
      },
    ],
  ])('returns for %s %i, the envelope and a request id', async (_what, status, request) => {
    const answer = await app.inject({ method: 'POST', url: '/api/userLogin', ...request })
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({ code: status, data: null, requestId: expect.any(String) })
  })

  it('returns 404 and the envelope for an unknown call', async () => {
    expect((await call('no/such/call')).status).toBe(404)
  })
})
