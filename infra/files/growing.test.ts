/**
 * Files that grow in an object store: a small one in this process, which can be made to hang. It takes no uploads in parts, as those of
 * more than 5 MB are.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { beforeEach, expect, it, vi } from 'vitest'
import { afterFile } from '#test/after-file'
import { readEnv } from '../env.ts'
import { openObjectClient } from './object-client.ts'
import { openFiles } from './open.ts'

const BUCKET = '/bucket/'
const MB = 1024 * 1024
const objects = new Map<string, Buffer>()
/** While it is set, the store takes nothing and gives nothing. */
let hangs: Promise<void> | null = null
/** Questions for one object whose connection is in use. */
let waiting = 0

const listed = (begin: string) =>
  [...objects]
    .filter(([name]) => name.startsWith(begin))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, { length }]) => `<Contents><Key>${name}</Key><Size>${length}</Size></Contents>`)
    .join('')

function give(response: ServerResponse, content: Buffer | undefined, range: string | undefined): void {
  if (!content) return void response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
  const [, from, to] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? []
  const part = content.subarray(Number(from ?? 0), to ? Number(to) + 1 : content.length)
  response.writeHead(from === undefined ? 200 : 206, { 'content-length': part.length }).end(part)
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://store')
  const name = decodeURIComponent(pathname.slice(BUCKET.length))
  if (request.method === 'PUT') {
    const content = await buffer(request)
    await hangs
    objects.set(name, content)
    response.end()
  } else if (request.method === 'DELETE') {
    objects.delete(name)
    response.writeHead(204).end()
  } else if (searchParams.has('list-type'))
    response.end(
      `<ListBucketResult><Name>bucket</Name>${listed(searchParams.get('prefix') ?? '')}</ListBucketResult>`,
    )
  else {
    waiting++
    response.on('close', () => waiting--)
    await hangs
    give(response, objects.get(name), request.headers.range)
  }
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const files = openFiles(
  readEnv({
    DATA_DIR: '/tmp/iot-objects',
    FILES_URL: `${address}/bucket/iot`,
    FILES_KEY_ID: 'id',
    FILES_KEY_SECRET: 'secret',
  }),
)
afterFile(async () => {
  files.close()
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})
beforeEach(() => {
  hangs = null
  objects.clear()
})

it('a file that becomes one object while it is read is read to its end', async () => {
  const parts = Array.from({ length: 3 }, () => randomBytes(1.25 * MB))
  const file = files.grow()
  for (const [count, part] of parts.entries()) {
    file.stream.write(part)
    await expect.poll(() => objects.size).toBe(count + 1)
  }
  const reading = files.read(file.key, { start: 5, end: 3 * MB + 9 })[Symbol.asyncIterator]()
  const read = [(await reading.next()).value as Buffer]
  await new Promise<void>((done) => file.stream.end('more', () => done()))
  expect([...objects.keys()]).toEqual([`iot/${file.key}`])
  for (;;) {
    const { done, value } = await reading.next()
    if (done) break
    read.push(value as Buffer)
  }
  expect(Buffer.concat(read).equals(Buffer.concat(parts).subarray(5, 3 * MB + 10))).toBe(true)
})

it('a file whose store hangs takes no more than what may be held in memory, and the rest when it goes on', async () => {
  const part = randomBytes(MB)
  const goOn = Promise.withResolvers<void>()
  hangs = goOn.promise
  const file = files.grow()
  let taken = 0
  for (let n = 0; n < 20; n++) file.stream.write(part, () => taken++)
  await expect.poll(() => taken).toBeGreaterThan(7)
  expect(taken).toBeLessThan(10)
  goOn.resolve()
  await new Promise<void>((done) => file.stream.end(() => done()))
  expect([taken, await files.size(file.key)]).toEqual([20, 20 * MB])
})

it('an answer that nobody waits for any more keeps no connection', async () => {
  objects.set('iot/00000000-0000-4000-8000-000000000000', randomBytes(4 * MB))
  const client = openObjectClient({
    endpoint: address,
    bucket: 'bucket',
    folder: 'iot/',
    region: 'us-east-1',
    keyId: 'id',
    keySecret: 'secret',
  })
  const goOn = Promise.withResolvers<void>()
  hangs = goOn.promise
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const asked = client.get('00000000-0000-4000-8000-000000000000', undefined)
    const failed = expect(asked).rejects.toMatchObject({ code: 'CONNECTION_FILES' })
    await expect.poll(() => waiting).toBe(1)
    await vi.advanceTimersByTimeAsync(10_000)
    await failed
    goOn.resolve()
    await expect.poll(() => waiting).toBe(0)
  } finally {
    vi.useRealTimers()
    client.close()
  }
})
