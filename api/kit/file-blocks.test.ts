import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openFileBlocks } from './file-blocks.ts'

const BLOCK = 128 * 1024

/** A store that counts what is read from it. */
function counting(content: Buffer) {
  const asked = { reads: 0, bytes: 0, sizes: 0 }
  let fault: Error | null = null
  return {
    asked,
    break: (error: Error | null) => {
      fault = error
    },
    read: (_key: string, { start, end } = { start: 0, end: content.length - 1 }) => {
      asked.reads++
      asked.bytes += end - start + 1
      const pieces = fault
        ? []
        : [content.subarray(start, start + 1000), content.subarray(start + 1000, end + 1)]
      return Readable.from(pieces, { objectMode: false })
    },
    size: async () => {
      asked.sizes++
      await sleep(1)
      if (fault) throw fault
      return content.length
    },
  }
}

async function all(content: Buffer | AsyncIterable<Buffer>): Promise<Buffer> {
  if (Buffer.isBuffer(content)) return content
  const found: Buffer[] = []
  for await (const bytes of content) found.push(bytes)
  return Buffer.concat(found)
}

it('reads each block once, however many devices download at the same time', async () => {
  const content = randomBytes(3 * BLOCK + 17)
  const store = counting(content)
  const blocks = openFileBlocks(store)
  const key = randomUUID()
  const range = { start: 0, end: content.length - 1 }
  const got = await Promise.all(Array.from({ length: 50 }, async () => all(await blocks.read(key, range))))
  for (const one of got) expect(one.equals(content)).toBe(true)
  expect(store.asked).toEqual({ reads: 4, bytes: content.length, sizes: 1 })
})

it('returns any range, in one piece if it is within a block', async () => {
  const content = randomBytes(2 * BLOCK + 5)
  const blocks = openFileBlocks(counting(content))
  const ends = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, content.length - 1]
  for (const start of ends)
    for (const end of ends.filter((one) => one >= start)) {
      const got = await blocks.read('a', { start, end })
      expect(Buffer.isBuffer(got)).toBe(Math.floor(start / BLOCK) === Math.floor(end / BLOCK))
      expect((await all(got)).equals(content.subarray(start, end + 1))).toBe(true)
    }
})

it('keeps no more than its bound: what was not needed for longest is read again', async () => {
  const content = randomBytes(3 * BLOCK)
  const store = counting(content)
  const blocks = openFileBlocks(store, 2 * BLOCK)
  const read = async (nth: number) =>
    all(await blocks.read('a', { start: nth * BLOCK, end: nth * BLOCK + 9 }))
  for (const nth of [0, 1, 0, 2, 0]) await read(nth)
  expect(store.asked.reads).toBe(3)
  await read(1)
  expect(store.asked.reads).toBe(4)
})

it('caches no failure: neither of an unavailable store nor of a truncated file', async () => {
  const content = randomBytes(100)
  const store = counting(content)
  const blocks = openFileBlocks(store)
  const read = async () => all(await blocks.read('a', { start: 0, end: 99 }))
  store.break(new Error('away'))
  await expect(read()).rejects.toThrow('away')
  store.break(null)
  await blocks.size('a')
  store.break(new Error('away'))
  await expect(read()).rejects.toThrow('shorter')
  store.break(null)
  expect((await read()).equals(content)).toBe(true)
})
