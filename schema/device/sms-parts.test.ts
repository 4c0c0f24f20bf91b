import { expect, it } from 'vitest'
import { smsParts } from './sms-parts.ts'

it.each([
  ['160 plain characters', 'a'.repeat(160), 1],
  ['161 plain characters', 'a'.repeat(161), 2],
  ['306 plain characters', 'a'.repeat(306), 2],
  ['307 plain characters', 'a'.repeat(307), 3],
  ['80 euro signs, which take two places each', '€'.repeat(80), 1],
  ['81 euro signs', '€'.repeat(81), 2],
  ['70 Chinese characters', '店'.repeat(70), 1],
  ['71 Chinese characters', '店'.repeat(71), 2],
  ['135 Chinese characters', '店'.repeat(135), 3],
])('%s are sent as %s', (_, text, parts) => {
  expect(smsParts(text)).toBe(parts)
})
