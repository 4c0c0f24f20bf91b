/** A change of a device's configuration: edited, tried, confirmed or taken back, and what happens on the device itself. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { editionRefusals } from '#schema/platform/edition-refusals'
import { TEST_PASSWORD, type TestDevice } from '../tenants.ts'
import { type Fleet, startFleet } from './configured-fleet.ts'

let fleet: Fleet
let device: TestDevice

/** A print server, in the group of the operator: its only uplink is the cable. */
beforeAll(async () => {
  fleet = await startFleet(({ a }) => [a.devices[1]], ['P10'])
  const [found] = fleet.devices
  if (!found) throw new Error('tenants have devices')
  device = found
})
afterAll(() => fleet.close())
beforeEach(() => ask('discardConfigDraft', {}))

const ask = <T>(name: string, body: object = {}) =>
  fleet.ask<T>(`config/${name}`, { deviceId: device.id, ...body })
type Config = {
  state: string
  readAt: string | null
  ended: string | null
  endedAt: string | null
  drift: number
  onTrial: boolean
  detail: string | null
}
const config = () => ask<Config>('getDeviceConfig')
const state = (wanted: string, more: Partial<Config> = {}) =>
  expect.poll(config, { interval: 200 }).toMatchObject({ state: wanted, ...more })
type Page = {
  names: Record<string, string[] | null>
  running: Record<string, unknown>
  values: Record<string, unknown>
  edition: string
  changed: string[]
}
const page = (name = 'wan') => ask<Page>('getConfigPage', { page: name })
const edit = (values: object) => ask('saveConfigDraft', { page: 'wan', values })
const own = () => fleet.own(device)
const textOf = (name: string) => own().config.text(name) ?? ''

it('an edit stays a draft until it is applied, is tried, confirmed over a new connection, and then runs', async () => {
  await state('inStep')
  await edit({ metric: 42 })
  expect(await page()).toMatchObject({ running: { metric: 10 }, values: { metric: 42 }, changed: ['metric'] })
  expect(textOf('network')).not.toContain("metric '42'")
  const review = await ask<{ fields: object[]; uci: object[]; confirmS: number }>('reviewConfig')
  expect(review).toMatchObject({
    fields: [{ page: 'wan', name: 'metric', before: 10, after: 42, by: fleet.tenants.a.admin.username }],
    uci: [{ place: 'network.wan.metric', kind: 'changed', before: '10', after: '42' }],
    confirmS: 90,
  })
  await ask('applyDevice')
  await state('inStep', { ended: 'confirmed', onTrial: false })
  // The confirmation says what runs; nothing is read for it.
  const { readAt, endedAt } = await config()
  expect(Date.parse(readAt ?? '')).toBeGreaterThanOrEqual(Date.parse(endedAt ?? ''))
  expect(textOf('network')).toContain("metric '42'")
  expect(await page()).toMatchObject({ running: { metric: 42 }, changed: [] })
})

it('zones are offered from what runs and what is edited; one that nothing has is refused, an interface is a warning', async () => {
  await state('inStep')
  const forward = { id: '', src: 'guest', port: '8443', dest: 'lan', destIp: '192.168.1.9' }
  const { values, names } = await page('port-forward')
  expect(names).toMatchObject({ zone: ['lan', 'wan'], interface: expect.arrayContaining(['lan', 'wan']) })
  const save = () =>
    fleet.system.call(
      'config/saveConfigDraft',
      {
        deviceId: device.id,
        page: 'port-forward',
        values: { forwards: [...(values['forwards'] as object[]), forward] },
      },
      fleet.token,
    )
  expect((await save()).message).toContain('There is no zone named guest')
  const { zones } = (await page('firewall')).running as { zones: object[] }
  const guest = { id: '', name: 'guest', networks: ['guest'] }
  await ask('saveConfigDraft', { page: 'firewall', values: { zones: [...zones, guest] } })
  expect((await page('port-forward')).names['zone']).toEqual(['lan', 'wan', 'guest'])
  expect((await save()).code).toBe(0)
  const { faults, warnings } = await ask<{ faults: object[]; warnings: object[] }>('reviewConfig')
  expect([faults, warnings]).toEqual([
    [],
    [
      {
        page: 'firewall',
        path: `zones.${zones.length}.networks`,
        message: 'There is no interface named guest',
      },
    ],
  ])
})

it('a zone and the port forward that uses it come and go in one change, the zone alone is refused', async () => {
  await state('inStep')
  const rows = async (name: string, field: string) =>
    ((await page(name)).running as Record<string, { name: string }[]>)[field] ?? []
  const save = (name: string, values: object) =>
    fleet.system.call('config/saveConfigDraft', { deviceId: device.id, page: name, values }, fleet.token)
  const [zones, forwards] = [await rows('firewall', 'zones'), await rows('port-forward', 'forwards')]
  const guest = { id: '', name: 'guest', networks: [] }
  const kiosk = { id: '', name: 'Kiosk', src: 'wan', port: '8443', dest: 'guest', destIp: '192.168.1.9' }
  expect((await save('firewall', { zones: [...zones, guest] })).code).toBe(0)
  expect((await save('port-forward', { forwards: [...forwards, kiosk] })).code).toBe(0)
  const apply = () => fleet.system.call('config/applyDevice', { deviceId: device.id }, fleet.token)
  const applied = async (isThere: boolean) => {
    // It may still be read after the change before.
    await expect.poll(async () => (await apply()).message, { interval: 200 }).toBe('')
    await expect.poll(() => textOf('firewall').includes("option dest 'guest'")).toBe(isThere)
    await state('inStep', { ended: 'confirmed', onTrial: false })
  }
  await applied(true)
  const without = async (name: string, field: string, row: string) => ({
    [field]: (await rows(name, field)).filter((one) => one.name !== row),
  })
  const noZone = await without('firewall', 'zones', 'guest')
  expect((await save('firewall', noZone)).message).toContain(
    'The port forward Kiosk still uses the zone guest',
  )
  expect((await save('port-forward', await without('port-forward', 'forwards', 'Kiosk'))).code).toBe(0)
  expect((await save('firewall', noZone)).code).toBe(0)
  expect(await ask('reviewConfig')).toMatchObject({ faults: [], warnings: [] })
  // Somebody keeps the forward after all: the page of the zone says it, and nothing is sent.
  await ask('discardConfigDraft', { page: 'port-forward' })
  const message = 'The port forward Kiosk still uses the zone guest'
  expect(await ask('getConfigPage', { page: 'firewall' })).toMatchObject({
    faults: [{ path: 'zones', message }],
  })
  expect((await apply()).message).toContain(message)
  await save('port-forward', await without('port-forward', 'forwards', 'Kiosk'))
  await applied(false)
  expect(textOf('firewall')).not.toContain('guest')
}, 120_000)

it('of two operators who edit the same draft the later sees what the earlier did, and overwrites it knowingly', async () => {
  await state('inStep')
  const opened = await page()
  const other = await fleet.system.login(fleet.tenants.a.operator.username, TEST_PASSWORD)
  const save = (values: object, edition: string, who = fleet.token) =>
    fleet.system.call('config/saveConfigDraft', { deviceId: device.id, page: 'wan', values, edition }, who)
  expect((await save({ metric: 51 }, opened.edition)).code).toBe(0)
  expect(await save({ metric: 52 }, opened.edition, other)).toMatchObject({
    code: editionRefusals.changedMeanwhile.code,
    data: { by: fleet.tenants.a.admin.username, now: { values: { metric: 51 } } },
  })
  expect((await save({ metric: 52 }, (await page()).edition, other)).code).toBe(0)
  expect(await page()).toMatchObject({ values: { metric: 52 }, changedBy: fleet.tenants.a.operator.username })
})

it('a change that disconnects the device is rolled back by the device itself, and stays a draft', async () => {
  await edit({ mode: 'static', address: '10.99.0.5', netmask: '255.255.255.0', gateway: '10.99.0.1' })
  await ask('applyDevice')
  await state('reverted', { ended: 'reverted' })
  expect(textOf('network')).toContain("proto 'dhcp'")
  expect((await page()).changed).toContain('gateway')
  await ask('discardConfigDraft')
  await edit({ metric: 10 })
  await ask('applyDevice')
  await state('inStep', { ended: 'confirmed' })
}, 120_000)

it('a VLAN of the switch comes on trial, and only where its ports are free', async () => {
  await state('inStep')
  const { vlans } = (await page('switch-vlan')).running as { vlans: { ports: string[] }[] }
  const save = (ports: string[]) =>
    fleet.system.call(
      'config/saveConfigDraft',
      {
        deviceId: device.id,
        page: 'switch-vlan',
        values: { vlans: [...vlans, { id: '', chip: 'switch0', index: 3, vid: 30, ports }] },
      },
      fleet.token,
    )
  expect(await save(vlans[0]?.ports ?? [])).toMatchObject({
    field: 'values.vlans.2.ports',
    message: expect.stringMatching(/^Port .* untagged in another VLAN/),
  })
  expect((await save(['0t', '4'])).code).toBe(0)
  await ask('applyDevice')
  await state('inStep', { ended: 'confirmed', onTrial: false })
  expect(textOf('network')).toContain("option ports '0t 4'")
})

it('what the device refuses of a row is said at the field of that row, else at the row, or at the list', async () => {
  const rules = (await page('firewall')).values['rules'] as object[]
  expect(rules.length).toBeGreaterThan(1)
  const refused = async (section: string, option?: string) => {
    const fault = { package: 'firewall', section, ...(option && { option }), reason: 'not by fw4' }
    await fleet.system.context.sql`
      update device_configs set fault = ${fleet.system.context.sql.json(fault)} where device_id = ${device.id}`
    const { fault: told } = await ask<{ fault: { page: string; path: string } }>('getDeviceConfig')
    return [told.page, told.path]
  }
  expect(await refused('@rule[1]', 'dest_port')).toEqual(['firewall', 'rules.1.destPort'])
  expect(await refused('@rule[1]', 'limit')).toEqual(['firewall', 'rules.1'])
  expect(await refused('@rule[99]', 'dest_port')).toEqual(['firewall', 'rules'])
  // As the drafts have them: a rule before the others.
  await ask('saveConfigDraft', {
    page: 'firewall',
    values: { rules: [{ name: 'new', target: 'DROP' }, ...rules] },
  })
  expect(await refused('@rule[0]', 'dest_port')).toEqual(['firewall', 'rules.0.destPort'])
  await fleet.system.context.sql`update device_configs set fault = null where device_id = ${device.id}`
})

it('what would leave no uplink is not even sent', async () => {
  await edit({ mode: 'none' })
  const answer = await fleet.system.call('config/applyDevice', { deviceId: device.id }, fleet.token)
  expect(answer.message).toContain('No uplink would be left')
})

it('a power cut in the middle of a trial restores what was before', async () => {
  await edit({ metric: 77 })
  await ask('applyDevice')
  await expect.poll(async () => own().settings.get('journal') !== null, { interval: 5 }).toBe(true)
  own().cutPower()
  await state('reverted', { ended: 'reverted' })
  expect(textOf('network')).not.toContain("metric '77'")
})

it('a change on the device is drift, which is adopted or overwritten; a mere reordering is none', async () => {
  await ask('discardConfigDraft')
  const before = textOf('network')
  await own().local.reorder('network')
  await new Promise((done) => setTimeout(done, 6_000))
  expect((await config()).drift).toBe(0)
  await own().local.edit('network', before.replace("metric '10'", "metric '55'"))
  await expect.poll(async () => (await config()).drift, { interval: 200 }).toBe(1)
  const { changes } = await ask<{ changes: { difference: string; before: string; after: string }[] }>(
    'getConfigDrift',
  )
  expect(changes).toMatchObject([{ difference: 'network.wan.metric', before: '10', after: '55' }])
  const differences = ['network.wan.metric']
  await ask('settleDrift', { differences, how: 'overwrite' })
  await state('inStep', { ended: 'confirmed', drift: 0 })
  expect(textOf('network')).toContain("metric '10'")
  await own().local.edit('network', before.replace("metric '10'", "metric '66'"))
  await expect.poll(async () => (await config()).drift, { interval: 200 }).toBe(1)
  await ask('settleDrift', { differences, how: 'adopt' })
  await state('inStep', { drift: 0 })
  expect(textOf('network')).toContain("metric '66'")
}, 120_000)

it('of several differences only the chosen ones are overwritten, and an edit of another setting leaves the rest', async () => {
  await state('inStep', { drift: 0 })
  const set = textOf('network').replace("metric '66'", "metric '66'\n\toption mtu '1500'")
  await own().local.edit('network', set)
  await expect.poll(async () => (await config()).drift, { interval: 200 }).toBe(1)
  await ask('settleDrift', { differences: ['network.wan.mtu'], how: 'adopt' })
  await own().local.edit(
    'network',
    set.replace("metric '66'", "metric '55'").replace("mtu '1500'", "mtu '1400'"),
  )
  await expect.poll(async () => (await config()).drift, { interval: 200 }).toBe(2)
  await ask('settleDrift', { differences: ['network.wan.metric'], how: 'overwrite' })
  await state('differs', { ended: 'confirmed', drift: 1 })
  expect(textOf('network')).toContain("metric '66'")
  const { endedAt } = await config()
  await ask('saveConfigDraft', { page: 'ntp', values: { hostname: 'shop-18' } })
  await ask('applyDevice')
  await expect.poll(async () => (await config()).endedAt, { interval: 200 }).not.toBe(endedAt)
  await state('differs', { ended: 'confirmed', drift: 1 })
  expect((await ask<{ changes: object[] }>('getConfigDrift')).changes).toMatchObject([
    { difference: 'network.wan.mtu', before: '1500', after: '1400' },
  ])
  await ask('settleDrift', { differences: ['network.wan.mtu'], how: 'adopt' })
}, 120_000)

it('while a change is on trial in the web page of the device it is busy, and the draft is kept', async () => {
  // For an hour of the device's time, two minutes here: not over before the change comes.
  await own().local.try('network', textOf('network').replace("metric '66'", "metric '67'"), 3_600)
  await edit({ metric: 33 })
  const applied = await fleet.system.call('config/applyDevice', { deviceId: device.id }, fleet.token)
  // Not read yet, or refused by the device: both leave the draft as it is.
  if (applied.code === 0) await expect.poll(async () => (await config()).ended).toMatch(/busy|conflict/)
  expect((await page()).changed).toEqual(['metric'])
  own().local.keep()
})
