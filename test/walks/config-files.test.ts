/** Certificates are files beside the configuration: they reach the device, and come again when a difference is overwritten. */
import { generate } from 'selfsigned'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Fleet, startFleet } from './configured-fleet.ts'

let fleet: Fleet

beforeAll(async () => {
  fleet = await startFleet(({ a }) => [a.devices[1]], ['R200'])
}, 60_000)
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
