import Fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import type { Context } from '#infra/context'
import { openLog } from '#infra/log'
import { handleErrors } from './errors.ts'

const app = Fastify()
handleErrors(app, { log: openLog('test', 'silent') } as unknown as Context)
app.get<{ Params: { code: string }; Querystring: { wrapped?: string } }>('/:code', (request) => {
  const said = Object.assign(new Error(request.params.code), { code: request.params.code })
  throw request.query.wrapped ? new Error('Failed query', { cause: said }) : said
})
afterAll(() => app.close())

it.each([
  ['ECONNREFUSED', 503],
  ['CONNECTION_CLOSED', 503],
  ['CONNECT_TIMEOUT', 503],
  ['ECONNRESET', 503],
  ['EPIPE', 503],
  ['57P01', 503],
  ['53300', 503],
  ['55P03', 503],
  ['57014', 503],
  ['25P03', 503],
  ['CONNECTION_SILENT', 503],
  ['53100', 507],
  ['ENOSPC', 507],
  ['EDQUOT', 507],
  ['42P01', 500],
  ['TypeError', 500],
])('%s returns %i, from the driver and from Drizzle', async (code, status) => {
  for (const url of [`/${code}`, `/${code}?wrapped=1`]) {
    const answer = await app.inject({ url, headers: { 'accept-language': 'en-US' } })
    expect(answer.statusCode).toBe(status)
    expect(answer.json()).toMatchObject({ code: status, data: null, requestId: expect.any(String) })
    expect(answer.body).not.toContain(code)
  }
})
