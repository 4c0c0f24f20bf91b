import { expect, it } from 'vitest'
import type { Sql } from '#infra/postgres'
import { openNewest } from './newest.ts'

it('terminals that are asked for together are all in memory, although that is full', async () => {
  const read: number[][] = []
  const sql = async (_: TemplateStringsArray, ids: number[]) => {
    read.push(ids)
    return ids.map((terminalId) => ({
      terminalId,
      deviceId: 1,
      version: 1,
      since: 0,
      at: [],
      vals: [],
      quality: null,
      texts: null,
      goodAt: null,
      goodVals: null,
      truths: null,
    }))
  }
  const newest = openNewest(() => sql as unknown as Sql, 4)
  await newest.load([1, 2, 3, 4])
  // 1 and 2 were used longest ago; what is not found would be taken for deleted, and its report for one of nobody.
  await newest.load([1, 2, 5, 6])
  expect([1, 2, 5, 6].map((id) => newest.get(id)?.version)).toEqual([1, 1, 1, 1])
  expect(read).toEqual([
    [1, 2, 3, 4],
    [5, 6],
  ])
})
