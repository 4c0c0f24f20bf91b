import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { testContext } from '#test/harness'
import { openCommitter } from './committer.ts'

const { log } = await testContext()

it('an insert whose connection died silently is retried on another, and its rows are acknowledged once', async () => {
  const tries: number[][] = []
  let troubles = 0
  const answers: boolean[] = []
  const committer = openCommitter<number>({
    name: 'test',
    insert: (rows) => {
      tries.push(rows)
      return tries.length === 1 ? new Promise(() => undefined) : Promise.resolve()
    },
    log,
    committed: () => undefined,
    held: { rows: 0, bytes: 0 },
    reconnect: () => troubles++,
    silentMs: 60,
  })
  for (const row of [1, 2]) committer.add(row, 1, { kept: (stored) => void answers.push(stored) })
  await committer.drain(5_000)
  expect(tries).toEqual([
    [1, 2],
    [1, 2],
  ])
  expect([troubles, answers]).toEqual([1, [true, true]])
})

it('gathers what arrives within its time into one group, and acknowledges it then', async () => {
  const groups: number[][] = []
  const answers: number[] = []
  const committer = openCommitter<number>({
    name: 'test',
    insert: async (rows) => groups.push(rows),
    log,
    committed: () => undefined,
    held: { rows: 0, bytes: 0 },
    gatherMs: 50,
    reconnect: () => undefined,
    silentMs: 1_000,
  })
  const add = (row: number) => committer.add(row, 1, { kept: () => void answers.push(row) })
  add(1)
  await sleep(5)
  add(2)
  expect([groups, answers]).toEqual([[], []])
  await committer.drain(5_000)
  add(3)
  await committer.drain(5_000)
  expect([groups, answers]).toEqual([
    [[1, 2], [3]],
    [1, 2, 3],
  ])
})
