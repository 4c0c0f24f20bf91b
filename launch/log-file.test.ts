import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openLogFile } from './log-file.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'iot-log-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))
const read = (name: string) => readFileSync(join(dir, name), 'utf8')

it('continues where it stopped, and keeps one older generation', async () => {
  writeFileSync(join(dir, 'api.log'), 'before\n')
  const log = openLogFile(dir, 'api')
  log.write('after')
  await expect.poll(() => read('api.log')).toBe('before\nafter\n')
  truncateSync(join(dir, 'api.log'), 21 * 1024 * 1024)
  const next = openLogFile(dir, 'api')
  next.write('new')
  await expect.poll(() => read('api.log')).toBe('new\n')
  expect(read('api.log.1').startsWith('before\nafter\n')).toBe(true)
  for (const file of [log, next]) file.close()
})

it('a full disk loses lines and nothing else; with free space it continues by itself', async () => {
  symlinkSync('/dev/full', join(dir, 'api.log'))
  const log = openLogFile(dir, 'api', 50)
  for (let i = 0; i < 20; i++) {
    log.write('lost')
    await sleep(10)
  }
  rmSync(join(dir, 'api.log'))
  await expect
    .poll(() => {
      log.write('kept')
      return read('api.log')
    })
    .toContain('kept')
  log.close()
})

it('a folder that cannot be created does not end the process either', () => {
  writeFileSync(join(dir, 'logs'), 'a file')
  const log = openLogFile(join(dir, 'logs'), 'api', 0)
  log.write('lost')
  rmSync(join(dir, 'logs'))
  mkdirSync(join(dir, 'logs'))
  log.write('kept')
  log.close()
})

it('goes on soon after a failure, also if the clock was set back meanwhile', async () => {
  writeFileSync(join(dir, 'logs'), 'a file')
  const log = openLogFile(join(dir, 'logs'), 'api', 20)
  log.write('lost')
  rmSync(join(dir, 'logs'))
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() - 3_600_000)
  try {
    await sleep(50)
    log.write('kept')
    await expect.poll(() => readFileSync(join(dir, 'logs', 'api.log'), 'utf8')).toBe('kept\n')
  } finally {
    clock.mockRestore()
    log.close()
  }
})
