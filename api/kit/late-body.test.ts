/** Over real sockets: a response that is ready before the body has arrived. */

import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sayIn } from '#infra/say'
import { transportRefusals } from '#schema/platform/transport-refusals'
import { apiTest } from '#test/api-client'

const { app } = await apiTest()
let port = 0
beforeAll(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => app.close())

const MB = 1024 * 1024
const chunk = Buffer.alloc(MB, 'x')
const post = (type: string, rest: string) =>
  `POST /api/userLogin HTTP/1.1\r\nHost: a\r\nAccept-Language: en-US\r\nContent-Type: ${type}\r\n${rest}\r\n`

/** A client that reads only after it has sent everything, as many do. */
async function sendThenRead(head: string, parts: readonly Buffer[]) {
  const socket = connect(port, '127.0.0.1').pause()
  const errors: Error[] = []
  socket.on('error', (error) => errors.push(error))
  socket.write(head)
  for (const part of parts)
    if (!socket.destroyed) await new Promise<unknown>((done) => socket.write(part, done))
  let text = ''
  socket.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  if (!socket.closed) await new Promise((done) => socket.once('close', done).resume())
  const [headers = '', body = ''] = text.split('\r\n\r\n')
  return { errors, headers, body }
}

const chunks = (n: number) => [
  ...Array.from({ length: n }, () => Buffer.concat([Buffer.from('100000\r\n'), chunk, Buffer.from('\r\n')])),
  Buffer.from('0\r\n\r\n'),
]

it.each([
  [
    'too large, as its length says',
    413,
    post('application/json', `Content-Length: ${30 * MB}\r\n`),
    Array(30).fill(chunk),
  ],
  [
    'too large, as its chunks tell',
    413,
    post('application/json', 'Transfer-Encoding: chunked\r\n'),
    chunks(30),
  ],
  ['of another kind', 415, post('text/xml', `Content-Length: ${30 * MB}\r\n`), Array(30).fill(chunk)],
])('a sender whose body is %s reads %i in full, and then the end', async (_what, status, head, parts) => {
  const { errors, headers, body } = await sendThenRead(head, parts as Buffer[])
  expect(errors).toEqual([])
  expect(headers).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(headers.toLowerCase()).toContain('connection: close')
  expect(headers.toLowerCase()).toContain('x-content-type-options: nosniff')
  expect(JSON.parse(body)).toMatchObject({ code: status, data: null, requestId: expect.any(String) })
})

it('fetch reads it too', async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/userLogin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': 'en-US' },
    body: JSON.stringify({ username: 'x'.repeat(20 * MB) }),
  })
  expect([answer.status, await answer.json()]).toMatchObject([
    413,
    { message: sayIn('en-US')(transportRefusals.tooLarge.text) },
  ])
})

it('is not read forever: a client that continues sending is disconnected', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined).resume()
  socket.write(post('application/json', `Content-Length: ${1000 * MB}\r\n`))
  let sent = 0
  const closed = new Promise((done) => socket.once('close', done))
  while (!socket.destroyed && sent < 200) {
    sent++
    if (!socket.write(chunk)) await Promise.race([closed, new Promise((done) => socket.once('drain', done))])
  }
  await closed
  expect(sent).toBeGreaterThan(60)
  expect(sent).toBeLessThan(150)
})
