import { beforeAll, expect, it, vi } from 'vitest'
import { PLATFORM_NAME } from '#schema/kit/known-name'
import { startI18n } from './i18n.ts'
import { doerText } from './known-name.ts'

beforeAll(async () => {
  vi.stubGlobal('localStorage', { getItem: () => 'zh-CN' })
  vi.stubGlobal('document', { documentElement: {}, getElementById: () => null })
  await startI18n()
})

it.each([
  ['li.wei', 'li.wei'],
  [PLATFORM_NAME, '平台管理员'],
  [null, '未知用户'],
])('who did something: %s is %s', (name, text) => {
  expect(doerText(name)).toBe(text)
})
