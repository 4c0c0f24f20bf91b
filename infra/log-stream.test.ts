import { spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { openLogStream } from './log-stream.ts'

const dir = mkdtempSync(join(tmpdir(), 'iot-log-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** A process that logs and then ends by itself. */
const program = (body: string) => {
  const file = join(dir, 'logs.ts')
  const module = new URL('./log.ts', import.meta.url).pathname
  writeFileSync(file, `import { openLog } from '${module}'\nconst log = openLog('test', 'info')\n${body}\n`)
  return file
}

describe('the log of a process', () => {
  it('has every line that was logged right before the end', () => {
    const file = program(`for (let i = 0; i < 2000; i++) log.info({ i }, 'line')\nprocess.exit(0)`)
    const out = join(dir, 'out')
    spawnSync(process.execPath, [file], { stdio: ['ignore', 'ignore', openSync(out, 'w')] })
    const numbers = readFileSync(out, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { i: number }).i)
    expect(new Set(numbers).size).toBe(2000)
    expect(numbers).toHaveLength(2000)
  })

  it.each(['process.exit(0)', 'setTimeout(() => process.exit(0), 200)'])(
    'does not keep it from its end if the disk of the log is full: %s',
    (end) => {
      const file = program(`log.info('line')\n${end}`)
      const full = openSync('/dev/full', 'w')
      const ended = spawnSync(process.execPath, [file], {
        stdio: ['ignore', 'ignore', full],
        timeout: 20_000,
        killSignal: 'SIGKILL',
      })
      expect(ended).toMatchObject({ status: 0, signal: null })
    },
  )

  it('does not keep it from its end if nobody reads it any more', async () => {
    const file = program(`process.once('disconnect', () => { log.info('line'); process.exit(0) })`)
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    child.stderr?.destroy()
    const ended = new Promise((done) => child.once('exit', (code, signal) => done(code ?? signal)))
    const late = setTimeout(() => child.kill('SIGKILL'), 20_000)
    child.disconnect()
    expect(await ended).toBe(0)
    clearTimeout(late)
  })

  it('goes on after a failure also if the clock has been set back meanwhile', async () => {
    const pipe = join(dir, 'pipe')
    spawnSync('mkfifo', [pipe])
    const openReader = () => openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
    const first = openReader()
    const fd = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
    // Without a reader, writing fails.
    closeSync(first)
    const stream = openLogStream(fd, 50)
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000)
    stream.write('lost\n')
    await sleep(200)
    clock.mockRestore()
    const second = openReader()
    const bytes = Buffer.alloc(1000)
    await vi.waitFor(() => {
      stream.write('kept\n')
      expect(bytes.toString('utf8', 0, readSync(second, bytes))).toContain('kept')
    }, 10_000)
    closeSync(second)
    closeSync(fd)
  })
})
