import { beforeAll, expect, it, vi } from 'vitest'
import { loadWords, startI18n } from '../kit/i18n.ts'
import { objectText } from './operation-object.tsx'

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'en-US' })
  vi.stubGlobal('document', { documentElement: {}, getElementById: () => null })
  await startI18n()
  await loadWords(['operation'])
})

it.each([
  ['Device · Pump 7 (#12)', 'Pump 7', 'device', ['12']],
  ['Device · Pump 7 (#12)', 'Pump 7 (#12)', 'device', ['12']],
  ['Device · #12', '#12', 'device', ['12']],
  ['Device · #12', null, 'device', ['12']],
  ['Device · Pump (#12) (#1)', 'Pump (#12)', 'device', ['1']],
  ['Device · Pump 7, Pump 8', 'Pump 7, Pump 8', 'device', ['12', '13']],
  ['Task · July', 'July', 'task', []],
  ['later · X (#1)', 'X', 'later', ['1']],
  ['admin', 'admin', null, []],
  [null, null, null, []],
])('an operation is shown to be about %s', (text, object, objectKind, objectIds) => {
  expect(objectText({ object, objectKind, objectIds })).toBe(text)
})
