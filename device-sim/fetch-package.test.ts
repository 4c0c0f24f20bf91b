import { expect, it } from 'vitest'
import { differing } from './fetch-package.ts'

const offered = { sha256: 'a'.repeat(64), md5: 'b'.repeat(32) }

it('a failed check says which checksum differs', () => {
  expect(differing(offered, offered)).toBeNull()
  expect(differing({ ...offered, sha256: 'c'.repeat(64) }, offered)).toBe(
    'SHA-256 cccccccccccc…, offered aaaaaaaaaaaa…',
  )
  expect(differing({ ...offered, md5: 'd'.repeat(32) }, offered)).toBe(
    'MD5 dddddddddddd…, offered bbbbbbbbbbbb…',
  )
})
