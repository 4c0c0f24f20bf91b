import { afterEach, expect, it, vi } from 'vitest'
import { readCookie } from './session.ts'

afterEach(() => vi.unstubAllGlobals())

it('a cookie of the same name that another application of the host has set is none of ours', () => {
  vi.stubGlobal('document', { cookie: 'theme=100%; language=zh%2DTW' })
  expect(readCookie('theme')).toBeNull()
  expect(readCookie('language')).toBe('zh-TW')
})
