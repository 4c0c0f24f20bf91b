/** Every declared command reaches a simulated device and comes back with a verified result. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { setRelay } from '#schema/device/commands/relay'
import { isCommand } from '#schema/kit/command'
import { type Booted, bootAll } from '../boot.ts'
import { seedTenants, type Tenants } from '../tenants.ts'

const commands = await gatherDeclared(isCommand)
/** Routers have no relays. */
const modelFor = (name: string) => (name === setRelay.name ? 'G100' : 'R200')
let system: Booted
let tenants: Tenants

beforeAll(async () => {
  system = await bootAll({ env: { TASK_DEADLINE_SCALE: '0.2' } })
  tenants = await seedTenants(system.context)
})
afterAll(() => system.close())

describe.each(commands.map((command) => [command.name, command] as const))('%s', (name, command) => {
  it('has examples that its own declaration accepts', () => {
    expect(command.args.safeParse(command.exampleArgs).success).toBe(true)
    expect(command.reply.safeParse(command.exampleReply).success).toBe(true)
  })

  // Commands of the platform need a row first: test/walks/detail.test.ts and schedule.test.ts.
  if (command.platformOnly) return
  it('is run by a simulated device, and its result is stored', async () => {
    const { startDeviceSim } = await import('#device-sim/start')
    const [device] = tenants.a.devices
    if (!device) throw new Error('tenants have devices')
    const helloAt = async () =>
      (await system.context.sql`select hello_at::text as at from devices where id = ${device.id}`)[0]?.['at']
    const before = await helloAt()
    const sim = await startDeviceSim({
      count: 1,
      seed: 1,
      mqttUrl: system.mqttUrl,
      dataDir: `${system.context.env.DATA_DIR}/sim-${name}`,
      faults: {},
      speed: 50,
      log: system.context.log,
      fleet: [{ sn: device.sn, model: modelFor(name) }],
      secrets: { [device.sn]: device.secret },
    })
    try {
      const token = await system.login(tenants.a.admin.username, 'right-horse-7')
      await expect
        .poll(async () => (await system.call('device/getDeviceDetail', { deviceId: device.id }, token)).data)
        .toMatchObject({ online: true, helloAt: expect.any(String) })
      // What the last one could do is not what this one can.
      await expect.poll(helloAt).not.toBe(before)
      const sent = await system.call(
        'command/sendCommand',
        { deviceId: device.id, name, args: command.exampleArgs },
        token,
      )
      expect(sent.message).toBe('')
      await expect
        .poll(
          async () => {
            const answer = await system.call('command/getCommandList', { deviceId: device.id }, token)
            return (answer.data as { list: { state: string }[] }).list[0]
          },
          { interval: 200 },
        )
        .toMatchObject({ name, state: 'done' })
    } finally {
      await sim.close()
      // The next command must not meet the end of this one.
      await expect
        .poll(async () => (await system.context.sql`select 1 from device_states where online`).length)
        .toBe(0)
    }
  })
})
