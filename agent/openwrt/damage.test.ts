/** What the agent says of a download that is not what was offered. */
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { agentParts, runShell } from '#test/openwrt/agent-shell'

const root = mkdtempSync(join(tmpdir(), 'iot-damage-'))
afterAll(() => rmSync(root, { recursive: true }))

const part = join(root, 'part')
const content = 'firmware'
writeFileSync(part, content)
const hash = (name: string) => createHash(name).update(content).digest('hex')

function damage(offer: { SIZE?: string; SUM?: string; MD5?: string } = {}): string {
  const right = { SIZE: String(content.length), SUM: hash('sha256'), MD5: hash('md5') }
  return runShell(root, `${agentParts('upgrade')}\nPART=${part}; damage`, { ...right, ...offer })
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
