import { expect, it } from 'vitest'
import { canAcknowledge } from './alarm-acknowledge.ts'
import { mergeFrozen } from './frozen-rows.ts'

const row = (id: number, value = 'a') => ({ id, value, lastAt: `2026-11-21T00:00:0${id}Z` })

it('rows keep their places and take new values; arrivals wait', () => {
  const { rows, waiting } = mergeFrozen([row(3), row(2)], [row(9), row(8), row(3), row(2, 'b')], 50, 1)
  expect(rows).toEqual([row(3), row(2, 'b')])
  expect(waiting).toBe(2)
})

it('a row that no longer matches stays in place, marked as gone', () => {
  expect(mergeFrozen([row(2), row(1)], [row(1)], 50, 1).rows).toEqual([{ ...row(2), gone: true }, row(1)])
})

it('a row that newer rows pushed off a full page is not gone', () => {
  expect(mergeFrozen([row(2), row(1)], [row(3), row(2)], 2, 1).rows).toEqual([
    row(2),
    { ...row(1), gone: false },
  ])
})

it('a row that is no longer on a later page may be active on the first one: it can be acknowledged', () => {
  const alarm = { ...row(2), ackAt: null, endedAt: null }
  const open = (page: number) => mergeFrozen([alarm], [], 50, page).rows.map(canAcknowledge)
  expect([open(1), open(2)]).toEqual([[false], [true]])
})
