import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { command } from '#schema/command/command'
import { setRelay } from '#schema/device/commands/relay'
import { sendSms } from '#schema/device/commands/sms'
import { ENROLMENT_KEY, type FakeCloud, order, quiet, startFakeCloud, until } from '../fake-cloud.ts'
import { type Sim, type SimDevice, startDeviceSim } from '../start.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'iot-sim-'))
let cloud: FakeCloud
let sim: Sim
let device: SimDevice
beforeAll(async () => {
  cloud = await startFakeCloud({ statusEveryS: 5 })
  sim = await startDeviceSim({
    count: 1,
    seed: 1,
    mqttUrl: cloud.url,
    enrolmentKey: ENROLMENT_KEY,
    dataDir,
    faults: {},
    speed: 100,
    log: quiet,
    models: ['G100'],
  })
  await sim.whenOnline(60_000)
  device = sim.devices[0] as SimDevice
})
afterAll(async () => {
  await sim.close()
  await cloud.close()
  rmSync(dataDir, { recursive: true })
})

const repliesTo = (id: string) => cloud.of(device.sn, 'reply').filter(({ payload }) => payload['id'] === id)
async function tell(id: string, name: string, args: Record<string, unknown>) {
  const before = repliesTo(id).length
  await cloud.tell(device.sn, command, order(id, name, args))
  await until(`a reply to ${name}`, () => repliesTo(id).length > before)
  return repliesTo(id).at(-1)?.payload
}
/** As last reported. */
const reported = (name: string) =>
  cloud
    .of(device.sn, 'facts')
    .flatMap(({ payload }) => (payload['io'] as { name: string; on: boolean }[] | undefined) ?? [])
    .findLast((io) => io.name === name)

const id = (n: number) => `0198a7c5-0000-7cc2-9b1e-00000000000${n}`

it('a relay is switched, read back and reported, and has its configured state after a start', async () => {
  await until('the first report', () => reported('Relay 1')?.on === false)
  const name = setRelay.name
  expect(await tell(id(1), name, { name: 'Relay 1', on: true })).toMatchObject({
    state: 'done',
    result: { on: true },
  })
  await until('the report', () => reported('Relay 1')?.on === true)
  expect(reported('Relay 2')?.on).toBe(false)
  expect(await tell(id(2), name, { name: 'Pump', on: true })).toMatchObject({
    state: 'failed',
    error: 'there is no output Pump',
  })
  device.cutPower()
  await until('the report after the start', () => reported('Relay 1')?.on === false)
})

it('a short message is sent once for each id, and neither its text nor its number is in the log', async () => {
  const args = { number: '+8613800138000', text: '店'.repeat(71) }
  await until('it is online', () => device.online)
  const first = await tell(id(3), sendSms.name, args)
  expect(first).toMatchObject({ state: 'done', result: { parts: 2 } })
  expect(await tell(id(3), sendSms.name, args)).toEqual({ ...first, at: expect.any(Number) })
  const logged = () =>
    cloud
      .of(device.sn, 'log')
      .flatMap(({ payload }) => payload['lines'] as { tag: string; text: string }[])
      .filter(({ tag }) => tag === 'sms')
  await until('its line in the log', () => logged().length > 0)
  expect(logged().map(({ text }) => text)).toEqual(['sent to …000, 2 parts'])
})
