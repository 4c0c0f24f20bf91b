import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { afterAll, expect, it, vi } from 'vitest'
import { openDisk } from '#infra/files/disk'
import type { FileStore } from '#infra/files/store'
import { openRecordingFile, RecordingFile } from './recording-file.ts'

const dir = mkdtempSync(join(tmpdir(), 'iot-recording-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const files = openDisk(dir)
const of = { columns: 80, rows: 24, title: 'SN-1', at: new Date('2026-11-23T00:00:00Z') }
const linesOf = (key: string) =>
  readFileSync(join(dir, key), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown)

it('is asciicast v2: a header, output with its time, sizes; characters that came in two pieces are whole', async () => {
  const opened = await openRecordingFile(files, of)
  const file = new RecordingFile(opened, { leftBytes: 1e6 }, vi.fn())
  const text = Buffer.from('路由')
  file.output(text.subarray(0, 4))
  file.output(text.subarray(4))
  file.resize({ columns: 132, rows: 43 })
  await file.end()
  const time = expect.any(Number)
  expect(linesOf(opened.key)).toEqual([
    {
      version: 2,
      width: 80,
      height: 24,
      timestamp: 1795392000,
      title: 'SN-1',
      env: { TERM: 'xterm-256color' },
    },
    [time, 'o', '路'],
    [time, 'o', '由'],
    [time, 'r', '132x43'],
  ])
  expect(file.sizeBytes).toBe(readFileSync(join(dir, opened.key)).length)
})

it('is there under its key before it ends, so that a crash leaves what was shown', async () => {
  const opened = await openRecordingFile(files, of)
  const file = new RecordingFile(opened, { leftBytes: 1e6 }, vi.fn())
  file.output(Buffer.from('before the crash'))
  await expect.poll(() => linesOf(opened.key)).toHaveLength(2)
  expect(existsSync(join(dir, `${opened.key}.part`))).toBe(false)
  await file.end()
})

it('stops at its limit, says so in the file and once to its owner, and takes what follows without writing it', async () => {
  const stopped = vi.fn()
  const opened = await openRecordingFile(files, of)
  const file = new RecordingFile(opened, { leftBytes: 4_000 }, stopped)
  for (let i = 0; i < 100; i++) file.output(Buffer.alloc(100, 0x61))
  await file.end()
  expect(stopped.mock.calls).toEqual([['recordingFull']])
  expect(file.fault).toBe('recordingFull')
  expect(readFileSync(join(dir, opened.key)).length).toBeLessThanOrEqual(4_000)
  expect(linesOf(opened.key).at(-1)).toEqual([expect.any(Number), 'm', 'the recording is full'])
})

/** A store whose disk is full from the given write on. */
const fullAfter = (writes: number): FileStore => ({
  ...files,
  grow: () => ({
    key: '0198a7c4-6f0e-7cc2-9b1e-1d5a4c0f2b11',
    stream: new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => done(writes-- > 0 ? null : new Error('ENOSPC')),
    }),
    keep: async () => undefined,
    drop: async () => undefined,
  }),
})

it('a disk that is not writable is reported before anything is shown', async () => {
  await expect(openRecordingFile(fullAfter(0), of)).rejects.toThrow('ENOSPC')
})

it('a disk that fills up later stops it, and releases a waiting shell', async () => {
  const stopped = vi.fn()
  const file = new RecordingFile(await openRecordingFile(fullAfter(1), of), { leftBytes: 1e6 }, stopped)
  const freed = new Promise<void>((done) => {
    expect(file.output(Buffer.from('x'))).toBe(false)
    file.drained(done)
  })
  await freed
  expect(stopped.mock.calls).toEqual([['notRecorded']])
  expect(file.output(Buffer.from('y'))).toBe(true)
  await file.end()
})

it('counts several shells of a session together', async () => {
  const allowance = { leftBytes: 4_000 }
  const stopped = vi.fn()
  const both = [
    new RecordingFile(await openRecordingFile(files, of), allowance, stopped),
    new RecordingFile(await openRecordingFile(files, of), allowance, stopped),
  ]
  for (let i = 0; i < 100; i++) for (const file of both) file.output(Buffer.alloc(100, 0x61))
  await Promise.all(both.map((file) => file.end()))
  expect(stopped).toHaveBeenCalledTimes(2)
  expect(both.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)).toBeLessThanOrEqual(4_000)
})
