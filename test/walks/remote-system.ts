/** Setup of the walks through a tunnel: the product with one simulated device that is ready to be operated. */
import type { SimDevice } from '#device-sim/start'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { seedTenants, TEST_PASSWORD, type Tenants, type TestDevice } from '../tenants.ts'
import { until } from './until.ts'

type Row = Record<string, unknown>

export type RemoteSystem = {
  system: Booted
  tenants: Tenants
  device: TestDevice
  sim: SimDevice
  /** Of the administrator of the device's customer. */
  token: string
}

/** What a call returns. @throws what it refuses */
export async function dataOf(system: Booted, name: string, body: Row, token: string): Promise<Row> {
  const answer = await system.call(name, body, token)
  if (answer.code !== 0) throw new Error(`${name}: ${answer.code} ${answer.message}`)
  return answer.data as Row
}

/** @param ssh the program that opens the tunnels of the device; default: its client in JavaScript */
export async function bootRemote(ssh?: string): Promise<RemoteSystem> {
  const context = await testContext()
  const tenants = await seedTenants(context)
  const device = tenants.a.devices[0] as TestDevice
  const system = await bootAll({
    context,
    sim: {
      fleet: [{ sn: device.sn, model: 'R200' }],
      secrets: { [device.sn]: device.secret },
      speed: 50,
      statusEveryS: 5,
      ssh,
    },
  })
  const token = await system.login(tenants.a.admin.username, TEST_PASSWORD)
  await system.sim?.whenOnline(60_000)
  await until('the device is ready', async () => {
    const body = { deviceId: device.id }
    const { online, helloAt, lastLoginAt } = await dataOf(system, 'device/getDeviceDetail', body, token)
    return online && String(helloAt) >= String(lastLoginAt)
  })
  return { system, tenants, device, sim: system.sim?.device(device.sn) as SimDevice, token }
}

/** After each test: nothing of it is in the way of the next one. */
export async function endSessions({ context: { sql } }: Booted): Promise<void> {
  await sql`update remote_sessions set state = 'ended', ended_at = now() where ended_at is null`
  await sql`update commands set state = 'failed', ended_at = now() where ended_at is null`
}
