/** A file whose store fails while the call is still being logged, before anything of it is sent. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { transportRefusals } from '#schema/platform/transport-refusals'
import { apiTest } from '#test/api-client'

const { app, context, tenants, token } = await apiTest()

it('is answered with an envelope that can be read, and does not end the process', async () => {
  const { a, superAdmin } = tenants
  const recordingId = randomUUID()
  await context.sql`
    insert into terminal_recordings (id, session_id, device_id, customer_id, user_id, account, state, ended_at, file_key)
    values (${recordingId}, ${randomUUID()}, ${a.devices[0]?.id ?? 0}, ${a.customerId}, ${superAdmin.id}, 'root', 'ended', now(), ${randomUUID()})`
  vi.spyOn(context.files, 'size').mockResolvedValue(1)
  vi.spyOn(context.files, 'read').mockImplementation(
    () =>
      new Readable({
        read() {
          this.destroy(new Error('the disk is gone'))
        },
      }),
  )
  const answer = await app.inject({
    method: 'POST',
    url: '/api/remote/downloadRecording',
    headers: { token: await token(superAdmin), 'accept-encoding': 'gzip' },
    payload: { recordingId },
  })
  expect(answer.statusCode).toBe(500)
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(answer.headers['content-disposition']).toBeUndefined()
  expect(answer.json()).toMatchObject({ code: transportRefusals.fault.code, requestId: expect.any(String) })
})
