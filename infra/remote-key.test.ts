import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { utils } from 'ssh2'
import { expect, it } from 'vitest'
import { hostKeyFile, hostKeyLine, readTunnelPassword, tunnelPassword } from './remote-key.ts'

const KEYGEN = '/usr/bin/ssh-keygen'
const SECRET = 'a'.repeat(43)

it('makes the same host key in every process, and another one for another secret', () => {
  expect(hostKeyLine(SECRET)).toBe(hostKeyLine(SECRET))
  expect(hostKeyLine(SECRET)).not.toBe(hostKeyLine('b'.repeat(43)))
})

it('writes the key so that ssh2 reads it, with the public key that devices get', () => {
  const parsed = utils.parseKey(hostKeyFile(SECRET))
  if (parsed instanceof Error) throw parsed
  expect(`${parsed.type} ${parsed.getPublicSSH().toString('base64')}`).toBe(hostKeyLine(SECRET))
  const text = Buffer.from('signed')
  expect(parsed.verify(text, parsed.sign(text) as Buffer)).toBe(true)
})

it.skipIf(!existsSync(KEYGEN))('writes it so that OpenSSH reads it, too', () => {
  const dir = mkdtempSync(join(tmpdir(), 'iot-key-'))
  const file = join(dir, 'key')
  writeFileSync(file, hostKeyFile(SECRET), { mode: 0o600 })
  const read = execFileSync(KEYGEN, ['-y', '-f', file], { encoding: 'utf8' }).trim()
  rmSync(dir, { recursive: true })
  expect(read).toBe(hostKeyLine(SECRET))
})

it('accepts a password of a tunnel only for its device, unchanged, and in time', () => {
  const [sessionId, commandId] = ['1', '2'].map((end) => `e7f5c1a0-0000-4000-8000-00000000000${end}`) as [
    string,
    string,
  ]
  const credential = { sessionId, commandId, sn: 'SN-1', expiresAt: 60_000 }
  const password = tunnelPassword(SECRET, credential)
  const read = (sn: string, given: string, now = 59_000) => readTunnelPassword(SECRET, sn, given, now)
  expect(read('SN-1', password)).toEqual({ sessionId, commandId })
  // Of the command before, for the same session.
  expect(read('SN-1', password.replace(commandId, sessionId))).toBeNull()
  expect(read('SN-2', password)).toBeNull()
  expect(read('SN-1', password, 60_001)).toBeNull()
  expect(read('SN-1', password.replace('.60000.', '.99999.'))).toBeNull()
  expect(read('SN-1', `f${password.slice(1)}`)).toBeNull()
  for (const bad of ['', '.', '..', 'a.b.c', `${credential.sessionId}.60000.`])
    expect(read('SN-1', bad)).toBeNull()
})
