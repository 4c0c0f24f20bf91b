import { beforeEach, expect, it, vi } from 'vitest'
import { refusals } from '#schema/refusals'
import { reasonText } from './operation-reason.ts'

beforeEach(() => vi.stubGlobal('localStorage', { getItem: () => 'en-US' }))

it.each([
  [0, '0'],
  [refusals.wrongCredentials.code, '101 · Username or password wrong'],
  [refusals.customerTaken.code, '166 · Customer … already exists'],
  [refusals.invalid.code, '3'],
  [99_999, '99999'],
])('%s is told as %s', (code, told) => {
  expect(reasonText(code)).toBe(told)
})
