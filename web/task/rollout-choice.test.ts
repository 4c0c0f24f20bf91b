import { expect, it } from 'vitest'
import { noRollout, rolloutBody } from './rollout-choice.ts'

it('says nothing about what is not chosen', () => {
  expect(rolloutBody(noRollout)).toEqual({})
  expect(rolloutBody({ ...noRollout, waves: [{ by: 'percent', value: 10 }], approval: true })).toEqual({
    waves: [{ by: 'percent', value: 10 }],
    waveSuccessPercent: 90,
    approval: true,
  })
})

it('a window on all days names none', () => {
  const window = { from: '01:00', to: '05:00', zone: 'UTC' }
  const of = (weekdays: number[]) => rolloutBody({ ...noRollout, window: { ...window, weekdays } }).window
  expect(of([1, 2, 3, 4, 5, 6, 7])).toEqual(window)
  expect(of([6, 7])).toEqual({ ...window, weekdays: [6, 7] })
})
