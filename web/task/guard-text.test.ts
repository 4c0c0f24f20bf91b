import { beforeAll, expect, it, vi } from 'vitest'
import { loadWords, startI18n } from '../kit/i18n.ts'
import { guardText } from './guard-text.ts'
import { emptyDraft } from './upgrade-draft.ts'

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'en-US' })
  vi.stubGlobal('document', { documentElement: {}, getElementById: () => null })
  await startI18n()
  await loadWords(['upgrade'])
})

const textFor = (total: number, part: Partial<typeof emptyDraft> = {}) =>
  guardText({ ...emptyDraft, ...part }, total)

it('a small task with the proposed limit is said to pause at its first failure', () => {
  expect(textFor(4)).toMatch(/^With 4 devices, it pauses at the first failure\. /)
  expect(textFor(1)).toMatch(/^It pauses if the device fails\. /)
  expect(textFor(10)).toContain('at the first failure')
  expect(textFor(11)).toMatch(/^Of 11 devices, it pauses after 2 failures at the latest\. /)
  expect(textFor(4)).not.toContain('first wave')
})

it('so is the first wave of a large one', () => {
  const waves = [
    { by: 'percent', value: 10 },
    { by: 'percent', value: 100 },
  ] as const
  expect(textFor(100, { waves: [...waves] })).toContain(
    'after 10 failures at the latest. In the first wave of 10, it pauses at the first failure.',
  )
})

it('says nothing of devices that are not counted yet, and that nothing pauses it without a limit', () => {
  expect(textFor(0)).toBe('')
  expect(textFor(0, { maxFailurePercent: null })).toContain('It will not pause')
  expect(textFor(3, { maxFailurePercent: null, maxFailures: 5 })).toContain('cannot be reached')
  expect(textFor(1, { maxFailurePercent: null, maxFailures: 5 })).toContain('With only one device')
})
