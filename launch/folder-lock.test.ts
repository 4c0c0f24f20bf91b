import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { takeFolder } from './folder-lock.ts'

const dir = mkdtempSync(join(tmpdir(), 'iot-lock-'))
const file = join(dir, 'launch.pid')
const other = spawn('sleep', ['60'])
afterAll(() => {
  other.kill()
  rmSync(dir, { recursive: true, force: true })
})

/** The lock as another start of now would write it. */
function lockOf(pid: number): string {
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return `${pid}\n${boot} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}\n`
}

describe('the lock of a data folder', () => {
  let pid: number
  beforeAll(() => {
    pid = other.pid ?? 0
  })

  it('is refused while the process of another start lives, and that lock stays', () => {
    writeFileSync(file, lockOf(pid))
    expect(() => takeFolder(dir)).toThrow(`is in use by process ${pid}`)
    expect(readFileSync(file, 'utf8')).toBe(lockOf(pid))
  })

  it.each([
    ['a process that ended', () => '4194304\nboot 1\n'],
    ['a process whose number another one has now', () => `${pid}\n${lockOf(process.pid).split('\n')[1]}\n`],
    ['an earlier version, which wrote the number alone', () => String(pid)],
    ['a start that a full disk cut off', () => ''],
  ])('is taken from %s', (_, text) => {
    writeFileSync(file, text())
    const leave = takeFolder(dir)
    expect(readFileSync(file, 'utf8')).toBe(lockOf(process.pid))
    leave()
    expect(readdirSync(dir)).toEqual([])
  })
})
