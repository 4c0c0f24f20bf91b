import { expect, it } from 'vitest'
import { BUCKETS_MAX, historySteps, RANGE_MAX_MS, stepS } from '#schema/monitor/variable-history'
import { bodyBefore, stepFor, withUnseen } from './history-state.ts'

const HOUR = 3_600_000

it.each([
  [2 * HOUR, 'raw'],
  [2 * HOUR + 1, 'minute'],
  [48 * HOUR, 'minute'],
  [14 * 24 * HOUR, 'quarter'],
  [93 * 24 * HOUR, 'hour'],
  [366 * 24 * HOUR, 'day'],
  [Number.NaN, 'day'],
])('a range of %d ms is drawn by %s', (ms, step) => {
  expect(stepFor(ms)).toBe(step)
})

it('no range has more buckets than the server gives at once', () => {
  for (let ms = HOUR; ms <= RANGE_MAX_MS; ms += HOUR) {
    const step = stepFor(ms)
    if (step !== 'raw') expect(ms / 1000 / stepS[step]).toBeLessThan(BUCKETS_MAX)
  }
  expect(historySteps).toContain(stepFor(RANGE_MAX_MS))
})

it('the period before ends where this one begins, and has its length', () => {
  const body = {
    terminalIds: [1],
    variableIds: [2],
    from: '2026-11-22T00:00:00.000Z',
    to: '2026-11-23T00:00:00.000Z',
    step: 'minute' as const,
  }
  expect(bodyBefore(body)).toEqual({ ...body, from: '2026-11-21T00:00:00.000Z', to: body.from })
  expect(bodyBefore({ ...body, step: 'raw' as const })).toBeNull()
  expect(bodyBefore(null)).toBeNull()
})

it('a chosen variable that its reader may not see is no bare key', () => {
  const seen = [{ value: '1.2', label: 'Power' }]
  expect(withUnseen(seen, ['1.2', '13.276'], 'Not visible')).toEqual([
    ...seen,
    { value: '13.276', label: 'Not visible' },
  ])
})
