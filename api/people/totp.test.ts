import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { hashSecret } from '#infra/secrets'
import { accountRefusals } from '#schema/people/account-refusals'
import { peopleRefusals } from '#schema/people/people-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { apiTest } from '#test/api-client'
import { TEST_PASSWORD } from '#test/tenants'
import { makeTotp } from './totp-codes.ts'

const { call, tenants, context } = await apiTest()
const { a, b, superAdmin } = tenants

const logIn = (user: { username: string }, totp?: string) =>
  call<{ token: string; totpOn: boolean; totpRequired: boolean }>('userLogin', {
    username: user.username,
    password: TEST_PASSWORD,
    ...(totp ? { totp } : {}),
  })
const tokenOf = async (user: { username: string }, totp?: string) =>
  (await logIn(user, totp)).data?.token ?? ''
/** A code `steps` periods away from now. */
const code = (secret: string, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 })
/** Forgets which code was used last, as passing time would. */
const later = () => context.sql`update users set totp_step = null`
const forget = () => context.sql`delete from login_attempts`

async function enrol(user: { username: string }) {
  const token = await tokenOf(user)
  const begun = await call<{ secret: string; uri: string }>(
    'totp/beginTotp',
    { passwd: TEST_PASSWORD },
    token,
  )
  const secret = begun.data?.secret ?? ''
  const confirmed = await call<{ codes: string[] }>('totp/confirmTotp', { totp: code(secret) }, token)
  await later()
  return { token, secret, uri: begun.data?.uri ?? '', codes: confirmed.data?.codes ?? [], confirmed }
}

describe('setting up a second factor', () => {
  it('requires the password again', async () => {
    expect(await call('totp/beginTotp', { passwd: 'wrong-pass-1' }, a.admin)).toMatchObject({
      code: 15,
      field: 'passwd',
    })
    await forget()
  })

  it('is not enabled until a code confirms it, and then returns ten recovery codes', async () => {
    const token = await tokenOf(a.admin)
    const other = await tokenOf(a.admin)
    const begun = await call<{ secret: string; uri: string }>(
      'totp/beginTotp',
      { passwd: TEST_PASSWORD },
      token,
    )
    expect(begun.data?.uri).toContain('otpauth://totp/')
    expect((await logIn(a.admin)).code).toBe(0)
    expect((await call('totp/confirmTotp', { totp: '000000' }, token)).code).toBe(
      accountRefusals.totpWrong.code,
    )
    const confirmed = await call<{ codes: string[] }>(
      'totp/confirmTotp',
      { totp: code(begun.data?.secret ?? '') },
      token,
    )
    expect(confirmed.data?.codes).toHaveLength(10)
    expect((await call('totp/getTotp', {}, token)).data).toMatchObject({ on: true, recoveryLeft: 10 })
    // Logins with only the password have ended.
    expect((await call('totp/getTotp', {}, other)).code).toBe(sessionRefusals.sessionEnded.code)
    expect((await call('totp/beginTotp', { passwd: TEST_PASSWORD }, token)).code).toBe(
      accountRefusals.totpAlreadyOn.code,
    )
    await context.sql`update users set totp_at = null, totp_secret = null where id = ${a.admin.id}`
    await forget()
  })

  it('keeps neither secret nor codes in the clear, nor in the operation log', async () => {
    const { secret, codes } = await enrol(a.viewer)
    const rows = await context.sql`select totp_secret from users where totp_secret is not null`
    const kept = JSON.stringify([
      rows,
      await context.sql`select * from recovery_codes`,
      await context.sql`select * from operations`,
    ])
    expect(kept).not.toContain(secret)
    for (const one of codes) expect(kept).not.toContain(one.replaceAll('-', ''))
  })
})

describe('logging in with a second factor', () => {
  let secret = ''
  let codes: string[] = []
  beforeAll(async () => {
    ;({ secret, codes } = await enrol(a.operator))
  })

  it('the password alone results in a request for the code and no token', async () => {
    const answer = await logIn(a.operator)
    expect(answer).toMatchObject({ code: accountRefusals.totpNeeded.code, field: 'totp', data: null })
    expect(
      await call('emailLogin', { email: `${a.operator.username}@example.test`, password: TEST_PASSWORD }),
    ).toMatchObject({
      code: accountRefusals.totpNeeded.code,
    })
  })

  it('a wrong password does not reveal that a code would be required', async () => {
    const answer = await call('userLogin', {
      username: a.operator.username,
      password: 'wrong-pass-1',
      totp: code(secret),
    })
    expect(answer.code).toBe(sessionRefusals.wrongCredentials.code)
    await forget()
  })

  it('a code works once', async () => {
    await later()
    const now = code(secret)
    expect((await logIn(a.operator, now)).code).toBe(0)
    expect((await logIn(a.operator, now)).code).toBe(accountRefusals.totpWrong.code)
    await forget()
  })

  it('of two logins with one code at the same moment one succeeds', async () => {
    await later()
    const now = code(secret)
    const answers = await Promise.all([logIn(a.operator, now), logIn(a.operator, now)])
    expect(answers.map((answer) => answer.code).sort()).toEqual([0, accountRefusals.totpWrong.code])
    await forget()
  })

  it.each([
    ['one step behind', -1, 0],
    ['one step ahead', 1, 0],
    ['two steps behind', -2, accountRefusals.totpWrong.code],
    ['two steps ahead', 2, accountRefusals.totpWrong.code],
  ])('a clock %s', async (_what, steps, expected) => {
    await later()
    // Not at the end of a step, where one step becomes two.
    while (Date.now() % 30_000 > 29_000) await new Promise((done) => setTimeout(done, 100))
    expect((await logIn(a.operator, code(secret, steps))).code).toBe(expected)
    await forget()
  })

  it('a code after a later one was used is refused, although it has not expired', async () => {
    await later()
    expect((await logIn(a.operator, code(secret, 1))).code).toBe(0)
    expect((await logIn(a.operator, code(secret, 0))).code).toBe(accountRefusals.totpWrong.code)
    await forget()
  })

  it('a code is accepted after the clock was set back, however far ahead the last one was used', async () => {
    await later()
    await context.sql`update users set totp_step = ${Math.floor(Date.now() / 30_000) + 120} where id = ${a.operator.id}`
    const now = code(secret)
    expect((await logIn(a.operator, now)).code).toBe(0)
    expect((await logIn(a.operator, now)).code).toBe(accountRefusals.totpWrong.code)
    await forget()
  })

  it('guesses are counted for all addresses, and lead to a pause', async () => {
    await later()
    const wrong = code(secret) === '111111' ? '222222' : '111111'
    const answers = []
    for (let i = 0; i < 7; i++) answers.push((await logIn(a.operator, wrong)).code)
    expect(answers.slice(0, 5)).toEqual(Array(5).fill(accountRefusals.totpWrong.code))
    expect(answers.at(-1)).toBe(sessionRefusals.tooManyAttempts.code)
    const [row] = await context.sql<{ n: number }[]>`
      select failures as n from login_attempts where key = ${`totp:${a.operator.id}`}`
    expect(row?.n).toBe(5)
    await forget()
  })

  it('a recovery code works once, with spaces and dashes', async () => {
    const one = codes[0]?.toUpperCase().replaceAll('-', ' ') ?? ''
    expect((await logIn(a.operator, one)).code).toBe(0)
    expect((await logIn(a.operator, one)).code).toBe(accountRefusals.totpWrong.code)
    await forget()
  })

  it('recovery codes renewed twice at the same time are ten, and those that were shown last', async () => {
    await later()
    const token = await tokenOf(a.operator, codes[1])
    const renew = (given = '') =>
      call<{ codes: string[] }>('totp/renewRecoveryCodes', { passwd: TEST_PASSWORD, totp: given }, token)
    // Both wait for the row of the user, which a foreign key also needs.
    const release = Promise.withResolvers<void>()
    const held = context.sql.begin(async (tx) => {
      await tx`select 1 from users where id = ${a.operator.id} for update`
      await release.promise
    })
    const renewed = Promise.all([renew(codes[2]), renew(codes[3])])
    await expect
      .poll(
        async () =>
          (
            await context.sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
          ).length,
      )
      .toBe(2)
    release.resolve()
    await held
    expect((await renewed).map(({ code }) => code)).toEqual([0, 0])
    const left = await context.sql<{ hash: string }[]>`
      select hash from recovery_codes where user_id = ${a.operator.id} and used_at is null`
    const shown = (await renewed).map(
      ({ data }) => new Set((data?.codes ?? []).map((one) => hashSecret(one.replaceAll('-', '')))),
    )
    expect(shown.some((set) => left.length === 10 && left.every(({ hash }) => set.has(hash)))).toBe(true)
    await forget()
  })

  it('is turned off with password and code', async () => {
    await later()
    const token = await tokenOf(a.operator, code(secret))
    expect((await call('totp/disableTotp', { passwd: TEST_PASSWORD, totp: '123456' }, token)).code).toBe(
      accountRefusals.totpWrong.code,
    )
    await later()
    expect((await call('totp/disableTotp', { passwd: TEST_PASSWORD, totp: code(secret) }, token)).code).toBe(
      0,
    )
    expect((await logIn(a.operator)).code).toBe(0)
    await forget()
  })

  it('encrypted with another JWT_SECRET leads to a refusal, not to a fault', async () => {
    const { sealed } = makeTotp('x', 'another secret of another installation')
    await context.sql`update users set totp_secret = ${sealed}, totp_at = now() where id = ${a.operator.id}`
    expect((await logIn(a.operator, '123456')).code).toBe(accountRefusals.totpUnreadable.code)
    await context.sql`update users set totp_secret = null, totp_at = null where id = ${a.operator.id}`
  })
})

describe('a customer that requires a second factor', () => {
  it('lets a user without one only set it up', async () => {
    await context.sql`update customers set totp_required = true where id = ${b.customerId}`
    const token = await tokenOf(b.viewer)
    expect((await call('device/getDeviceList', {}, token)).code).toBe(accountRefusals.totpEnrolFirst.code)
    expect((await call('config/getMenu', {}, token)).code).toBe(0)
    const { confirmed, secret } = await enrol(b.viewer)
    expect(confirmed.code).toBe(0)
    const after = await tokenOf(b.viewer, code(secret))
    expect((await call('device/getDeviceList', {}, after)).code).toBe(0)
    await later()
    expect((await call('totp/disableTotp', { passwd: TEST_PASSWORD, totp: code(secret) }, after)).code).toBe(
      accountRefusals.totpRequired.code,
    )
  })

  it('refuses to turn it off without using up a recovery code', async () => {
    const { token, codes } = await enrol(b.admin)
    expect(
      (await call('totp/disableTotp', { passwd: TEST_PASSWORD, totp: codes[0] ?? '' }, token)).code,
    ).toBe(accountRefusals.totpRequired.code)
    expect((await call('totp/getTotp', {}, token)).data).toMatchObject({ recoveryLeft: 10 })
    await context.sql`update users set totp_secret = null, totp_at = null where id = ${b.admin.id}`
  })

  it('also applies to API tokens of its users', async () => {
    const made = await context.sql`
      insert into api_tokens (user_id, name, hash, expires_at)
      values (${b.operator.id}, 'x', encode(sha256('iot_test'), 'hex'), now() + interval '1 day') returning id`
    expect(made).toHaveLength(1)
    expect((await call('device/getDeviceList', {}, 'iot_test')).code).toBe(
      accountRefusals.totpEnrolFirst.code,
    )
  })
})

describe('an administrator', () => {
  it('resets the second factor of a user: their logins end and they set it up again', async () => {
    const { token } = await enrol(b.admin)
    expect((await call('totp/resetUserTotp', { userId: b.admin.id }, superAdmin)).code).toBe(0)
    expect((await call('totp/getTotp', {}, token)).code).toBe(sessionRefusals.sessionEnded.code)
    expect(await logIn(b.admin)).toMatchObject({ code: 0, data: { totpOn: false, totpRequired: true } })
  })

  it('resets nothing if the logins of the user cannot be ended', async () => {
    const { secret } = await enrol(b.operator)
    await context.sql`
      create function refuse_end() returns trigger language plpgsql as $$ begin raise 'not now'; end $$`
    await context.sql`create trigger refuse_end before update of ended_at on sessions for each row execute function refuse_end()`
    expect((await call('totp/resetUserTotp', { userId: b.operator.id }, superAdmin)).status).toBe(500)
    await context.sql`drop function refuse_end cascade`
    expect((await logIn(b.operator)).code).toBe(accountRefusals.totpNeeded.code)
    expect((await logIn(b.operator, code(secret))).code).toBe(0)
  })

  it('of one customer does not reset users of another, nor the super administrator', async () => {
    const token = await tokenOf(a.admin)
    expect((await call('totp/resetUserTotp', { userId: b.viewer.id }, token)).code).toBe(
      sessionRefusals.noPermission.code,
    )
    expect((await call('totp/resetUserTotp', { userId: superAdmin.id }, token)).code).toBe(
      sessionRefusals.noPermission.code,
    )
    expect((await call('totp/resetUserTotp', { userId: superAdmin.id }, tenants.systemAdmin)).code).toBe(
      peopleRefusals.superAdminProtected.code,
    )
  })
})
