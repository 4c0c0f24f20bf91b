/**
 * A call whose query does not return ends with a message and a request id (docs/decisions/063); a download continues.
 */
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it, vi } from 'vitest'
import { exportOperations } from '#schema/platform/operation'
import { apiTest } from '#test/api-client'
import { stopwatch } from '#test/patience'
import { buildServer } from '../server.ts'

const { context, tenants, token } = await apiTest()
const CALL_MS = 500
const app = await buildServer(context, undefined, CALL_MS)
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
afterAll(() => app.close())

it('a call that waits for the database for too long is refused as unavailable, and the next one succeeds', async () => {
  const headers = { 'accept-language': 'en-US', token: await token(tenants.a.admin) }
  const ask = () => app.inject({ method: 'POST', url: '/api/role/getRoleList', headers, payload: {} })
  const taken = stopwatch()
  const late = await context.sql.begin(async (tx) => {
    await tx`lock table users in access exclusive mode`
    return ask()
  })
  expect(taken()).toBeLessThan(5_000)
  expect(late.statusCode).toBe(503)
  expect(late.json()).toMatchObject({ code: 503, data: null, requestId: expect.any(String) })
  await expect.poll(async () => (await ask()).statusCode).toBe(200)
})

it('a download with a slow reader is complete, however long it takes', async () => {
  // More than the sockets between the two can buffer.
  const [rows, each] = [4_000, 4_096]
  await context.sql`
    insert into operations (username, customer_id, call, code, object)
    select 'x', ${tenants.a.customerId}::int, 'device/createDevice', 0, repeat('y', ${each}::int) from generate_series(1, ${rows}::int)`
  const headers = { token: await token(tenants.a.admin), 'content-type': 'application/json' }
  const bytes = await new Promise<number>((done, fail) => {
    const asked = request({ port, method: 'POST', path: exportOperations.path, headers }, (answer) => {
      let read = 0
      answer.on('error', fail).on('end', () => done(read))
      void sleep(CALL_MS * 2).then(() =>
        answer.on('data', (piece: Buffer) => {
          read += piece.length
        }),
      )
    })
    asked.on('error', fail).end('{}')
  })
  expect(bytes).toBeGreaterThan(rows * each)
})

it('a file that is opened too late is closed again', async () => {
  const { a, superAdmin } = tenants
  const recordingId = randomUUID()
  await context.sql`
    insert into terminal_recordings (id, session_id, device_id, customer_id, user_id, account, state, ended_at, file_key)
    values (${recordingId}, ${randomUUID()}, ${a.devices[0]?.id ?? 0}, ${a.customerId}, ${superAdmin.id}, 'root', 'ended', now(), ${randomUUID()})`
  const file = new Readable({ read: () => undefined })
  vi.spyOn(context.files, 'size').mockImplementation(() => sleep(CALL_MS * 2, 1))
  vi.spyOn(context.files, 'read').mockReturnValue(file)
  const answer = await app.inject({
    method: 'POST',
    url: '/api/remote/downloadRecording',
    headers: { token: await token(superAdmin) },
    payload: { recordingId },
  })
  expect(answer.statusCode).toBe(503)
  expect(file.destroyed).toBe(false)
  await expect.poll(() => file.destroyed, { timeout: 10_000 }).toBe(true)
})
