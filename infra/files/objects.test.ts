import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3'
import { afterAll, describe, expect, it } from 'vitest'
import { BUCKET, noDebianSwift, startDebianSwift } from '#test/programs/debian-swift'
import { readEnv } from '../env.ts'
import { openObjectClient } from './object-client.ts'
import { openFiles } from './open.ts'
import type { FileStore, NewFile } from './store.ts'

const write = (file: NewFile, content: Buffer | string) =>
  new Promise<void>((done, fail) => file.stream.once('error', fail).end(content, () => done()))
const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex')

it('needs its keys, and none in its address', () => {
  const url = 'https://s3.example.com/bucket/iot'
  expect(() => readEnv({ FILES_URL: url })).toThrow('FILES_URL needs FILES_KEY_ID and FILES_KEY_SECRET')
  expect(() => readEnv({ FILES_URL: 'https://id:secret@s3.example.com/bucket' })).toThrow('without a user')
  expect(() => readEnv({ FILES_URL: 'https://s3.example.com/' })).toThrow('FILES_URL')
})

it.each(['<!doctype html><title>Console</title>', '<html><body>Console</body></html>', ''])(
  'is unavailable where a web server answers everything with 200 and “%s”',
  async (page) => {
    const server = createServer((_, response) => response.end(page)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const place = {
      FILES_URL: `http://127.0.0.1:${port}/bucket/iot`,
      FILES_KEY_ID: 'id',
      FILES_KEY_SECRET: 's',
    }
    const files = openFiles(readEnv({ DATA_DIR: '/tmp/iot-objects', ...place }))
    expect(await files.answers()).toBe(false)
    files.close()
    server.closeAllConnections()
    server.close()
  },
)

describe.skipIf(noDebianSwift)('an object store', async () => {
  const swift = noDebianSwift ? null : await startDebianSwift()
  if (!swift) return
  afterAll(() => swift.stop())
  const { client, settings } = swift
  const open = (more: Record<string, string> = {}): FileStore =>
    openFiles(readEnv({ DATA_DIR: '/tmp/iot-objects', ...settings, ...more }))
  const files = open()
  const objects = async () =>
    ((await client.send(new ListObjectsV2Command({ Bucket: BUCKET }))).Contents ?? []).map(({ Key }) => Key)
  const uploads = async () =>
    (await client.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }))).Uploads ?? []

  it('shows a file only after `keep`, also by ranges, to every process that shares the store', async () => {
    const file = files.create()
    await write(file, 'firmware')
    expect(await files.size(file.key)).toBeNull()
    await file.keep()
    const other = open()
    expect(await other.size(file.key)).toBe(8)
    expect(await text(other.read(file.key, { start: 4, end: 7 }))).toBe('ware')
    expect(await text(other.read(file.key))).toBe('firmware')
    await files.remove(file.key)
    expect(await other.size(file.key)).toBeNull()
    await expect(text(other.read(file.key))).rejects.toThrow('no such object')
  })

  it('takes a large one in parts, with little of it in memory, and an empty one', async () => {
    const [large, empty] = [files.create(), files.create()]
    const hash = createHash('sha256')
    for (let i = 0; i < 24; i++) {
      const chunk = randomBytes(1024 * 1024)
      hash.update(chunk)
      await new Promise<void>((done, fail) =>
        large.stream.write(chunk, (error) => (error ? fail(error) : done())),
      )
    }
    expect(await uploads()).toHaveLength(1)
    await write(large, '')
    await write(empty, '')
    await Promise.all([large.keep(), empty.keep()])
    expect(await uploads()).toHaveLength(0)
    expect(sha256(await buffer(files.read(large.key)))).toBe(hash.digest('hex'))
    expect([await files.size(empty.key), await text(files.read(empty.key))]).toEqual([0, ''])
    for (const { key } of [large, empty]) await files.remove(key)
  })

  it('leaves nothing of an upload that is given up, and removes what a killed process left', async () => {
    const part = randomBytes(12 * 1024 * 1024)
    const [dropped, left] = [files.create(), files.create()]
    for (const { stream } of [dropped, left]) stream.write(part)
    await expect.poll(() => uploads()).toHaveLength(2)
    await dropped.drop()
    await expect.poll(() => uploads()).toHaveLength(1)
    const url = new URL(settings.FILES_URL)
    const { abandonOld } = openObjectClient({
      endpoint: url.origin,
      bucket: BUCKET,
      folder: 'iot/',
      region: 'us-east-1',
      keyId: settings.FILES_KEY_ID,
      keySecret: settings.FILES_KEY_SECRET,
    })
    expect(await abandonOld(new Date(Date.now() - 60_000))).toBe(0)
    expect(await abandonOld(new Date(Date.now() + 60_000))).toBe(1)
    expect([await uploads(), await objects()]).toEqual([[], []])
  })

  it('lets a growing file be read before its end, and keeps one object of it', async () => {
    const file = files.grow()
    file.stream.write('one ')
    await file.keep()
    expect(await text(files.read(file.key))).toBe('one ')
    file.stream.write('two ')
    await expect.poll(() => files.size(file.key)).toBe(8)
    // A process that is killed leaves it so.
    expect(await text(files.read(file.key, { start: 2, end: 5 }))).toBe('e tw')
    expect((await objects()).length).toBe(2)
    await write(file, 'three')
    expect(await objects()).toEqual([`iot/${file.key}`])
    expect(await text(files.read(file.key))).toBe('one two three')
    await files.remove(file.key)
    expect(await objects()).toEqual([])
  })

  it('reports that it is unavailable without naming secrets, and a read resumes when it is back soon', async () => {
    const content = randomBytes(6 * 1024 * 1024)
    const file = files.create()
    await write(file, content)
    await file.keep()
    const read = files.read(file.key)
    const hash = createHash('sha256').update((await once(read, 'data'))[0] as Buffer)
    read.pause()
    expect(await files.answers()).toBe(true)
    await swift.leave()
    expect(await files.answers()).toBe(false)
    const error = await files.size(file.key).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      code: 'CONNECTION_FILES',
      message: expect.stringContaining('ECONNREFUSED'),
    })
    expect(JSON.stringify(error)).not.toContain(settings.FILES_KEY_SECRET)
    const unkept = files.create()
    await expect(write(unkept, 'x').then(unkept.keep)).rejects.toMatchObject({ code: 'CONNECTION_FILES' })
    await swift.comeBack()
    for await (const chunk of read) hash.update(chunk as Buffer)
    expect(hash.digest('hex')).toBe(sha256(content))
    const foreign = open({ FILES_KEY_SECRET: 'another' })
    expect(await foreign.answers()).toBe(false)
    await expect(foreign.size(file.key)).rejects.toMatchObject({ code: 'CONNECTION_FILES' })
    await files.remove(file.key)
  })

  it('is unavailable, not empty, where its bucket is not there', async () => {
    const gone = open({ FILES_URL: settings.FILES_URL.replace(`/${BUCKET}/`, '/renamed/') })
    const growing = gone.grow()
    growing.stream.write('recorded')
    await expect(growing.keep()).rejects.toMatchObject({ code: 'CONNECTION_FILES' })
    growing.stream.on('error', () => undefined).destroy()
    for (const work of [
      () => gone.keys(),
      () => gone.unfinished(new Date()),
      () => gone.size(growing.key),
      () => text(gone.read(growing.key)),
    ])
      await expect(work(), String(work)).rejects.toMatchObject({ code: 'CONNECTION_FILES' })
  })

  it('accepts only its own keys', () => {
    for (const key of ['../jwt-secret', 'a', '', '/etc/passwd'])
      expect(() => files.read(key)).toThrow('not a file key')
  })
})
