import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it, vi } from 'vitest'
import { ChildFailed, startChild } from './child.ts'

const dir = mkdtempSync(join(tmpdir(), 'iot-child-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const root = fileURLToPath(new URL('..', import.meta.url))

function room(code: string) {
  const file = join(dir, `${crypto.randomUUID()}.mjs`)
  writeFileSync(file, code)
  return startChild({ name: 'room', script: relative(root, file), env: process.env, logDir: dir })
}
const isAlive = (pid: number | undefined) => {
  try {
    return process.kill(pid ?? 0, 0)
  } catch {
    return false
  }
}

it('a room is ready when it says so', async () => {
  const child = room(`process.send({ ready: true }); setInterval(() => {}, 1000)`)
  await child.ready
  await child.stop()
  expect(isAlive(child.pid)).toBe(false)
})

it('a room that exits before has failed', async () => {
  await expect(room('process.exit(3)').ready).rejects.toBeInstanceOf(ChildFailed)
})

it('a room that is not ready yet can be stopped, and leaves no process behind', async () => {
  const child = room('setInterval(() => {}, 1000)')
  let settled = false
  void child.ready.finally(() => {
    settled = true
  })
  expect(isAlive(child.pid)).toBe(true)
  await child.stop()
  expect(isAlive(child.pid)).toBe(false)
  expect(settled).toBe(false)
})

it('a room is started again, although at first the system makes no process for it', async () => {
  const child = room(`process.send({ ready: true }); setInterval(() => {}, 1000)`)
  await child.ready
  const { execPath } = process
  try {
    process.execPath = join(dir, 'no-such-program')
    const first = child.pid
    process.kill(first ?? 0, 'SIGKILL')
    await expect.poll(() => isAlive(child.pid)).toBe(false)
    await expect.poll(() => child.pid).toBeUndefined()
  } finally {
    process.execPath = execPath
  }
  await expect.poll(() => child.pid !== undefined && isAlive(child.pid)).toBe(true)
  await child.stop()
})

it('an error that quotes a device does not control the terminal, and takes one line', async () => {
  const shown = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
  const entry = {
    level: 50,
    room: 'broker',
    msg: 'bad',
    err: { message: 'said \u001b]0;owned\u0007\u202e\nnext' },
  }
  const child = room(
    `process.stderr.write(${JSON.stringify(`${JSON.stringify(entry)}\n\u001b[2Jraw\ttext 名\n`)})
     process.send({ ready: true }); setInterval(() => {}, 1000)`,
  )
  try {
    await child.ready
    await expect.poll(() => shown.mock.calls.length).toBe(2)
    expect(shown.mock.calls.map(([text]) => text)).toEqual([
      'broker: bad said \uFFFD]0;owned\uFFFD\uFFFD next\n',
      '\uFFFD[2Jraw\ttext 名\n',
    ])
  } finally {
    shown.mockRestore()
    await child.stop()
  }
})
