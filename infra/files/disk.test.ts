import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { openDisk } from './disk.ts'

const dir = mkdtempSync(join(tmpdir(), 'iot-files-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

async function write(content: string) {
  const file = openDisk(dir).create()
  await new Promise<void>((done, fail) => file.stream.once('error', fail).end(content, done))
  return file
}

describe('the file store', () => {
  it('shows a file only after `keep`', async () => {
    const files = openDisk(dir)
    const file = await write('firmware')
    expect(await files.size(file.key)).toBeNull()
    await file.keep()
    expect(await files.size(file.key)).toBe(8)
    expect(await text(files.read(file.key, { start: 4, end: 7 }))).toBe('ware')
    await files.remove(file.key)
    expect(await files.size(file.key)).toBeNull()
  })

  it('throws instead of reporting a missing file when the disk fails', async () => {
    const gone = join(dir, 'gone')
    const files = openDisk(gone)
    rmSync(gone, { recursive: true })
    expect(await files.size('0198a7c4-6f0e-7cc2-9b1e-1d5a4c0f2b12')).toBeNull()
    // Replaces the folder by a file, so that reading fails.
    writeFileSync(gone, '')
    await expect(files.size('0198a7c4-6f0e-7cc2-9b1e-1d5a4c0f2b12')).rejects.toThrow('ENOTDIR')
    rmSync(gone)
  })

  it('accepts only its own keys', () => {
    const files = openDisk(dir)
    for (const key of ['../jwt-secret', 'a', '', '/etc/passwd'])
      expect(() => files.read(key)).toThrow('not a file key')
  })

  it('removes remains of an upload killed hours ago, and nothing else', async () => {
    const [old, young] = [await write('x'), await write('x')]
    const path = (key: string) => join(dir, `${key}.part`)
    const hoursAgo = new Date(Date.now() - 3 * 3_600_000)
    utimesSync(path(old.key), hoursAgo, hoursAgo)
    writeFileSync(join(dir, '0198a7c4-6f0e-7cc2-9b1e-1d5a4c0f2b11'), 'kept')
    utimesSync(join(dir, '0198a7c4-6f0e-7cc2-9b1e-1d5a4c0f2b11'), hoursAgo, hoursAgo)
    const files = openDisk(dir)
    expect([existsSync(path(old.key)), existsSync(path(young.key))]).toEqual([false, true])
    expect(await files.size('0198a7c4-6f0e-7cc2-9b1e-1d5a4c0f2b11')).toBe(4)
  })
})
