import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, expect, it } from 'vitest'
import { openDisk } from '#infra/files/disk'
import type { FileStore } from '#infra/files/store'
import { moveFiles } from './move-files.ts'

const root = mkdtempSync(join(tmpdir(), 'iot-move-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function folder(name: string, contents: readonly string[]) {
  const dir = join(root, name)
  const store = openDisk(dir)
  const keys: string[] = []
  for (const content of contents) {
    const file = store.create()
    await new Promise<void>((done, fail) => file.stream.once('error', fail).end(content, () => done()))
    await file.keep()
    keys.push(file.key)
  }
  return { dir, store, keys: keys.toSorted() }
}

it('copies and compares before it moves, and resumes where it was stopped', async () => {
  const from = await folder('from', ['one', 'two', 'three'])
  const to = await folder('to', [])
  expect(await moveFiles(from.dir, to.store, true)).toEqual({ moved: 3, there: 0, growing: 0, bytes: 11 })
  expect(readdirSync(from.dir)).toHaveLength(3)
  const [first = '', second = ''] = from.keys
  await to.store.remove(first)
  // Another content under the same key is not taken for the file.
  const wrong = to.store.create(second)
  await new Promise<void>((done) => wrong.stream.end('xxx', () => done()))
  await wrong.keep()
  expect(await moveFiles(from.dir, to.store, false)).toMatchObject({ moved: 2, there: 1 })
  expect(readdirSync(from.dir)).toEqual([])
  const arrived = await Promise.all(from.keys.map((key) => text(to.store.read(key))))
  expect(arrived.toSorted()).toEqual(['one', 'three', 'two'])
})

it('removes nothing that the store gives back differently', async () => {
  const from = await folder('other', ['content'])
  const to = await folder('false', [])
  const liar: FileStore = { ...to.store, read: () => Readable.from([Buffer.from('contenu')]) }
  await expect(moveFiles(from.dir, liar, false)).rejects.toThrow('was stored differently')
  expect([readdirSync(from.dir), readdirSync(to.dir)]).toEqual([from.keys, []])
})

it('leaves a recording that grows while its copy is compared, and moves it the next time', async () => {
  const from = await folder('recording', ['one'])
  const to = await folder('compared', [])
  const [key = ''] = from.keys
  const slow: FileStore = {
    ...to.store,
    read: (asked, range) => {
      appendFileSync(join(from.dir, key), ' two')
      return to.store.read(asked, range)
    },
  }
  expect(await moveFiles(from.dir, slow, false)).toEqual({ moved: 0, there: 0, growing: 1, bytes: 0 })
  expect(readFileSync(join(from.dir, key), 'utf8')).toBe('one two')
  expect(await moveFiles(from.dir, to.store, false)).toMatchObject({ moved: 1, growing: 0 })
  expect(await text(to.store.read(key))).toBe('one two')
})
