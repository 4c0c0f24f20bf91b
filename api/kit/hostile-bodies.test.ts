import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { downloadSignature } from '#infra/secrets'
import { csvCell } from '#schema/kit/csv'
import { sessionRefusals } from '#schema/people/session-refusals'
import { transportRefusals } from '#schema/platform/transport-refusals'
import { apiTest } from '#test/api-client'
import { stopwatch } from '#test/patience'
import { addPackage, TEST_PASSWORD } from '#test/tenants'
import { buildServer } from '../server.ts'

const { call, context, tenants, app } = await apiTest()
const { admin } = tenants.a
const { sql } = context

const lastOperation = async () => {
  const [row] = await sql<{ call: string; code: number; body: unknown }[]>`
    select call, code, body from operations order by id desc limit 1`
  return row
}
const post = (path: string, payload: string) =>
  app.inject({ method: 'POST', url: path, payload, headers: { 'content-type': 'application/json' } })

it('a malformed path is refused with an envelope, and is not echoed', async () => {
  const answer = await app.inject({ url: '/%ff<script>' })
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({ code: 400, data: null })
  expect(answer.body).not.toContain('script')
})

describe('the operation log', () => {
  it('stores a call whose text would be truncated within a surrogate pair', async () => {
    const args = { note: `${'a'.repeat(199)}😀` }
    await call('command/sendCommand', { deviceId: tenants.a.devices[0]?.id, name: 'reboot', args }, admin)
    expect(await lastOperation()).toMatchObject({
      call: 'command/sendCommand',
      body: { args: { note: expect.stringMatching(/^a{199}\ufffd…$/) } },
    })
  })

  it('stores a refused call with a lone surrogate, U+0000, or a device id that no row can have', async () => {
    const before = await sql`select 1 from operations`
    await post('/api/userLogin', '{"username":"x\\ud800","password":"wrong-pass-1"}')
    await post('/api/userLogin', '{"username":"x","a\\u0000\\ud800":1}')
    await call('command/sendCommand', { deviceId: 3e9, name: 'reboot' }, admin)
    expect((await sql`select 1 from operations`).length).toBe(before.length + 3)
  })

  it('stays small whatever an unauthenticated client sends', async () => {
    await post('/api/userLogin', JSON.stringify({ ['k'.repeat(16_000)]: 1 }))
    const wide = (depth: number): unknown =>
      depth === 0 ? 'v'.repeat(40) : Array.from({ length: 7 }, () => wide(depth - 1))
    await post('/api/userLogin', JSON.stringify({ a: wide(3) }))
    const [row] = await sql<{ most: number }[]>`select max(length(body::text)) as most from operations`
    expect(row?.most).toBeLessThan(40_000)
  })
})

describe('a hostile body', () => {
  it.each([
    [100, sessionRefusals.invalid.code],
    [8_000, sessionRefusals.invalid.code],
    [200_000, transportRefusals.tooLarge.code],
  ])('nested %i deep is refused, not a fault', async (depth, code) => {
    const answer = await post('/api/userLogin', '['.repeat(depth) + ']'.repeat(depth))
    expect(answer.json()).toMatchObject({ code })
  })

  it('with an id beyond what a row can have is refused, not a fault', async () => {
    for (const [name, body] of [
      ['device/getDeviceDetail', { deviceId: 3e9 }],
      ['device/getDeviceList', { groupId: 3e9 }],
      ['device/createEnrolmentKey', { groupId: 3e9, label: 'x' }],
      ['device/getGroupList', { pid: 3e9 }],
      ['command/getCommandList', { deviceId: 3e9 }],
      ['task/getTask', { taskId: 3e9 }],
      ['token/revokeApiToken', { id: 3e9 }],
      ['package/deletePackage', { spId: 3e9 }],
    ] as const)
      expect([name, (await call(name, body, admin)).code]).toEqual([name, sessionRefusals.invalid.code])
  })
})

describe('wrong passwords sent all at once', () => {
  it('are throttled as if they came one after the other', async () => {
    const codes = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const answer = await call('userLogin', { username: admin.username, password: 'wrong-pass-1' })
        return answer.code
      }),
    )
    expect(codes.filter((code) => code === sessionRefusals.wrongCredentials.code).length).toBe(5)
    expect(codes.filter((code) => code === sessionRefusals.tooManyAttempts.code).length).toBe(35)
    expect((await call('userLogin', { username: admin.username, password: TEST_PASSWORD })).code).toBe(
      sessionRefusals.tooManyAttempts.code,
    )
  })
})

describe('a slow connection', () => {
  const BODY_MAX_MS = 300

  it('finishes its download although it lasts longer than a body may', async () => {
    const content = Buffer.alloc(24 * 1024 * 1024, 7)
    const made = await addPackage(context, { customerId: null, model: 'R200', version: '3.0.0', content })
    const slow = await buildServer(context, BODY_MAX_MS)
    await slow.listen({ host: '127.0.0.1', port: 0 })
    const at = Date.now() + 60_000
    const sig = downloadSignature(context.env.JWT_SECRET, `package:${made.id}`, 'service', at)
    const socket = connect((slow.server.address() as AddressInfo).port, '127.0.0.1')
    let bytes = 0
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    socket.write(
      `GET /files/package/${made.id}?expires=${at}&sig=${sig} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    )
    socket.pause()
    setTimeout(() => socket.resume(), BODY_MAX_MS * 3)
    await once(socket, 'close')
    await slow.close()
    expect(bytes).toBeGreaterThan(content.length)
  })

  it('that sends a body byte by byte is closed', async () => {
    const slow = await buildServer(context, BODY_MAX_MS)
    await slow.listen({ host: '127.0.0.1', port: 0 })
    const socket = connect((slow.server.address() as AddressInfo).port, '127.0.0.1')
    socket.on('error', () => undefined).resume()
    const taken = stopwatch()
    socket.write(
      'POST /api/userLogin HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    )
    await once(socket, 'close')
    await slow.close()
    expect(taken()).toBeLessThan(5_000)
  })
})

describe('a CSV cell', () => {
  it.each(['  =1+1', '\u3000=1+1', '＝1+1', '＋1', '－1', '＠SUM(A1)', '\n=1+1'])('%j is escaped', (text) => {
    expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/)
  })
})
