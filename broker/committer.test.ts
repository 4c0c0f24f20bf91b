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
  for (const row of [1, 2]) committer.add(row, 1, (stored) => answers.push(stored))
  await committer.drain(5_000)
  expect(tries).toEqual([
    [1, 2],
    [1, 2],
  ])
  expect([troubles, answers]).toEqual([1, [true, true]])
})
