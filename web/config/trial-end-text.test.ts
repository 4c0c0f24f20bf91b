import { readFileSync } from 'node:fs'
import { beforeAll, expect, it, vi } from 'vitest'
import { loadWords, startI18n } from '../kit/i18n.ts'
import { trialEndText } from './trial-end-text.ts'

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'zh-CN' })
  vi.stubGlobal('document', { documentElement: {}, getElementById: () => null })
  await startI18n()
  await loadWords(['config', 'task'])
})

const simulator = readFileSync(new URL('../../device-sim/config/trial.ts', import.meta.url), 'utf8')

it.each([
  ['not confirmed within 90 s', 'not confirmed within ', '90 秒内未得到平台确认'],
  ['restarted before it was confirmed', 'restarted before it was confirmed', '在确认之前重启了'],
  ['the platform took it back', 'the platform took it back', '平台撤回了变更'],
])('%s, as devices say it, is said in the language of the user', (detail, sentence, text) => {
  expect(simulator).toContain(sentence)
  expect(trialEndText(detail)).toBe(text)
})

it('what a device says in words of its own is quoted', () => {
  expect(trialEndText('the modem sulked')).toBe('“the modem sulked”')
})
