import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { command } from '#schema/command/command'
import { offer } from '#schema/task/task'
import { ENROLMENT_KEY, type FakeCloud, order, startFakeCloud, until } from './fake-cloud.ts'
import { startFakeFiles } from './fake-files.ts'

const sn = 'RT24000001'
const main = fileURLToPath(new URL('./main.ts', import.meta.url))

let cloud: FakeCloud
let files: Awaited<ReturnType<typeof startFakeFiles>>
let dataDir: string
let child: ChildProcess

async function start(more: Record<string, string> = {}): Promise<void> {
  const hellos = cloud.of(sn, 'hello').length
  child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      MQTT_URL: cloud.url,
      SIM_DEVICES: '1',
      SIM_ENROLMENT_KEY: ENROLMENT_KEY,
      SIM_SPEED: '20',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ...more,
    },
    stdio: 'inherit',
  })
  await until('hello', () => cloud.of(sn, 'hello').length > hellos)
}

async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const gone = new Promise<number | null>((done) => child.once('exit', done))
  child.kill(signal)
  return gone
}

/** The device's own count, read from its flash memory. */
function installs(item: string): number {
  const db = new DatabaseSync(join(dataDir, 'sim', 'state.sqlite'))
  const row = db.prepare('select installs from items where id = ?').get(item)
  db.close()
  return Number(row?.['installs'] ?? 0)
}

beforeEach(async () => {
  cloud = await startFakeCloud()
  files = await startFakeFiles()
  dataDir = mkdtempSync(join(tmpdir(), 'iot-sim-'))
})
afterEach(async () => {
  await end('SIGKILL')
  await cloud.close()
  await files.close()
  rmSync(dataDir, { recursive: true })
  expect(cloud.invalid).toEqual([])
})

describe('kill -9 of the simulator', () => {
  it.each(['accepted', 'connected', 'downloading', 'downloaded', 'upgrading', 'done'])(
    'at the step %s: the item goes on to its end after a restart and is installed once',
    async (step) => {
      await start()
      const given = files.offer()
      await cloud.tell(sn, offer, given)
      await until(step, () => cloud.steps(given.item).includes(step))
      await end('SIGKILL')
      const before = cloud.of(sn, 'hello').length
      await start({ SIM_SPEED: '100' })
      await until('the new version', () =>
        cloud
          .of(sn, 'hello')
          .slice(before)
          .some(({ payload }) => payload['firmware'] === '9.9.9'),
      )
      await until('done', () => cloud.steps(given.item).at(-1) === 'done')
      await cloud.tell(sn, offer, given)
      await end('SIGTERM')
      expect(installs(given.item)).toBe(1)
    },
  )

  it('in the middle of a reboot command: it is not run again', async () => {
    await start()
    const given = order(randomUUID(), 'reboot', { delayS: 100 })
    await cloud.tell(sn, command, given)
    await until('accepted', () => cloud.of(sn, 'reply').length === 1)
    await end('SIGKILL')
    await start()
    await until('done', () => cloud.of(sn, 'reply').at(-1)?.payload['state'] === 'done')
    await cloud.tell(sn, command, given)
    await until('the same answer', () => cloud.of(sn, 'reply').length >= 3)
    expect(cloud.of(sn, 'reply').at(-1)?.payload).toMatchObject({ id: given.id, state: 'done' })
    expect(cloud.of(sn, 'hello')).toHaveLength(2)
  })
})

describe('the process', () => {
  it('ends cleanly on SIGTERM', async () => {
    await start()
    expect(await end('SIGTERM')).toBe(0)
  })
})
