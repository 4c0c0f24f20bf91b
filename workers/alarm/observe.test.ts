import { expect, it } from 'vitest'
import { alarmKindNames } from '#schema/alarm/alarm-kind'
import { checkObservers } from './observe.ts'

it('starts with an observer for every declared kind', () => {
  expect(() => checkObservers()).not.toThrow()
})

it('refuses a kind without an observer, and names it: its rules would never fire', () => {
  expect(() => checkObservers([...alarmKindNames, 'clockWrong'])).toThrow('clockWrong has no handler')
})
