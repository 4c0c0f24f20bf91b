import { expect, it } from 'vitest'
import { batched } from './batched.ts'

type Row = { key: string; value: number }
const values: Record<string, number> = { a: 1, b: 2 }
const rowsOf = (keys: string[]): Row[] =>
  keys.flatMap((key) => (values[key] === undefined ? [] : [{ key, value: values[key] }]))

it('simultaneous callers share a query, and each gets the row of its key', async () => {
  const asked: string[][] = []
  const find = batched<Row>(
    async (keys) => {
      asked.push(keys)
      return rowsOf(keys)
    },
    ({ key }) => key,
  )
  expect(await Promise.all([find('a'), find('b'), find('a'), find('none')])).toEqual([
    { key: 'a', value: 1 },
    { key: 'b', value: 2 },
    { key: 'a', value: 1 },
    null,
  ])
  expect(asked).toEqual([['a', 'b', 'none']])
})

it('a failed query fails its callers, and no later ones', async () => {
  let fails = true
  const find = batched<Row>(
    async (keys) => {
      if (fails) throw new Error('connection lost')
      return rowsOf(keys)
    },
    ({ key }) => key,
  )
  const both = await Promise.allSettled([find('a'), find('b')])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  fails = false
  expect(await find('a')).toEqual({ key: 'a', value: 1 })
})

it('a query has 500 keys at most', async () => {
  const asked: number[] = []
  const find = batched<Row>(
    async (keys) => {
      asked.push(keys.length)
      return []
    },
    ({ key }) => key,
  )
  await Promise.all(Array.from({ length: 1200 }, (_, n) => find(String(n))))
  expect(asked).toEqual([500, 500, 200])
})
