import { expect, it } from 'vitest'
import { noRollout, rolloutBody, sharesOf, wavesFrom } from './rollout-choice.ts'

it.each([
  ['5, 20', [5, 20]],
  ['5，20、75', [5, 20, 75]],
  ['', []],
  ['0, 5', []],
  ['60, 50', []],
  ['5.5', []],
  ['five', []],
])('reads the shares %s as %j', (text, values) => {
  expect(wavesFrom(text).map(({ value }) => value)).toEqual(values)
})

it('writes them back as they are read', () => {
  expect(sharesOf(wavesFrom('5,20'))).toBe('5, 20')
})

it('says nothing about what is not chosen', () => {
  expect(rolloutBody(noRollout)).toEqual({})
  expect(rolloutBody({ ...noRollout, waves: wavesFrom('10'), approval: true })).toEqual({
    waves: [{ by: 'percent', value: 10 }],
    waveSuccessPercent: 90,
    approval: true,
  })
})
