import { expect, it, vi } from 'vitest'
import { sentences } from './sentences.ts'

it.each([
  ['zh-CN', '已取消 3 台。', '1 台无法取消。', '已取消 3 台。1 台无法取消。'],
  ['en-US', '3 cancelled.', '1 cannot be.', '3 cancelled. 1 cannot be.'],
])('in %s sentences follow each other as they are written there', (language, one, other, both) => {
  vi.stubGlobal('localStorage', { getItem: () => language })
  expect(sentences([one, null, '', other])).toBe(both)
})
