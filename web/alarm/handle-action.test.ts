import { beforeAll, expect, it, vi } from 'vitest'
import { instant } from '#schema/kit/time'
import { loadWords, startI18n } from '../kit/i18n.ts'
import { acknowledgerText, handlerText } from './alarm-chips.tsx'
import { handleRow } from './handle-action.tsx'

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'zh-CN' })
  vi.stubGlobal('document', { documentElement: {}, getElementById: () => null })
  await startI18n()
  await loadWords(['alarm'])
})

it('an alarm that a deleted user handled says so, and one that nobody handled does not', () => {
  const at = instant.parse('2026-11-21T12:00:00.000Z')
  expect(handlerText({ handledAt: at, handledBy: null })).toBe('未知用户')
  expect(handlerText({ handledAt: null, handledBy: null })).toBe('')
  expect(acknowledgerText({ ackAt: at, ackBy: null })).toBe('未知用户')
  const row = { handledAt: at, handledBy: null } as Parameters<typeof handleRow>[0]
  expect(handleRow(row).reason).toBe('已由 未知用户 处理')
})
