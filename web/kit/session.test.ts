import { afterEach, expect, it, vi } from 'vitest'
import { loadWords, startI18n, t } from './i18n.ts'
import { chooseLanguage, language, readCookie } from './session.ts'

afterEach(() => vi.unstubAllGlobals())

it('a cookie of the same name that another application of the host has set is none of ours', () => {
  vi.stubGlobal('document', { cookie: 'theme=100%; language=zh%2DTW' })
  expect(readCookie('theme')).toBeNull()
  expect(readCookie('language')).toBe('zh-TW')
})

it('a page has its language until it is reloaded, though another tab has chosen another one', async () => {
  let stored = 'en-US'
  vi.stubGlobal('localStorage', {
    getItem: () => stored,
    setItem: (_: string, value: string) => (stored = value),
  })
  const page = { documentElement: {}, getElementById: () => null, cookie: '' }
  vi.stubGlobal('document', page)
  vi.stubGlobal('location', { protocol: 'http:', reload: () => undefined })
  await startI18n()
  stored = 'zh-TW'
  await loadWords(['alarm'])
  expect(t('alarm:field.device')).toBe('Device')
  expect(language()).toBe('en-US')
  // What is chosen here is what the next page is sent in.
  chooseLanguage('zh-CN')
  expect(page.cookie).toMatch(/=zh-CN;/)
  expect(language()).toBe('en-US')
})
