import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import Fastify from 'fastify'
import { afterAll, expect, it, vi } from 'vitest'
import type { Context } from '#infra/context'
import { openLog } from '#infra/log'
import { handleErrors } from './errors.ts'
import { type EventStream, eventStream } from './event-stream.ts'

const app = Fastify()
const log = openLog('test', 'silent')
const fault = vi.spyOn(log, 'error')
handleErrors(app, { log } as unknown as Context)
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
  ['25006', 503],
  ['40P01', 503],
  ['CONNECTION_SILENT', 503],
  ['53100', 507],
  ['ENOSPC', 507],
  ['EDQUOT', 507],
  ['could not write init file', 507],
  ['OTHER_KEY', 506],
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

const opened: EventStream[] = []
app.post('/live', () => {
  const stream = eventStream()
  opened.push(stream)
  return stream
})
app.get('/broken', () => {
  const stream = eventStream()
  stream.destroy()
  return stream
})

it('a page that is left before its stream has said anything is no fault', async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  fault.mockClear()
  for (const isToldOf of [false, true]) {
    const left = new AbortController()
    const asked = fetch(`${url}/live`, {
      method: 'POST',
      body: JSON.stringify({}),
      headers: { 'content-type': 'application/json' },
      signal: left.signal,
    }).catch(() => undefined)
    await expect.poll(() => opened).toHaveLength(1)
    const [stream] = opened.splice(0)
    if (!stream) throw new Error('no stream')
    if (isToldOf) {
      stream.tell('values', '{}')
      await asked
    }
    const closed = once(stream, 'close')
    left.abort()
    await asked
    await closed
    await turn()
  }
  expect(fault).not.toHaveBeenCalled()
  // A stream that breaks while somebody waits for it is one.
  expect((await fetch(`${url}/broken`)).status).toBe(500)
  expect(fault).toHaveBeenCalledOnce()
})
