/** Over real sockets: the cost of bodies, and which checks come before reading them. */
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bodyLimits, keyLimits } from '#schema/kit/call'
import type { Language } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { transportRefusals } from '#schema/platform/transport-refusals'
import { apiTest } from '#test/api-client'
import { stopwatch } from '#test/patience'
import { DEPTH_MAX, ENTRIES_MAX, excessOf, heldBodies } from './json-body.ts'

const { app, call, token, tenants } = await apiTest()
let port = 0
beforeAll(async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  port = (app.server.address() as AddressInfo).port
})
afterAll(() => app.close())

const head = (path: string, length: number, rest = '') =>
  `POST /api/${path} HTTP/1.1\r\nHost: a\r\nAccept-Language: en-US\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n${rest}\r\n`

/** Sends the beginning of a request; `answer` resolves when the response is complete. */
function begin(text: string) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(text)
  const answer = new Promise<{ status: number; code: number; message: string }>((done, fail) => {
    let got = ''
    socket.setEncoding('utf8').on('data', (part: string) => {
      got += part
      const [headers = '', body = ''] = got.split('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(headers)?.[1])
      if (Buffer.byteLength(body) >= length)
        done({ status: Number(headers.slice(9, 12)), ...JSON.parse(body) })
    })
    socket.once('close', () => fail(new Error(`closed after: ${got}`)))
  })
  answer.catch(() => undefined)
  return { socket, answer }
}
const closeAll = (sockets: readonly Socket[]) =>
  Promise.all(sockets.map((socket) => new Promise((done) => socket.once('close', done).destroy())))

it.each([
  ['announced as empty', head('user/getUserDetails', 0).replace('POST', 'GET')],
  ['of no bytes', head('device/getDeviceList', 0)],
  [
    'of no chunks',
    `${head('device/getDeviceList', 0).replace('Content-Length: 0', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  ],
  ['not announced', head('device/getDeviceList', 0).replace('Content-Length: 0\r\n', '')],
])('a body %s is none, whatever its type', async (_, text) => {
  const { socket, answer } = begin(
    text.replace('Host: a', `Host: a\r\ntoken: ${await token(tenants.a.admin)}`),
  )
  expect(await answer).toMatchObject({ status: 200, code: 0 })
  socket.destroy()
})

describe('before its body is read', () => {
  it('a call without a login refuses more than 16 kB', async () => {
    const { socket, answer } = begin(head('userLogin', bodyLimits.open + 1))
    expect(await answer).toMatchObject({ status: 413, code: transportRefusals.tooLarge.code })
    socket.destroy()
  })

  it.each([
    ['no token', ''],
    ['a forged token', 'token: garbage\r\n'],
  ])('a call with %s is refused', async (_what, header) => {
    const { socket, answer } = begin(head('device/importDevices', 4_000_000, header))
    expect(await answer).toMatchObject({ status: 200, code: sessionRefusals.notLoggedIn.code })
    socket.destroy()
  })

  it('a call refuses more than it declares', async () => {
    const header = `token: ${await token(tenants.a.admin)}\r\n`
    const { socket, answer } = begin(head('device/getDeviceList', bodyLimits.login + 1, header))
    expect((await answer).status).toBe(413)
    socket.destroy()
  })
})

describe('a body that is costly to parse', () => {
  const send = (body: string, language: Language = 'en-US') =>
    token(tenants.a.admin).then(async (given) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/device/importDevices',
        headers: { 'content-type': 'application/json', token: given, 'accept-language': language },
        payload: body,
      })
      return answer.json()
    })
  const keys = (n: number) => `{${Array.from({ length: n }, (_, i) => `"k${i}":1`).join(',')}}`

  it.each([
    ['zh-CN', `最多 ${keyLimits.form} 个字段`],
    ['zh-TW', `最多 ${keyLimits.form} 個欄位`],
    ['en-US', `must have at most ${keyLimits.form} fields`],
  ] as const)('has too many keys, and is told so in %s', async (language, words) => {
    const answer = await send(keys(400_000), language)
    expect(answer).toMatchObject({ code: sessionRefusals.invalid.code, field: 'body' })
    expect(answer.message).toContain(words)
  })

  it.each([DEPTH_MAX + 1, 20_000, 2_000_000])('is nested %i deep', async (depth) => {
    const answer = await send('['.repeat(depth) + ']'.repeat(depth))
    expect(answer).toMatchObject({ code: sessionRefusals.invalid.code, field: 'body' })
    expect(answer.message).toContain(`at most ${DEPTH_MAX} levels`)
  })

  it('has too many entries', async () => {
    const answer = await send(`{"csv":[${'1,'.repeat(ENTRIES_MAX + 1)}1]}`)
    expect(answer.message).toContain(`at most ${ENTRIES_MAX} entries`)
  })

  it('is checked by its structure, not by the content of its texts', () => {
    const text = JSON.stringify({ csv: `"\\${'{[,:"\\'.repeat(keyLimits.form * 30)}` })
    expect(excessOf(Buffer.from(text), keyLimits.form)).toBeNull()
  })

  it('counts its brackets, colons and commas even if it is not JSON', () => {
    const of = (text: string) => excessOf(Buffer.from(text), keyLimits.form)?.reason ?? null
    expect(of('}'.repeat(100))).toBeNull()
    expect(of('['.repeat(DEPTH_MAX))).toBeNull()
    expect(of('['.repeat(DEPTH_MAX + 1))).toBe('deep')
    expect(of(':'.repeat(keyLimits.form + 1))).toBe('fields')
    expect(of(','.repeat(ENTRIES_MAX + 1))).toBe('more')
    expect(of('"never ended \\')).toBeNull()
  })
})

describe('unfinished bodies', () => {
  /** All but the last byte of the largest body without a login. */
  const unfinished = () =>
    begin(`${head('userLogin', bodyLimits.open)}{"username":"${'x'.repeat(bodyLimits.open - 14)}`)
  const fitting = heldBodies.open.each / bodyLimits.open

  it('of one address are limited: one more is refused, users are still served, and when they end there is room again', async () => {
    const held = Array.from({ length: fitting }, unfinished)
    const more = unfinished()
    const refused = await Promise.race([more.answer, ...held.map(({ answer }) => answer)])
    expect(refused).toMatchObject({ status: 503, code: transportRefusals.unavailable.code })

    const taken = stopwatch()
    expect((await call('device/getDeviceList', {}, tenants.a.admin)).code).toBe(0)
    expect(taken()).toBeLessThan(2_000)

    await closeAll([more, ...held].map(({ socket }) => socket))
    // Each closes in the server when its own event arrives.
    await expect
      .poll(async () => (await call('userLogin', { username: 'nobody', password: 'wrong-pass-1' })).status)
      .toBe(200)
  })

  it('sent byte by byte use no more memory than those sent at once', async () => {
    const { socket, answer } = begin(
      `POST /api/userLogin HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
    )
    const body = JSON.stringify({ username: 'nobody', password: 'wrong-pass-1' })
    socket.write(`${[...body].map((byte) => `1\r\n${byte}\r\n`).join('')}0\r\n\r\n`)
    expect((await answer).code).toBe(sessionRefusals.wrongCredentials.code)
    socket.destroy()
  })
})

it.each(['application/octet-stream', 'text/plain', 'application/xml'])(
  'a body of %s is refused where no file is expected',
  async (type) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/userLogin',
      headers: { 'content-type': type },
      payload: '{"username":"a","password":"abcdef1"}',
    })
    expect(answer.statusCode).toBe(415)
  },
)
