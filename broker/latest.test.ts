import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openLatest } from './latest.ts'

type Row = { deviceId: number; at: number; arrivedAt: number; load: number }

const ARRIVED = 1795226400000
let written: Row[][]
let fails: boolean

beforeEach(() => {
  vi.useFakeTimers()
  written = []
  fails = false
})
afterEach(() => {
  vi.useRealTimers()
})

function open() {
  const sql = {
    unsafe: async (_: string, [rows]: [string]) => {
      if (fails) throw new Error('the connection broke')
      written.push(JSON.parse(rows) as Row[])
    },
  }
  return openLatest(
    { sql, log: { warn: () => undefined, error: () => undefined }, now: () => new Date(ARRIVED) } as never,
    {
      uplink: { name: 'status' },
      latest: { update: 'update', values: (payload: unknown) => ({ load: payload }) },
    } as never,
  )
}

it('writes the first value of a device within a second, the following at most once in five', async () => {
  const latest = open()
  for (let second = 0; second < 12; second++) {
    latest.set(1, second, second)
    if (second === 3) latest.set(2, second, 9)
    await vi.advanceTimersByTimeAsync(1_000)
  }
  expect(written.map((rows) => rows.map(({ deviceId, at }) => `${deviceId}@${at}`))).toEqual([
    ['1@0'],
    ['2@3'],
    ['1@5'],
    ['1@10'],
  ])
  await latest.close()
  expect(written.at(-1)).toEqual([{ load: 11, deviceId: 1, at: 11, arrivedAt: ARRIVED }])
})

it('tries again within a second what the database could not take, and never replaces it by an older value', async () => {
  const latest = open()
  fails = true
  latest.set(1, 20, 5)
  await vi.advanceTimersByTimeAsync(1_000)
  latest.set(1, 10, 4)
  fails = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect(written).toEqual([[{ load: 5, deviceId: 1, at: 20, arrivedAt: ARRIVED }]])
  await latest.close()
})

it('copies the bytes of a message, and writes the newest', async () => {
  const latest = open()
  const message = (load: unknown) => {
    const bytes = Buffer.from(`..${JSON.stringify(load)}..`)
    return { bytes, from: 2, to: bytes.length - 2 }
  }
  const first = message([7])
  latest.setBytes(1, 10, first)
  first.bytes.fill(0)
  latest.setBytes(2, 10, message('a long one'))
  latest.setBytes(2, 11, message('short'))
  latest.setBytes(2, 9, message('late'))
  latest.setBytes(3, 10, message('x'))
  latest.setBytes(3, 11, message('longer than before'))
  latest.set(3, 12, 'parsed')
  latest.setBytes(4, 10, message('before'))
  latest.set(4, 9, 'late')
  fails = true
  await vi.advanceTimersByTimeAsync(1_000)
  fails = false
  latest.setBytes(4, 11, message('after'))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(written).toEqual([
    [
      { load: [7], deviceId: 1, at: 10, arrivedAt: ARRIVED },
      { load: 'short', deviceId: 2, at: 11, arrivedAt: ARRIVED },
      { load: 'parsed', deviceId: 3, at: 12, arrivedAt: ARRIVED },
      { load: 'after', deviceId: 4, at: 11, arrivedAt: ARRIVED },
    ],
  ])
  await latest.close()
})
