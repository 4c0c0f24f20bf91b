import { describe, expect, it } from 'vitest'
import { deviceListPermission } from '#schema/device/device-pages'
import { deviceRefusals } from '#schema/device/device-refusals'
import { apiTokensPermission } from '#schema/people/account-pages'
import { accountRefusals } from '#schema/people/account-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { API_TOKEN_PREFIX } from '#schema/people/token'
import { packageDeletePermission } from '#schema/task/package'
import { upgradeCreatePermission } from '#schema/task/task-pages'
import { apiTest } from '#test/api-client'
import { meanwhile } from '#test/meanwhile'

const { call, tenants, context } = await apiTest()
const { a, b } = tenants
const { sql } = context

type Made = { id: number; token: string; expiresAt: string }
const create = (body: object, who: { username: string } | string = a.operator) =>
  call<Made>('token/createApiToken', { name: 'script', ...body }, who)

describe('an API token', () => {
  it('acts for its owner within its scope and nowhere else', async () => {
    const { data } = await create({ functionIds: [deviceListPermission.id] })
    const token = data?.token ?? ''
    expect(token.startsWith(API_TOKEN_PREFIX)).toBe(true)
    expect(await call('device/getDeviceList', {}, token)).toMatchObject({ code: 0, data: { total: 2 } })
    expect((await call('package/getPackageList', {}, token)).code).toBe(sessionRefusals.noPermission.code)
    expect((await sql`select 1 from api_tokens where hash = ${token}`).length).toBe(0)
  })

  it('never has permissions that its owner does not have', async () => {
    const answer = await create({ functionIds: [deviceListPermission.id, packageDeletePermission.id] })
    expect(answer).toMatchObject({ code: deviceRefusals.grantExceeds.code, field: 'functionIds' })
  })

  it('cannot make a wider token than itself', async () => {
    const narrow =
      (await create({ functionIds: [apiTokensPermission.id, deviceListPermission.id] })).data?.token ?? ''
    expect((await create({ functionIds: [upgradeCreatePermission.id] }, narrow)).code).toBe(
      deviceRefusals.grantExceeds.code,
    )
    const all = (await create({}, narrow)).data?.token ?? ''
    expect(await call('device/getDeviceList', {}, all)).toMatchObject({ code: 0 })
    expect((await call('package/getPackageList', {}, all)).code).toBe(sessionRefusals.noPermission.code)
  })

  it('cannot make one that outlives it', async () => {
    const short = (await create({ expiresInDays: 2 })).data?.token ?? ''
    expect(await create({ expiresInDays: 3 }, short)).toMatchObject({
      code: accountRefusals.tokenOutlives.code,
      field: 'expiresInDays',
    })
    const [mine, same] = [await create({ expiresInDays: 2 }), await create({ expiresInDays: 2 }, short)]
    expect(new Date(same.data?.expiresAt ?? 0) < new Date(mine.data?.expiresAt ?? 0)).toBe(true)
  })

  it('is invalid when revoked, when expired, and when its owner is disabled', async () => {
    const make = async () => (await create({})).data as Made
    const [revoked, expired, disabled] = [await make(), await make(), await make()]
    const code = async ({ token }: Made) => (await call('device/getDeviceList', {}, token)).code
    expect(await Promise.all([code(revoked), code(expired), code(disabled)])).toEqual([0, 0, 0])
    expect(await call('token/revokeApiToken', { id: revoked.id }, a.operator)).toMatchObject({ code: 0 })
    expect(await call('token/revokeApiToken', { id: revoked.id }, a.operator)).toMatchObject({ code: 0 })
    await sql`update api_tokens set expires_at = now() - interval '1 second' where id = ${expired.id}`
    expect(await Promise.all([code(revoked), code(expired)])).toEqual([2, 2])
    await sql`update users set status = 0 where id = ${a.operator.id}`
    expect(await code(disabled)).toBe(sessionRefusals.sessionEnded.code)
    await sql`update users set status = 1 where id = ${a.operator.id}`
  })

  it.each(['login', 'token'])(
    'is not made with a %s that a change of the password ends at the same moment',
    async (by) => {
      const { id } = b.operator
      await call('config/getMenu', {}, b.operator)
      const parent = by === 'token' ? ((await create({}, b.operator)).data?.token ?? '') : b.operator
      const asked = await meanwhile(
        sql,
        () => create({ name: 'late' }, parent),
        (tx) => tx`update users set password_hash = password_hash || '' where id = ${id}`,
        async (tx) => {
          await tx`update sessions set ended_at = now() where user_id = ${id} and ended_at is null`
          await tx`update api_tokens set revoked_at = now() where user_id = ${id} and revoked_at is null`
        },
      )
      expect(asked.code).toBe(sessionRefusals.sessionEnded.code)
      expect(await sql`select 1 from api_tokens where user_id = ${id} and revoked_at is null`).toHaveLength(0)
      await sql`update sessions set ended_at = null where user_id = ${id}`
    },
  )

  it('belongs to its owner: no other user lists or revokes it', async () => {
    const mine = (await create({ name: 'mine' })).data as Made
    const seen = await call<{ list: { id: number }[] }>('token/getApiTokenList', { limit: 1000 }, a.admin)
    expect(seen.data?.list.some((row) => row.id === mine.id)).toBe(false)
    for (const who of [a.admin, b.operator, tenants.superAdmin]) {
      const answer = await call('token/revokeApiToken', { id: mine.id }, who)
      expect(answer).toEqual(await call('token/revokeApiToken', { id: 999_999 }, who))
      expect(answer.code).toBe(sessionRefusals.noPermission.code)
    }
    const own = await call<{ list: { name: string }[] }>(
      'token/getApiTokenList',
      { search: 'min' },
      a.operator,
    )
    expect(own.data?.list).toMatchObject([{ name: 'mine', revokedAt: null }])
    expect(JSON.stringify(own)).not.toContain(mine.token)
  })
})
