import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { downloadSignature } from '#infra/secrets'
import { testContext } from '#test/harness'
import { addPackage } from '#test/tenants'
import type { WorkerContext } from '../kit/processor.ts'
import { syncPackageJob } from './sync-package.ts'

const content = Buffer.from('what was uploaded')
const servers: Server[] = []
/** The response of each of the two file servers. */
let answers: [Buffer | number, Buffer | number] = [content, content]
const asked: string[] = []
let ctx: WorkerContext
let packageId: number

async function serve(index: 0 | 1): Promise<string> {
  const server = createServer((request, reply) => {
    asked.push(request.url ?? '')
    const answer = answers[index]
    if (typeof answer === 'number') reply.writeHead(answer).end()
    else reply.end(answer)
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

beforeAll(async () => {
  const [own, mirror] = [await serve(0), await serve(1)]
  const context = await testContext({ PUBLIC_URL: own, FILE_SERVERS: mirror })
  const line = { publish: async () => undefined, connected: () => true, close: async () => undefined }
  ctx = { ...context, line }
  packageId = (await addPackage(context, { customerId: null, model: 'R200', version: '1', content })).id
})
afterAll(() => {
  for (const server of servers) server.close()
})

const state = async () => {
  const [row] = await ctx.sql<{ synced: boolean; error: string | null }[]>`
    select synced_at is not null as synced, sync_error as error from packages where id = ${packageId}`
  return row
}

it('a package that every file server serves unchanged is synced', async () => {
  await ctx.sql`update packages set synced_at = null where id = ${packageId}`
  await syncPackageJob.run(ctx, { packageId })
  expect(await state()).toEqual({ synced: true, error: null })
  expect(asked).toHaveLength(2)
  const url = new URL(asked[0] ?? '', 'http://x')
  expect(url.pathname).toBe(`/files/package/${packageId}`)
  expect(url.searchParams.get('sig')).toBe(
    downloadSignature(
      ctx.env.JWT_SECRET,
      `package:${packageId}`,
      'service',
      Number(url.searchParams.get('expires')),
    ),
  )
})

it.each([
  ['is missing on one', 404, 'answers 404'],
  ['is cut short', content.subarray(0, 5), 'served 5 of 17 bytes'],
  ['has other content', Buffer.from('what was replaced'), 'SHA-256 differs'],
])('one that %s is not synced, shows the reason, and is retried', async (_, answer, why) => {
  answers = [content, answer]
  await expect(syncPackageJob.run(ctx, { packageId })).rejects.toThrow(why)
  expect(await state()).toEqual({ synced: false, error: expect.stringContaining(why) })
  answers = [content, content]
  await syncPackageJob.run(ctx, { packageId })
  expect(await state()).toEqual({ synced: true, error: null })
})

it('an unavailable file server is named', async () => {
  await new Promise<void>((done) => {
    servers[1]?.close(() => done())
    servers[1]?.closeAllConnections()
  })
  await expect(syncPackageJob.run(ctx, { packageId })).rejects.toThrow('cannot be reached')
  expect((await state())?.error).toContain(ctx.env.FILE_SERVERS[0])
})
