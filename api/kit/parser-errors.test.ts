/** Byte by byte over a real socket: requests that no HTTP client would send. */

import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sayIn } from '#infra/say'
import { transportRefusals } from '#schema/platform/transport-refusals'
import { apiTest } from '#test/api-client'
import { buildServer } from '../server.ts'

const { context } = await apiTest()
const BODY_MAX_MS = 300
const app = await buildServer(context, BODY_MAX_MS)
let port = 0
beforeAll(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => app.close())

/** Everything received until the server, or the end of its response, closes. */
async function answer(request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  socket.on('error', () => undefined)
  socket.write(request, 'latin1')
  await once(socket, 'close')
  return text
}

const post =
  'POST /api/userLogin HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept-Language: en-US\r\nContent-Type: application/json\r\n'
const get = (path: string, rest = '') =>
  `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAccept-Language: en-US\r\n${rest}\r\n`

it.each([
  ['no HTTP at all', '\x16\x03\x01\x00\xa5\r\n\r\n', 400],
  ['an unknown method', 'FOO / HTTP/1.1\r\nHost: a\r\n\r\n', 400],
  ['two different lengths', `${post}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400],
  ['a length and chunks', `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['a chunk without a size', `${post}Transfer-Encoding: chunked\r\n\r\nZZ\r\n\r\n`, 400],
  ['chunk extensions of 20 kB', `${post}Transfer-Encoding: chunked\r\n\r\n2;${'e'.repeat(20_000)}\r\n`, 413],
  ['a NUL in a header', get('/', 'X: a\0b\r\n'), 400],
  ['no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['headers of 20 kB', get('/', `X: ${'a'.repeat(20_000)}\r\n`), 431],
  ['an address of 20 kB', get(`/${'a'.repeat(20_000)}`), 431],
  ['a path of 2 kB', get(`/device/${'a'.repeat(2_000)}`), 414],
  ['a tunnel', 'CONNECT inside:80 HTTP/1.1\r\nHost: a\r\n\r\n', 404],
  ['an unknown expectation', `${post}Expect: cake\r\nContent-Length: 2\r\n\r\n{}`, 417],
  ['a body that dribbles', `${post}Content-Length: 100\r\n\r\n{`, 408],
] as const)('%s is refused with an envelope and a request id', async (_what, request, status) => {
  const [head = '', body = ''] = (await answer(request)).split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(head.toLowerCase()).toContain('content-type: application/json; charset=utf-8')
  expect(JSON.parse(body)).toEqual({
    code: status,
    data: null,
    message: expect.stringMatching(/./),
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
})

it('uses the requested language, if it can be read from the bytes', async () => {
  const long = `X: ${'a'.repeat(20_000)}\r\n`
  expect(await answer(get('/', long))).toContain(sayIn('en-US')(transportRefusals.headersTooLarge.text))
  expect(await answer(`GET / HTTP/1.1\r\nHost: a\r\nAccept-Language: zh-TW\r\n${long}\r\n`)).toContain(
    sayIn('zh-TW')(transportRefusals.headersTooLarge.text),
  )
})
