import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { offer } from '#schema/task/task'
import { pauseAfter } from './connection.ts'
import { ENROLMENT_KEY, type FakeCloud, quiet, startFakeCloud, until } from './fake-cloud.ts'
import { startFakeFiles } from './fake-files.ts'
import { type Sim, startDeviceSim } from './start.ts'

const sn = 'RT24000001'
let dataDir: string
let cloud: FakeCloud
let sim: Sim | undefined

const start = () =>
  startDeviceSim({
    count: 1,
    seed: 1,
    mqttUrl: cloud.url,
    enrolmentKey: ENROLMENT_KEY,
    dataDir,
    faults: {},
    speed: 100,
    log: quiet,
  })

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'iot-sim-'))
  cloud = await startFakeCloud()
})
afterEach(async () => {
  await sim?.close()
  sim = undefined
  await cloud.close()
  rmSync(dataDir, { recursive: true })
})

describe('reconnecting', () => {
  it.each([
    [0, 0, false, 500],
    [0, 1, false, 1000],
    [3, 1, false, 8000],
    [20, 1, false, 30_000],
    [20, 0, false, 15_000],
    [1, 1, true, 5000],
    [1, 0, true, 5000],
  ])('after %i failures with chance %f (refused: %s) waits %i ms', (failures, chance, refused, ms) => {
    expect(pauseAfter(failures, chance, refused)).toBe(ms)
  })

  it('happens after the broker was down, and unacknowledged reports are sent again', async () => {
    const files = await startFakeFiles()
    sim = await start()
    await sim.whenOnline(60_000)
    const given = files.offer()
    const { port, secrets } = cloud
    const device = sim.device(sn)
    const flashed = new Promise<void>((done) =>
      device.events.on('step', ({ step }) => {
        if (step === 'downloaded') cloud.close()
        if (step === 'done') done()
      }),
    )
    await cloud.tell(sn, offer, given)
    await flashed
    cloud = await startFakeCloud({ port, secrets })
    await until('the end is told', () => cloud.steps(given.item).includes('done'))
    expect(cloud.of(sn, 'hello')[0]?.payload).toMatchObject({ firmware: '9.9.9' })
    expect(device.installs(given.item)).toBe(1)
    await files.close()
  })

  it('is retried while the credential is refused', async () => {
    sim = await start()
    await sim.whenOnline(60_000)
    cloud.door.closed = true
    sim.device(sn).goOffline(10)
    await until('offline', () => !sim?.device(sn).online)
    await new Promise((done) => setTimeout(done, 1500))
    expect(sim.onlineCount()).toBe(0)
    cloud.door.closed = false
    await sim.whenOnline(60_000)
  })
})
