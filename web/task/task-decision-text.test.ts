import { beforeAll, expect, it, vi } from 'vitest'
import { loadWords, startI18n } from '../kit/i18n.ts'
import { decisionText } from './task-decision-text.ts'

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'en-US' })
  vi.stubGlobal('document', { documentElement: {}, getElementById: () => null })
  await startI18n()
  await loadWords(['rollout'])
})

it.each([
  ['created', { devices: 1 }, 'Created for 1 device'],
  ['created', { devices: 10_000 }, 'Created for 10,000 devices'],
  ['retried', { devices: 1 }, '1 failed device retried'],
  ['cancelled', { devices: 1 }, '1 device cancelled'],
  ['joined', { devices: 1 }, '1 more device matches and was included'],
  ['resumed', { waiting: 1 }, 'Resumed, 1 device waits'],
  ['resumed', { waiting: 0 }, 'Resumed, 0 devices wait'],
  ['rolledBack', { devices: 1, version: '1.4.0' }, '1 device goes back to 1.4.0'],
  ['paused', { reason: 'failures', failed: 1, tried: 1 }, 'Paused: the only device tried had failed'],
  ['paused', { reason: 'failures', failed: 2, tried: 9 }, 'Paused: 2 of 9 devices tried had failed'],
] as const)('%s %j is said in the singular or the plural', (what, facts, text) => {
  expect(decisionText({ what, facts })).toBe(text)
})
