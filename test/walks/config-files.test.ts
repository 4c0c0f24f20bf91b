/** Certificates are files beside the configuration: they reach the device, and come again when a difference is overwritten. */
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startDeviceSim } from '#device-sim/start'
import { type Booted, bootAll } from '../boot.ts'
import { seedTenants, TEST_PASSWORD, type Tenants, type TestDevice } from '../tenants.ts'

let system: Booted
let tenants: Tenants
let sim: Awaited<ReturnType<typeof startDeviceSim>>
let device: TestDevice
let token: string

beforeAll(async () => {
  system = await bootAll({ env: { TASK_DEADLINE_SCALE: '0.2' } })
  tenants = await seedTenants(system.context)
  const found = tenants.a.devices[1]
  if (!found) throw new Error('tenants have devices')
  device = found
  sim = await startDeviceSim({
    count: 1,
    seed: 1,
    mqttUrl: system.mqttUrl,
    dataDir: `${system.context.env.DATA_DIR}/sim`,
    faults: {},
    speed: 30,
    log: system.context.log,
    fleet: [{ sn: device.sn, model: 'R200' }],
    secrets: { [device.sn]: device.secret },
  })
  token = await system.login(tenants.a.admin.username, TEST_PASSWORD)
}, 60_000)
afterAll(async () => {
  await sim.close()
  await system.close()
})

const ask = async <T>(name: string, body: object = {}): Promise<T> => {
  const answer = await system.call(`config/${name}`, { deviceId: device.id, ...body }, token)
  expect(answer.message, name).toBe('')
  return answer.data as T
}
const state = (more: object) =>
  expect.poll(() => ask('getDeviceConfig'), { timeout: 60_000, interval: 300 }).toMatchObject(more)
const own = () => {
  const found = sim.devices.find(({ sn }) => sn === device.sn)
  if (!found) throw new Error('not simulated')
  return found
}

it('a certificate that the device has lost with its option comes back with it', async () => {
  await state({ state: 'inStep' })
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'shop' }])
  const { values } = await ask<{ values: { client: object } }>('getConfigPage', { page: 'openvpn' })
  const client = {
    ...values.client,
    enabled: true,
    ca: cert,
    certificate: cert,
    key,
    remotes: ['vpn.example.com 1194'],
  }
  await ask('saveConfigDraft', { page: 'openvpn', values: { client } })
  await ask('applyDevice')
  await state({ state: 'inStep', ended: 'confirmed' })
  const kept = own().config.text('openvpn') ?? ''
  const path = /option cert '([^']+)'/.exec(kept)?.[1] ?? ''
  expect(path).toMatch(/^\/etc\/openvpn\/client-cert-[0-9a-f]{8}\.pem$/)
  const text = own().config.textAt(path)
  expect(text?.trim()).toBe(cert.replaceAll('\r', '').trim())

  await own().config.write([{ path, text: null }])
  await own().local.edit('openvpn', kept.replace(path, '/etc/openvpn/own.crt'))
  await state({ state: 'differs', drift: 1 })
  await ask('settleDrift', { differences: ['openvpn.headquarters.cert'], how: 'overwrite' })
  await state({ state: 'inStep', ended: 'confirmed', drift: 0 })
  expect(own().config.text('openvpn')).toBe(kept)
  expect(own().config.textAt(path)).toBe(text)
}, 180_000)
