import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { command, inquire } from '#schema/command/command'
import { cancel, offer, query } from '#schema/task/task'
import { ENROLMENT_KEY, type FakeCloud, order, quiet, startFakeCloud, until } from './fake-cloud.ts'
import { startFakeFiles } from './fake-files.ts'
import { type Sim, type SimOptions, startDeviceSim } from './start.ts'

let cloud: FakeCloud
let files: Awaited<ReturnType<typeof startFakeFiles>>
let dataDir: string
let sim: Sim

const start = (more: Partial<SimOptions> = {}) =>
  startDeviceSim({
    count: 1,
    seed: 1,
    mqttUrl: cloud.url,
    enrolmentKey: ENROLMENT_KEY,
    dataDir,
    faults: {},
    speed: 100,
    log: quiet,
    models: ['R200'],
    ...more,
  })

beforeEach(async () => {
  cloud = await startFakeCloud({ statusEveryS: 5 })
  files = await startFakeFiles()
  dataDir = mkdtempSync(join(tmpdir(), 'iot-sim-'))
})
afterEach(async () => {
  await sim.close()
  await cloud.close()
  await files.close()
  rmSync(dataDir, { recursive: true })
  expect(cloud.invalid).toEqual([])
})

const sn = 'RT24000001'
const boots = () => [...new Set(cloud.of(sn, 'hello').map(({ payload }) => payload['bootId']))]

describe('a simulated device', () => {
  it('enrols with the key, keeps its secret, and uses that from then on', async () => {
    sim = await start()
    await sim.whenOnline(60_000)
    expect(cloud.of(sn, 'enrol')).toHaveLength(1)
    expect(cloud.of(sn, 'enrol')[0]?.payload).toMatchObject({ model: 'R200' })
    await sim.close()
    sim = await start({ enrolmentKey: undefined })
    await sim.whenOnline(60_000)
    expect(cloud.of(sn, 'enrol')).toHaveLength(1)
  })

  it('does not start without a secret and without an enrolment key, and names the missing setting', async () => {
    sim = await start()
    await sim.whenOnline(60_000)
    await sim.close()
    await expect(start({ enrolmentKey: undefined, count: 2 })).rejects.toThrow(
      '1 simulated devices have no secret yet: set SIM_ENROLMENT_KEY',
    )
  })

  it('refuses state that another simulator has locked', async () => {
    sim = await start()
    await expect(start()).rejects.toThrow('stop the other simulator or set another DATA_DIR')
  })

  it('sends hello, receives the welcome and reports status at its interval, with jitter', async () => {
    sim = await start({ statusEveryS: 0.2 })
    await until('five statuses', () => cloud.of(sn, 'status').length >= 5)
    expect(cloud.of(sn, 'hello')[0]?.payload).toMatchObject({
      v: 1,
      model: 'R200',
      hardwareType: 'router',
      features: expect.arrayContaining(['reboot', 'factoryReset']),
    })
    const received = cloud.of(sn, 'status').map(({ payload }) => Number(payload['rxBytes']))
    expect(received).toEqual([...received].sort((a, b) => a - b))
    expect(received.at(-1)).toBeGreaterThan(received[0] ?? 0)
    await until('log lines of the boot', () => cloud.of(sn, 'log').length > 0)
  })

  it('reconnects by itself after its network was lost, in the same boot', async () => {
    sim = await start()
    await sim.whenOnline(60_000)
    sim.device(sn).goOffline(300)
    await until('offline', () => !sim.device(sn).online)
    await until('a second hello', () => cloud.of(sn, 'hello').length === 2)
    expect(boots()).toHaveLength(1)
  })

  it('reboots once per command id: accepted, offline, back with another boot id, done', async () => {
    sim = await start()
    await sim.whenOnline(60_000)
    const id = randomUUID()
    const offline = new Promise((done) => sim.device(sn).events.once('offline', done))
    await cloud.tell(sn, command, order(id, 'reboot'))
    await offline
    await until('done', () => cloud.of(sn, 'reply').some(({ payload }) => payload['state'] === 'done'))
    expect(cloud.of(sn, 'reply').map(({ payload }) => payload['state'])).toEqual(['accepted', 'done'])
    expect(boots()).toHaveLength(2)
    await cloud.tell(sn, command, order(id, 'reboot'))
    await cloud.tell(sn, inquire, { id })
    await until('answers from memory', () => cloud.of(sn, 'reply').length === 4)
    expect(cloud.of(sn, 'reply').at(-1)?.payload).toMatchObject({ id, state: 'done' })
    expect(boots()).toHaveLength(2)
  })

  it('refuses to restart for a moment that it has run, or for one before it', async () => {
    sim = await start()
    await sim.whenOnline(60_000)
    const dueAt = Date.now()
    await cloud.tell(sn, command, order(randomUUID(), 'scheduledReboot', { dueAt }))
    await until('the restart', () => boots().length === 2)
    const again = [dueAt, dueAt - 60_000].map((at) => order(randomUUID(), 'scheduledReboot', { dueAt: at }))
    for (const one of again) await cloud.tell(sn, command, one)
    const failed = (id: string) =>
      cloud.of(sn, 'reply').some(({ payload }) => payload['id'] === id && payload['state'] === 'failed')
    await until('both refusals', () => again.every(({ id }) => failed(id)))
    expect(boots()).toHaveLength(2)
  })

  it('refuses unknown, malformed and late commands', async () => {
    sim = await start()
    await sim.whenOnline(60_000)
    const given = [
      order(randomUUID(), 'fly'),
      order(randomUUID(), 'reboot', { delayS: -1 }),
      { ...order(randomUUID(), 'reboot'), deadlineAt: Date.now() - 1000 },
    ]
    const never = randomUUID()
    for (const one of given) await cloud.tell(sn, command, one)
    await cloud.tell(sn, inquire, { id: never })
    await cloud.send(sn, 'command', '{"id":')
    await cloud.send(sn, 'from-the-future', '{}')
    await until('four replies', () => cloud.of(sn, 'reply').length === 4)
    const said = [...given.map(({ id }) => id), never].map((id) => {
      const payload = cloud.of(sn, 'reply').find((one) => one.payload['id'] === id)?.payload
      return String(payload?.['error'] ?? payload?.['state'])
    })
    expect(said[0]).toBe('this device does not know fly')
    expect(said[1]).toMatch(/^bad arguments/)
    expect(said[2]).toBe('came after its deadline')
    expect(said[3]).toBe('unknown')
    expect(boots()).toHaveLength(1)
  })
})

describe('an upgrade', () => {
  it('goes through its steps, and the device comes back with the new version', async () => {
    sim = await start({ downloadDelayMs: 400 })
    await sim.whenOnline(60_000)
    const given = files.offer()
    await cloud.tell(sn, offer, given)
    await until('done', () => cloud.steps(given.item).includes('done'))
    expect(cloud.steps(given.item)).toEqual([
      'accepted',
      'connected',
      'downloading',
      'downloaded',
      'upgrading',
      'done',
    ])
    const percents = cloud.heard.flatMap(({ payload }) => payload['percent'] ?? [])
    expect(percents.length).toBeGreaterThan(8)
    expect(boots()).toHaveLength(2)
    expect(cloud.of(sn, 'hello').at(-1)?.payload).toMatchObject({ firmware: '9.9.9' })
    expect(sim.device(sn).installs(given.item)).toBe(1)
  })

  it('installs a patch without a reboot and sends hello again with it', async () => {
    sim = await start()
    await sim.whenOnline(60_000)
    const given = files.offer({ type: 'patch', name: 'openssl', version: '3.0.1', keepConfig: false })
    const config = cloud.of(sn, 'hello')[0]?.payload['configHash']
    await cloud.tell(sn, offer, given)
    await until('done', () => cloud.steps(given.item).includes('done'))
    expect(boots()).toHaveLength(1)
    expect(cloud.steps(given.item)).toContain('upgrading')
    const said = cloud.of(sn, 'hello').at(-1)?.payload
    expect(said).toMatchObject({ packages: { openssl: '3.0.1' } })
    expect(said?.['configHash']).not.toBe(config)
  })

  it('is never started twice: on a repeated offer the current step is reported', async () => {
    sim = await start()
    await sim.whenOnline(60_000)
    const given = files.offer()
    for (let i = 0; i < 3; i++) await cloud.tell(sn, offer, given)
    await until('done', () => cloud.steps(given.item).includes('done'))
    await cloud.tell(sn, offer, given)
    await cloud.tell(sn, query, { item: given.item })
    await until(
      'told three times',
      () =>
        cloud.steps(given.item).length > 0 &&
        cloud.of(sn, 'progress').filter(({ payload }) => payload['step'] === 'done').length >= 3,
    )
    expect(sim.device(sn).installs(given.item)).toBe(1)
    expect(files.asked).toHaveLength(1)
  })

  it('waits for the previous one', async () => {
    sim = await start({ downloadDelayMs: 300 })
    await sim.whenOnline(60_000)
    const [first, second] = [files.offer({ version: '2.0.0' }), files.offer({ version: '3.0.0' })]
    await cloud.tell(sn, offer, first)
    await cloud.tell(sn, offer, second)
    await cloud.tell(sn, query, { item: second.item })
    await until('both done', () => cloud.steps(second.item).includes('done'))
    expect(cloud.steps(second.item).slice(0, 2)).toEqual(['accepted', 'connected'])
    const ends = cloud.heard.filter(({ payload }) => ['done', 'connected'].includes(String(payload['step'])))
    expect(
      ends.map(({ payload }) => `${payload['item'] === first.item ? 1 : 2} ${payload['step']}`).slice(0, 3),
    ).toEqual(['1 connected', '1 done', '2 connected'])
    expect(sim.device(sn).firmware).toBe('3.0.0')
  })

  it('can be cancelled while it downloads, and even before its offer arrives', async () => {
    sim = await start({ downloadDelayMs: 5000 })
    await sim.whenOnline(60_000)
    const [given, never] = [files.offer(), files.offer()]
    await cloud.tell(sn, offer, given)
    await until('downloading', () => cloud.steps(given.item).includes('downloading'))
    await cloud.tell(sn, cancel, { item: given.item })
    await cloud.tell(sn, cancel, { item: never.item })
    await cloud.tell(sn, offer, never)
    await cloud.tell(sn, query, { item: given.item })
    await until(
      'both told',
      () => cloud.steps(never.item).length > 0 && cloud.steps(given.item).includes('unknownError'),
    )
    expect(cloud.steps(never.item)).toEqual(['unknownError'])
    expect([sim.device(sn).installs(given.item), sim.device(sn).installs(never.item)]).toEqual([0, 0])
  })

  it('responds with unknown for an item that was never offered', async () => {
    sim = await start()
    await sim.whenOnline(60_000)
    const item = randomUUID()
    await cloud.tell(sn, query, { item })
    await until('an answer', () => cloud.steps(item).length > 0)
    expect(cloud.steps(item)).toEqual(['unknown'])
  })
})
