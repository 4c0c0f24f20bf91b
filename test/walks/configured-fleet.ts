/** The product with a few simulated devices of a customer, for walks about configurations. */
import { expect } from 'vitest'
import { startDeviceSim } from '#device-sim/start'
import { bootAll } from '../boot.ts'
import { seedTenants, simulated, TEST_PASSWORD, type Tenants, type TestDevice } from '../tenants.ts'

/** @param models of the devices, in their order. */
export async function startFleet(
  choose: (tenants: Tenants) => readonly (TestDevice | undefined)[],
  models: readonly string[],
) {
  const system = await bootAll({ env: { TASK_DEADLINE_SCALE: '0.2' } })
  const tenants = await seedTenants(system.context)
  const devices = choose(tenants).filter((one) => one !== undefined)
  if (devices.length !== models.length) throw new Error('not as many devices as models')
  const sim = await startDeviceSim({
    count: devices.length,
    seed: 1,
    mqttUrl: system.mqttUrl,
    dataDir: `${system.context.env.DATA_DIR}/sim`,
    faults: {},
    speed: 30,
    log: system.context.log,
    ...simulated(devices, (_, i) => models[i] ?? 'R200'),
  })
  const token = await system.login(tenants.a.admin.username, TEST_PASSWORD)
  return {
    system,
    tenants,
    devices,
    token,
    /** As the customer's administrator. */
    async ask<T>(name: string, body: object = {}): Promise<T> {
      const answer = await system.call(name, body, token)
      expect(answer.message, name).toBe('')
      return answer.data as T
    },
    /** The simulated one. */
    own(device: TestDevice | undefined) {
      const found = sim.devices.find(({ sn }) => sn === device?.sn)
      if (!found) throw new Error('not simulated')
      return found
    },
    async close() {
      await sim.close()
      await system.close()
    },
  }
}
export type Fleet = Awaited<ReturnType<typeof startFleet>>
