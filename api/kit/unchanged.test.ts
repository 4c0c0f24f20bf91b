import { expect, it } from 'vitest'
import { apiTest } from '#test/api-client'

const { app, token, tenants, context } = await apiTest()
const { a, b } = tenants

async function list(who: { username: string }, tag?: string) {
  return await app.inject({
    method: 'POST',
    url: '/api/device/getDeviceList',
    headers: { token: await token(who), ...(tag === undefined ? {} : { 'if-none-match': tag }) },
    payload: { limit: 10 },
  })
}

it('an unchanged read returns 304 without a body, and a new response when something changed', async () => {
  const first = await list(a.admin, 'W/"0"')
  const tag = String(first.headers['etag'])
  expect([first.statusCode, first.json().code, first.headers['cache-control']]).toEqual([
    200,
    0,
    'private, no-cache',
  ])
  const second = await list(a.admin, tag)
  expect([second.statusCode, second.body]).toEqual([304, ''])
  await context.sql`update devices set name = name || ' renamed' where id = ${a.devices[0]?.id ?? 0}`
  const third = await list(a.admin, tag)
  expect([third.statusCode, third.headers['etag'] === tag]).toEqual([200, false])
})

it('another customer’s tag has no effect: the own response is returned', async () => {
  const tag = String((await list(a.admin, 'W/"0"')).headers['etag'])
  const other = await list(b.admin, tag)
  expect([other.statusCode, other.json().code]).toEqual([200, 0])
})

it('a client that caches no responses gets no tag', async () => {
  expect((await list(a.admin)).headers['etag']).toBeUndefined()
})

it('refusals and writes are never 304', async () => {
  const refused = await app.inject({
    method: 'POST',
    url: '/api/device/getDeviceList',
    headers: { token: 'not one', 'if-none-match': 'W/"0"' },
    payload: {},
  })
  expect([refused.json().code, refused.headers['etag']]).toEqual([2, undefined])
  const written = await app.inject({
    method: 'POST',
    url: '/api/userLogout',
    headers: { token: await token(a.admin), 'if-none-match': 'W/"0"' },
    payload: {},
  })
  expect([written.json().code, written.headers['etag']]).toEqual([0, undefined])
})

it('responses, refusals and faults are not cached; tagged ones only by the requesting browser', async () => {
  const of = async (method: 'GET' | 'POST', url: string, headers = {}) => {
    const answer = await app.inject({ method, url, headers, ...(method === 'POST' ? { payload: {} } : {}) })
    return [answer.statusCode, answer.headers['cache-control']]
  }
  const own = { token: await token(a.operator) }
  expect(await of('POST', '/api/device/getDeviceList', own)).toEqual([200, 'no-store'])
  expect(await of('POST', '/api/device/exportDevices', own)).toEqual([200, 'no-store'])
  expect(await of('POST', '/api/device/getDeviceList')).toEqual([200, 'no-store'])
  expect(await of('POST', '/api/userLogin')).toEqual([200, 'no-store'])
  expect(await of('GET', '/api/nothing')).toEqual([404, 'no-store'])
  expect(await of('GET', '/api/user/getUserDetails', own)).toEqual([200, 'private, no-cache'])
})
