/** Configuration, facts, status and hosts of a device come from one model: they never contradict each other. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ConfigPage } from '#schema/config/config-page'
import { exportUci, parseUci, type UciDoc } from '#schema/config/uci'
import type { Facts } from '#schema/device/section'
import { pagesOf, refusedByPages } from './config/check.ts'
import { ENROLMENT_KEY, type FakeCloud, quiet, startFakeCloud, until } from './fake-cloud.ts'
import { models } from './models.ts'
import { type Sim, type SimDevice, startDeviceSim } from './start.ts'

let cloud: FakeCloud
let dataDir: string
let sim: Sim

beforeEach(async () => {
  cloud = await startFakeCloud({ statusEveryS: 5 })
  dataDir = mkdtempSync(join(tmpdir(), 'iot-sim-'))
})
afterEach(async () => {
  await sim.close()
  await cloud.close()
  rmSync(dataDir, { recursive: true })
  expect(cloud.invalid).toEqual([])
})

async function start(model: string): Promise<SimDevice> {
  sim = await startDeviceSim({
    count: 1,
    seed: 1,
    mqttUrl: cloud.url,
    enrolmentKey: ENROLMENT_KEY,
    dataDir,
    faults: {},
    speed: 100,
    statusEveryS: 0.3,
    log: quiet,
    models: [model],
  })
  await sim.whenOnline(60_000)
  return sim.devices[0] as SimDevice
}
const factsOf = (sn: string): Facts =>
  Object.assign({}, ...cloud.of(sn, 'facts').map(({ payload }) => payload))
const statusOf = (sn: string) => cloud.of(sn, 'status').at(-1)?.payload as Record<string, never>
const ready = (sn: string) => until('facts after a status', () => factsOf(sn).wan !== undefined)
const netOf = (ip = '') => ip.split('.').slice(0, 3).join('.')

describe.each(models.map(({ name, radio }) => [name, radio] as const))('a %s', (model, radio) => {
  it('says the same of its networks and hosts everywhere', async () => {
    const { sn, config } = await start(model)
    await ready(sn)
    const { lan, hosts = [], wan = [], mobile = [], wifi } = factsOf(sn)
    const status = statusOf(sn) as Record<string, unknown>
    const interfaces = status['interfaces'] as { name: string; ip: string }[]
    const network = config.text('network') ?? ''
    expect(network).toContain(`option ipaddr '${lan?.ip}'`)
    expect(interfaces.find(({ name }) => name === 'br-lan')?.ip).toBe(lan?.ip)
    expect(status['clients']).toBe(hosts.length)
    expect(new Set(hosts.map(({ ip }) => netOf(ip)))).toEqual(new Set([netOf(lan?.ip)]))
    expect(
      hosts.every(({ ip = '' }) => Number(ip.split('.')[3]) >= Number(lan?.dhcpFrom?.split('.')[3])),
    ).toBe(true)
    expect(interfaces[0]?.ip).toBe(status['ip'])
    if (radio) {
      expect(mobile.find(({ active }) => active)?.ip).toBe(status['ip'])
      expect(network).toContain(`option apn '${mobile[0]?.apn}'`)
      expect(wan[0]?.up).toBe(false)
    } else expect(wan[0]).toMatchObject({ up: true, ip: status['ip'], protocol: 'dhcp' })
    const onAir = hosts.filter(({ via }) => via === 'wifi').length
    expect((wifi ?? []).reduce((sum, { clients = 0 }) => sum + clients, 0)).toBe(onAir)
    for (const { ssid } of wifi ?? []) expect(config.text('wireless')).toContain(`option ssid '${ssid}'`)
  })

  it('has a configuration that its own pages accept, before and after a factory reset', async () => {
    const device = await start(model)
    const faultless = () => refusedByPages(device.identity, {}, device.config.doc)
    expect(pagesOf(device.identity).map(({ name }: ConfigPage) => name)).toContain('wan')
    expect(faultless()).toBeNull()
    for (const [name, one] of Object.entries(device.config.doc))
      expect(parseUci(name, device.config.text(name) ?? '')).toEqual(one)
    const before = device.config.hash
    await device.settings.reset(false)
    await device.config.forget()
    expect(device.config.hash).not.toBe(before)
    expect(faultless()).toBeNull()
    expect(device.uplink.problem).toBeNull()
  })
})

it('a zone goes with all that uses it or stays, and an interface that a Wi-Fi network is in stays', async () => {
  const { identity, config } = await start('R200')
  const more = (doc: UciDoc, texts: Record<string, string>): UciDoc => ({
    ...doc,
    ...Object.fromEntries(
      Object.entries(texts).map(([name, added]) => [
        name,
        parseUci(name, `${doc[name] ? exportUci(doc[name]) : ''}\n${added}`),
      ]),
    ),
  })
  const zone = "config zone\n\toption name 'guest'\n"
  const kiosk = `config redirect\n\toption name 'Kiosk'\n\toption src 'wan'\n\toption src_dport '8443'
\toption dest 'guest'\n\toption dest_ip '192.168.9.9'\n\toption target 'DNAT'\n`
  const both = more(config.doc, { firewall: zone + kiosk })
  expect(refusedByPages(identity, config.doc, both)).toBeNull()
  expect(refusedByPages(identity, both, config.doc)).toBeNull()
  expect(refusedByPages(identity, both, more(config.doc, { firewall: kiosk }))).toMatchObject({
    package: 'firewall',
    reason: 'The port forward Kiosk still uses the zone guest',
  })
  const wifi = `config wifi-iface 'visitors'\n\toption device 'radio0'\n\toption network 'guest'
\toption mode 'ap'\n\toption ssid 'Visitors'\n\toption encryption 'none'\n`
  const guest = "config interface 'guest'\n\toption proto 'none'\n"
  const visitors = more(config.doc, { network: guest, wireless: wifi })
  expect(refusedByPages(identity, config.doc, visitors)).toBeNull()
  const network = config.doc['network']
  expect(refusedByPages(identity, visitors, { ...visitors, ...(network && { network }) })).toMatchObject({
    package: 'wireless',
    reason: 'There is no interface named guest',
  })
})

it('what is changed in the configuration is what is reported', async () => {
  const device = await start('R200')
  const { sn, config, local } = device
  await ready(sn)
  const edit = (name: string, from: RegExp, to: string) =>
    local.edit(name, (config.text(name) ?? '').replace(from, to))
  await edit('wireless', /ssid 'Shop-....'/, "ssid 'Café ☕'")
  await edit('dhcp', /start '20'/, "start '50'")
  await edit('dropbear', /Port '22'/, "Port '2222'")
  await edit('network', /(interface 'lan'[\s\S]*?ipaddr) '[\d.]+'/, "$1 '172.16.5.1'")
  await until('the new address', () => factsOf(sn).lan?.ip === '172.16.5.1')
  const { lan, hosts = [], wifi = [], remote = [] } = factsOf(sn)
  expect(lan).toMatchObject({ dhcpFrom: '172.16.5.50', leaseS: 43_200 })
  expect(hosts[0]?.ip).toBe('172.16.5.50')
  expect(wifi[0]?.ssid).toBe('Café ☕')
  expect(remote.find(({ name }) => name === 'ssh')?.port).toBe(2222)
})

it('a factory reset that keeps the network keeps access points and uplinks, and nothing else', async () => {
  const device = await start('R200')
  const { keptNetwork, withNetwork } = await import('./config/kept-network.ts')
  const kept = keptNetwork(device.config)
  const lan = device.config.text('network')?.match(/interface 'lan'[\s\S]*?ipaddr '(.*)'/)?.[1]
  await Promise.all([device.settings.reset(true), device.config.forget()])
  await device.config.write(withNetwork(device.config, kept))
  expect(device.config.text('network')).toContain("apn 'iot.private'")
  expect(device.config.text('network')).not.toContain(`'${lan}'`)
  expect(device.config.text('wireless')).toContain("encryption 'none'")
})
