import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { isCall } from '#schema/kit/call'
import { apiTest } from '#test/api-client'

const { app, token, tenants } = await apiTest()
const calls = (await gatherDeclared(isCall)).filter(({ method }) => method === 'GET')
const built = existsSync(fileURLToPath(new URL('../../web/dist/index.html', import.meta.url)))

const both = async (url: string) => {
  const headers = { token: await token(tenants.a.admin) }
  const [get, head] = await Promise.all([
    app.inject({ method: 'GET', url, headers }),
    app.inject({ method: 'HEAD', url, headers }),
  ])
  return { get, head }
}

it.each([
  ...calls.map(({ path }) => path),
  '/healthz',
  '/api/openapi.json',
  '/api/nothing',
  '/n2n/1/community.list',
  '/images/none',
  '/files/none',
  ...(built ? ['/', '/login', '/device/devicelist'] : []),
])('HEAD %s returns the same as GET, without a body', async (url) => {
  const { get, head } = await both(url)
  expect([head.statusCode, head.headers['content-type'], head.headers['cache-control']]).toEqual([
    get.statusCode,
    get.headers['content-type'],
    get.headers['cache-control'],
  ])
  expect(head.body).toBe('')
})
