import { expect, it } from 'vitest'
import { peopleRefusals } from '#schema/people/people-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import { reasonText } from './operation-reason.ts'

it.each([
  [0, null],
  [sessionRefusals.wrongCredentials.code, 'Username or password wrong'],
  [peopleRefusals.customerTaken.code, 'Customer … already exists'],
  [sessionRefusals.invalid.code, null],
  [99_999, null],
])('%s is shown as %s', (code, told) => {
  expect(reasonText(code, 'en-US')).toBe(told)
})
