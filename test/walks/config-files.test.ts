/** Certificates are files beside the configuration: they reach the device, and come again when a difference is overwritten. */
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Fleet, startFleet } from './configured-fleet.ts'

let fleet: Fleet

beforeAll(async () => {
  fleet = await startFleet(({ a }) => [a.devices[1]], ['R200'])
})
afterAll(() => fleet.close())

const ask = <T>(name: string, body: object = {}) =>
  fleet.ask<T>(`config/${name}`, { deviceId: fleet.devices[0]?.id, ...body })
const own = () => fleet.own(fleet.devices[0])
const state = (more: object) =>
  expect.poll(() => ask('getDeviceConfig'), { timeout: 60_000, interval: 300 }).toMatchObject(more)

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

it('a backup that was restored is what was set: no difference, until the device is changed again', async () => {
  const named = (hostname: string) => ask('saveConfigDraft', { page: 'ntp', values: { hostname } })
  const system = () => own().config.text('system') ?? ''
  const deviceId = fleet.devices[0]?.id
  // Refused while the device is being read.
  const apply = () =>
    expect
      .poll(async () => (await fleet.system.call('config/applyDevice', { deviceId }, fleet.token)).code)
      .toBe(0)
  await state({ state: 'inStep' })
  await named('before')
  await apply()
  await state({ state: 'inStep', ended: 'confirmed' })
  const { backupId } = await fleet.ask<{ backupId: string }>('backup/createBackup', { deviceId })
  const kept = () => fleet.ask<{ list: { state: string }[] }>('backup/getBackupList', { deviceId })
  await expect.poll(async () => (await kept()).list[0]?.state, { timeout: 60_000 }).toBe('kept')
  await named('after')
  await apply()
  await expect.poll(system, { timeout: 60_000 }).toContain("hostname 'after'")
  await state({ state: 'inStep', ended: 'confirmed' })
  const { taskId } = await fleet.ask<{ taskId: number }>('configTask/restoreBackup', { backupId })
  const task = () => fleet.ask<{ status: string }>('task/getTask', { taskId })
  await expect.poll(async () => (await task()).status, { timeout: 60_000 }).toBe('completed')
  expect(system()).toContain("hostname 'before'")
  await expect
    .poll(() => ask('getConfigPage', { page: 'ntp' }), { timeout: 60_000 })
    .toMatchObject({ running: { hostname: 'before' } })
  await state({ state: 'inStep', drift: 0 })
  await own().local.edit('system', system().replace("hostname 'before'", "hostname 'own'"))
  await state({ state: 'differs', drift: 1 })
}, 180_000)
