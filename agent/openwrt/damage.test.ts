/** What the agent says of a download that is not what was offered. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'

const lib = fileURLToPath(new URL('files/usr/lib/iotagent', import.meta.url))
const root = mkdtempSync(join(tmpdir(), 'iot-damage-'))
afterAll(() => rmSync(root, { recursive: true }))

const part = join(root, 'part')
const content = 'firmware'
writeFileSync(part, content)
const hash = (name: string) => createHash(name).update(content).digest('hex')

function damage(offer: { SIZE?: string; SUM?: string; MD5?: string } = {}): string {
  const lines = `. ${lib}/base.sh; . ${lib}/upgrade.sh; PART=${part}; damage`
  const env = { SIZE: String(content.length), SUM: hash('sha256'), MD5: hash('md5'), ...offer }
  return execFileSync('sh', ['-c', lines], {
    env: { PATH: process.env['PATH'], IOTAGENT_ROOT: root, ...env },
    encoding: 'utf8',
  })
}

it('is nothing where size and both checksums are as offered, or where no MD5 was', () => {
  expect(damage()).toBe('')
  expect(damage({ MD5: '' })).toBe('')
})

it('names what differs, with what was found and what should be there', () => {
  const zeros = '0'.repeat(64)
  expect(damage({ SIZE: '9' })).toBe('size differs: 8 of 9 bytes\n')
  expect(damage({ SUM: zeros })).toBe(`SHA-256 differs: ${hash('sha256')} instead of ${zeros}\n`)
  expect(damage({ MD5: zeros.slice(32) })).toBe(`MD5 differs: ${hash('md5')} instead of ${zeros.slice(32)}\n`)
})
