/** A call whose query does not come back ends with words and a number to quote (docs/decisions/063). */
import { afterAll, expect, it } from 'vitest'
import { apiTest } from '#test/api-client'
import { buildServer } from './server.ts'

const { context, tenants, token } = await apiTest()
const app = await buildServer(context, undefined, 500)
afterAll(() => app.close())

it('a call that waits for the database for too long is refused as unavailable, and the next one is answered', async () => {
  const headers = { 'accept-language': 'en-US', token: await token(tenants.a.admin) }
  const ask = () => app.inject({ method: 'POST', url: '/api/role/getRoleList', headers, payload: {} })
  const began = performance.now()
  const late = await context.sql.begin(async (tx) => {
    await tx`lock table users in access exclusive mode`
    return ask()
  })
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(late.statusCode).toBe(503)
  expect(late.json()).toMatchObject({ code: 503, data: null, requestId: expect.any(String) })
  await expect.poll(async () => (await ask()).statusCode).toBe(200)
})
