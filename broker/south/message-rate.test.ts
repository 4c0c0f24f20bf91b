import { expect, it } from 'vitest'
import { limits } from '../limits.ts'
import { openRate } from './message-rate.ts'

it('beyond the burst QoS 0 is dropped, QoS 1 waits, and time gives room again', () => {
  const rate = openRate(0)
  for (let n = 0; n < limits.sourceBurst; n++) expect(rate.delay(0, 0)).toBe(0)
  expect(rate.delay(0, 0)).toBe(Number.POSITIVE_INFINITY)
  expect(rate.delay(1, 0)).toBe(1000 / limits.sourceMessagesPerSecond)
  expect(rate.delay(1, 0)).toBe(2000 / limits.sourceMessagesPerSecond)
  expect(rate.delay(0, 1_000)).toBe(0)
})
