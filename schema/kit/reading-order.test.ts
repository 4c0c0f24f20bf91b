import { expect, it } from 'vitest'
import { inReadingOrder } from './reading-order.ts'

it('characters that change the text direction are removed, and right-to-left letters stay', () => {
  expect(inReadingOrder('\u202Egnp.exe\u202C \u2066x\u2069 مرحبا')).toBe('gnp.exe x مرحبا')
  const envelope = JSON.parse(inReadingOrder(JSON.stringify({ name: 'a\u202Eb"\u2069,' })))
  expect(envelope).toEqual({ name: 'ab",' })
})
