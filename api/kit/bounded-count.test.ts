/** Histories are counted and searched up to a limit, which the response shows (docs/decisions/050). */
import { beforeAll, describe, expect, it } from 'vitest'
import { apiTest } from '#test/api-client'
import { COUNT_MAX, SHORT_SEARCH_ROWS } from './bounded-count.ts'

const { call, tenants, context } = await apiTest()
const { a, superAdmin } = tenants
type Answer = { list: { username: string }[]; total: number; more?: boolean }
const ask = async (body: object, who: { username: string } = superAdmin) =>
  (await call<Answer>('log/getLoginList', body, who)).data

beforeAll(async () => {
  await context.sql`insert into logins (at, username, way, code, ip)
    values (now() - interval '9 days', 'old-zq', 'username', 0, '10.9.9.9')`
  await context.sql`insert into logins (at, username, way, code, ip)
    select now() - n * interval '1 second', 'robot-' || n % 500, 'username', 0, '10.0.0.1' from generate_series(1, ${SHORT_SEARCH_ROWS + 100}) n`
  await context.sql`analyze logins`
})

describe('a history list', () => {
  it('counts up to the limit, and reports that there are more', async () => {
    expect(await ask({ limit: 1 })).toMatchObject({ total: COUNT_MAX, more: true })
  })

  it('counts exactly below the limit', async () => {
    const found = await ask({ search: 'ROBOT-17 ' })
    expect(found?.total).toBeGreaterThan(0)
    const exact = await ask({ search: 'robot-499' })
    expect(exact?.total).toBe(40)
    expect(exact?.more).toBeUndefined()
  })

  it('finds three characters however old, and reports if two were not searched everywhere', async () => {
    expect(await ask({ search: 'd-zq' })).toMatchObject({ total: 1, list: [{ username: 'old-zq' }] })
    expect(await ask({ search: 'zq' })).toMatchObject({ total: 0, more: true })
  })

  it('searches everything if there is little', async () => {
    const mine = await ask({ search: 'me' }, a.admin)
    expect(mine).toMatchObject({ list: [{ username: 'acme-admin' }] })
    expect(mine?.more).toBeUndefined()
  })

  it('pages beyond the counted rows', async () => {
    expect((await ask({ offset: COUNT_MAX / 100 + 50, limit: 100 }))?.list).toHaveLength(100)
  })
})
