import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, it } from 'vitest'
import { readEnv } from '#infra/env'
import { openDisk } from '#infra/files/disk'
import { openFiles } from '#infra/files/open'
import type { FileStore } from '#infra/files/store'
import { noDebianSwift, startDebianSwift } from '#test/programs/debian-swift'
import { moveFiles } from './move-files.ts'
import { saveFiles } from './save-files.ts'

const root = mkdtempSync(join(tmpdir(), 'iot-save-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

describe.skipIf(noDebianSwift)('the files of a bucket', async () => {
  const swift = noDebianSwift ? null : await startDebianSwift()
  if (!swift) return
  afterAll(() => swift.stop())
  const files = openFiles(readEnv({ DATA_DIR: join(root, 'data'), ...swift.settings }))
  const store = async (content: string, of: FileStore = files) => {
    const file = of.create()
    await new Promise<void>((done) => file.stream.end(content, () => done()))
    await file.keep()
    return file.key
  }

  it('are saved to a folder, only the new ones the next time, and brought back into an empty bucket', async () => {
    const folder = join(root, 'backup')
    const [first, empty] = [await store('firmware'), await store('')]
    const recording = files.grow()
    recording.stream.write('one ')
    await recording.keep()
    expect(await saveFiles(files, folder, false)).toMatchObject({ saved: 3, there: 0, bytes: 12 })
    // The recording has grown, one is new, one is gone.
    await new Promise<void>((done) => recording.stream.end('two', () => done()))
    const second = await store('configuration')
    await files.remove(empty)
    // What a process left that was killed while it saved.
    writeFileSync(join(folder, `${first}.part`), 'firm')
    expect(await saveFiles(files, folder, false)).toEqual({
      saved: 2,
      there: 1,
      gone: 0,
      removed: 0,
      bytes: 20,
    })
    expect(readdirSync(folder)).toContain(empty)
    expect(await saveFiles(files, folder, true)).toMatchObject({ saved: 0, there: 3, removed: 1 })

    for (const key of [first, second, recording.key]) await files.remove(key)
    expect(await files.keys()).toEqual([])
    expect(await moveFiles(folder, files, true)).toMatchObject({ moved: 3, growing: 0 })
    const back = await Promise.all([first, second, recording.key].map((key) => text(files.read(key))))
    expect(back).toEqual(['firmware', 'configuration', 'one two'])
  })

  it('are never saved partially, and none is removed, when the store becomes unavailable', async () => {
    const folder = join(root, 'away')
    mkdirSync(folder)
    await store('more')
    const broken: FileStore = {
      ...files,
      keys: () => Promise.reject(Object.assign(new Error('away'), { code: 'CONNECTION_FILES' })),
    }
    const kept = await saveFiles(files, folder, false)
    await expect(saveFiles(broken, folder, true)).rejects.toMatchObject({ code: 'CONNECTION_FILES' })
    expect(readdirSync(folder)).toHaveLength(kept.saved)
  })
})

describe('a copy to a folder', () => {
  const filled = async (name: string, contents: readonly string[]) => {
    const store = openDisk(join(root, name))
    for (const content of contents) {
      const file = store.create()
      await new Promise<void>((done) => file.stream.end(content, () => done()))
      await file.keep()
    }
    return store
  }

  it('goes on at once where it was killed', async () => {
    const from = await filled('from', ['firmware'])
    const [key = ''] = await from.keys()
    mkdirSync(join(root, 'killed'))
    writeFileSync(join(root, 'killed', `${key}.part`), 'firmware that')
    expect(await saveFiles(from, join(root, 'killed'), false)).toMatchObject({ saved: 1, bytes: 8 })
    expect(await text(openDisk(join(root, 'killed')).read(key))).toBe('firmware')
    expect(readdirSync(join(root, 'killed'))).toEqual([key])
  })

  it('keeps the older copy of a recording until the longer one is there', async () => {
    const from = await filled('longer', ['one two'])
    const [key = ''] = await from.keys()
    const backup = join(root, 'older')
    mkdirSync(backup)
    writeFileSync(join(backup, key), 'one')
    const cut: FileStore = {
      ...from,
      read: () => Readable.from([Buffer.from('one'), Promise.reject(new Error('cut off'))]),
    }
    await expect(saveFiles(cut, backup, false)).rejects.toThrow('cut off')
    expect(await text(openDisk(backup).read(key))).toBe('one')
    expect(await saveFiles(from, backup, false)).toMatchObject({ saved: 1, bytes: 7 })
    expect(await text(openDisk(backup).read(key))).toBe('one two')
  })

  it('goes on when a file is deleted while it is copied', async () => {
    const from = await filled('deleting', ['one', 'two'])
    const [first = '', second = ''] = await from.keys()
    const deleting: FileStore = {
      ...from,
      read: (key, range) => {
        if (key === first) rmSync(join(root, 'deleting', key))
        return from.read(key, range)
      },
    }
    const backup = join(root, 'meanwhile')
    expect(await saveFiles(deleting, backup, false)).toMatchObject({ saved: 1, gone: 1, bytes: 3 })
    expect(readdirSync(backup)).toEqual([second])
  })

  it('is not emptied by a store that has no files: it is probably another one', async () => {
    const backup = join(root, 'precious')
    await filled('precious', ['one', 'two'])
    await expect(saveFiles(await filled('mistyped', []), backup, true)).rejects.toThrow('none was removed')
    expect(readdirSync(backup)).toHaveLength(2)
    expect(await saveFiles(await filled('other', ['three']), backup, true)).toMatchObject({
      saved: 1,
      removed: 2,
    })
  })
})
