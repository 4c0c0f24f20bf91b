/**
 * Advertisements on real simulated devices: they fetch the picture, show it by their clock, report how often, drop it
 * when it is switched off; one that was offline gets it later, also across a restart.
 */
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SimDevice } from '#device-sim/start'
import { sweepPortals } from '#schema/portal/portal-device'
import { type Booted, bootAll } from '../boot.ts'
import { testContext } from '../harness.ts'
import { seedTenants, simulated, TEST_PASSWORD, type Tenants, type TestDevice } from '../tenants.ts'
import { until } from './until.ts'

type Row = Record<string, unknown>
let system: Booted
let tenants: Tenants
let token: string
let id: number
const sims = new Map<string, SimDevice>()

beforeAll(async () => {
  const context = await testContext({ TASK_DEADLINE_SCALE: '0.01' })
  tenants = await seedTenants(context)
  const all = [...tenants.a.devices.slice(0, 3), tenants.b.devices[0] as TestDevice]
  system = await bootAll({
    context,
    sim: {
      // The third has no Wi-Fi.
      ...simulated(all, (_, i) => (i === 2 ? 'S20' : 'R200')),
      speed: 50,
    },
  })
  token = await system.login(tenants.a.admin.username, TEST_PASSWORD)
  await system.sim?.whenOnline(60_000)
  for (const { sn } of all) sims.set(sn, system.sim?.device(sn) as SimDevice)
})
afterAll(() => system.close())

const sn = (i: number) => tenants.a.devices[i]?.sn ?? ''
const sim = (i: number) => sims.get(sn(i)) as SimDevice
const call = async (name: string, body: Row = {}) => {
  const answer = await system.call(`advertisement/${name}`, body, token)
  if (answer.code !== 0) throw new Error(`${name}: ${answer.code} ${answer.message}`)
  return answer.data as Row
}
const listed = async () => ((await call('getAdvertisementList')) as { list: Row[] }).list[0] ?? {}
/** Runs the job instead of waiting for its schedule of ten seconds. */
const soon = <T>(what: string, ask: () => Promise<T> | T | false) =>
  until(
    what,
    async () => {
      await system.context.queue.add(sweepPortals, {})
      return ask()
    },
    30_000,
    500,
  )
const idsOn = (i: number) => sim(i).portal.kept.advertisements.map((one) => one.id)

async function upload(red: number): Promise<string> {
  const png = await sharp({
    create: { width: 640, height: 960, channels: 3, background: { r: red, g: 90, b: 40 } },
  })
    .png()
    .toBuffer()
  const response = await fetch(`${system.url}/api/image/uploadImage?purpose=portal`, {
    method: 'POST',
    headers: { token, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(png),
  })
  return ((await response.json()) as { data: { imageId: string } }).data.imageId
}

it('devices with a captive portal fetch it; those without are counted apart; those of others get nothing', async () => {
  const body = {
    name: 'Breakfast',
    caption: 'Free coffee',
    link: 'https://shop.example.com/',
    imageId: await upload(20),
  }
  id = Number((await call('addAdvertisement', body))['id'])
  await soon('two devices have it', async () => (await listed())['haveCount'] === 2)
  expect(await listed()).toMatchObject({ unsupportedCount: 1, state: 'running' })
  expect([idsOn(0), idsOn(1), idsOn(2)]).toEqual([[id], [id], []])
  const [picture] = await system.context.sql`
    select encode(sha256(content), 'hex') as sha256 from images i join advertisements a on a.image_id = i.id`
  expect(sim(0).portal.kept.advertisements[0]?.sha256).toBe(picture?.['sha256'])
  expect(sims.get(tenants.b.devices[0]?.sn ?? '')?.portal.kept.revision).toBe('')
})

it('what they show and how often comes back, once', async () => {
  await sim(0).portal.visited(40)
  sim(0).portal.tell()
  sim(0).portal.tell()
  const own = sim(0).portal.kept.counts[0]
  await until('the counts have arrived', async () => Number((await listed())['shownTotal']) >= 40)
  expect(own?.shown).toBeGreaterThanOrEqual(40)
  const device = await call('getDevicePortal', { deviceId: tenants.a.devices[0]?.id })
  expect(device).toMatchObject({
    state: 'has',
    today: [{ id, name: 'Breakfast', link: 'https://shop.example.com/' }],
  })
  // People go on connecting: a count may arrive between the two questions.
  await expect
    .poll(async () => {
      const { shown } = (await call('getAdvertisementDays', { id })) as { shown: (number | null)[] }
      return shown.reduce<number>((sum, one) => sum + (one ?? 0), 0) - Number((await listed())['shownTotal'])
    })
    .toBe(0)
})

it('by its schedule it is stored but not shown', async () => {
  const row = await listed()
  const body = {
    id,
    edition: row['edition'],
    name: 'Breakfast',
    link: 'https://shop.example.com/',
    imageId: String(row['imageUrl']).split('/').at(-1),
    fromDate: '2990-01-01',
  }
  await call('modifyAdvertisement', body)
  await soon('they have the new version', async () => (await listed())['haveCount'] === 2)
  const before = sim(0).portal.kept.counts
  await sim(0).portal.visited(5)
  expect(sim(0).portal.kept.counts).toEqual(before)
  await until('it says that it shows nothing', async () => {
    const { today } = await call('getDevicePortal', { deviceId: tenants.a.devices[0]?.id })
    return (today as Row[]).length === 0
  })
  await call('modifyAdvertisement', { ...body, edition: (await listed())['edition'], fromDate: undefined })
  await soon('they have it back', async () => (await listed())['haveCount'] === 2 && idsOn(0).length === 1)
})

it('switched off, the devices drop it; one that is offline when it is switched on gets it when it is back', async () => {
  await call('enableAdvertisement', { id, enabled: false })
  await soon('both have dropped it', () => idsOn(0).length === 0 && idsOn(1).length === 0)
  await soon('the platform knows', async () => (await listed())['haveCount'] === 0)
  sim(1).down()
  await until('it is offline', async () => {
    const { data } = await system.call(
      'device/getDeviceDetail',
      { deviceId: tenants.a.devices[1]?.id },
      token,
    )
    return (data as Row)['online'] === false
  })
  await call('enableAdvertisement', { id, enabled: true })
  await soon('the first has it', async () => (await listed())['haveCount'] === 1)
  // Beside it one that has never been online.
  expect(await listed()).toMatchObject({ waitCount: 2 })
  sim(1).boot()
  await soon('the other has it too', async () => (await listed())['haveCount'] === 2)
}, 120_000)

it('a factory reset loses it, and it is sent again', async () => {
  const { sql } = system.context
  const deviceId = tenants.a.devices[0]?.id ?? 0
  // Commands have a hundredth of their time here, which a slow machine exceeds now and then.
  const isLost = async () => {
    if (sim(0).portal.kept.revision === '') return true
    await system.call('command/sendCommand', { deviceId, name: 'factoryReset', args: {} }, token)
    return false
  }
  await until('it is lost', isLost, 60_000, 2_000)
  await soon('it is back', async () => {
    const [row] = await sql<{ reported: string; desired: string }[]>`
      select reported, desired from portal_devices where device_id = ${deviceId}`
    return row?.reported === row?.desired && idsOn(0).length === 1
  })
}, 120_000)

it('deleted, it is gone from the devices', async () => {
  await call('deleteAdvertisement', { id })
  await soon('both have dropped it', () => idsOn(0).length === 0 && idsOn(1).length === 0)
})
