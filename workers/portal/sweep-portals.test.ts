/** Who is to have what, when it is sent, and what is counted. */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { command as commandMessage } from '#schema/command/command'
import { portalShown } from '#schema/portal/portal-shown'
import { setPortal } from '#schema/portal/set-portal'
import type { TestDevice } from '#test/tenants'
import { type Bench, openBench } from '#test/worker-bench'
import { driveCommandsJob } from '../command/drive-commands.ts'
import { drainInboxJob } from '../inbox/drain-inbox.ts'
import { sweepPortalsJob } from './sweep-portals.ts'

let bench: Bench
let device: TestDevice
let foreign: TestDevice
beforeAll(async () => {
  bench = await openBench()
  device = bench.tenants.a.devices[0] as TestDevice
  foreign = bench.tenants.b.devices[0] as TestDevice
})
beforeEach(async () => {
  const { sql } = bench.ctx
  bench.line.said.length = 0
  await sql`delete from commands`
  await sql`delete from portal_devices`
  await sql`delete from advertisements`
  await sql`update devices set features = null`
  await sql`update device_states set online = false`
})

type Over = { customerId?: number; groups?: number[]; enabled?: boolean; place?: number; toDate?: string }
async function advertise(
  name: string,
  { customerId, groups, enabled = true, place = 100, toDate }: Over = {},
) {
  const { sql } = bench.ctx
  const owner = customerId ?? device.customerId
  const imageId = randomUUID()
  await sql`insert into images (id, customer_id, mime, content) values (${imageId}, ${owner}, 'image/webp', ${Buffer.from(name)})`
  const [row] = await sql<{ id: number }[]>`
    insert into advertisements (customer_id, name, image_id, link, scope, enabled, place, to_date)
    values (${owner}, ${name}, ${imageId}, 'https://example.com/', ${groups ? 'groups' : 'customer'}, ${enabled}, ${place}, ${toDate ?? null})
    returning id`
  const id = row?.id ?? 0
  for (const group of groups ?? []) await sql`insert into advertisement_groups values (${id}, ${group})`
  return id
}
const sweep = async () => {
  await sweepPortalsJob.run(bench.ctx, {})
  await driveCommandsJob.run(bench.ctx, {})
}
const drain = () => drainInboxJob.run(bench.ctx, {})
const heard = () =>
  bench.heard('command').map(({ sn, payload }) => {
    const sent = commandMessage.payload.parse(payload)
    return { sn, id: sent.id, args: setPortal.args.parse(sent.args) }
  })
const of = async (who: TestDevice) => {
  const [row] = await bench.ctx.sql<
    { desired: string; reported: string; error: string | null; today: number[] }[]
  >`select desired, reported, error, today from portal_devices where device_id = ${who.id}`
  return row
}
const reply = (id: string, state: string, more: object = {}) =>
  bench.report(device, 'reply', { id, at: 0, state, ...more })
const shown = (who: TestDevice, revision: string, counts: object[] = [], today: number[] = []) =>
  bench.report(who, 'portalShown', { at: 0, revision, today, counts })

it('an online device is sent what is for it, in order, with links for it alone', async () => {
  const second = await advertise('second', { place: 20 })
  const first = await advertise('first', { place: 10 })
  await advertise('off', { enabled: false })
  await advertise('past', { toDate: '2020-01-01' })
  await advertise('of others', { customerId: foreign.customerId })
  await bench.greet(device)
  await sweep()
  const [sent] = heard()
  expect(sent).toMatchObject({
    sn: device.sn,
    args: { revision: `${first}.1-${second}.1`, username: device.sn },
  })
  expect(sent?.args.advertisements.map(({ id }) => id)).toEqual([first, second])
  expect(sent?.args.advertisements[0]).toMatchObject({
    sizeBytes: 5,
    mime: 'image/webp',
    link: 'https://example.com/',
  })
  expect(new URL(sent?.args.advertisements[0]?.imageUrl ?? '').pathname).toMatch(/^\/files\/portal\//)
  // Only once, while the device is at work.
  await sweep()
  expect(heard()).toHaveLength(1)
})

it('a group includes its subgroups, and no others', async () => {
  const { groups } = bench.tenants.a
  const { sql } = bench.ctx
  await advertise('branch', { groups: [groups.root] })
  await sweep()
  const rows = await sql<{ name: string; has: boolean }[]>`
    with recursive tree as (select ${groups.root}::int as id union select g.id from groups g join tree on g.parent_id = tree.id)
    select d.sn as name, coalesce(p.desired, '') <> '' as has from devices d left join portal_devices p on p.device_id = d.id
    where d.deleted_at is null and (d.group_id in (select id from tree)) <> (coalesce(p.desired, '') <> '')`
  expect(rows).toEqual([])
  const [count] = await sql<
    { n: number }[]
  >`select count(*)::int as n from portal_devices where desired <> ''`
  expect(count?.n).toBeGreaterThan(0)
})

it('a device that was offline gets it when it is back, and one that replied done is not sent it again', async () => {
  const id = await advertise('late')
  await sweep()
  expect(heard()).toEqual([])
  await bench.greet(device)
  await sweep()
  const [sent] = heard()
  await reply(sent?.id ?? '', 'done', { result: { revision: `${id}.1` } })
  await drain()
  await sweep()
  expect(await of(device)).toMatchObject({ desired: `${id}.1`, reported: `${id}.1`, error: null })
  expect(heard()).toHaveLength(1)
})

it('switched off, the devices are sent the rest; so is one that lost it by a factory reset', async () => {
  const { sql } = bench.ctx
  const id = await advertise('gone')
  await bench.greet(device)
  await shown(device, `${id}.1`)
  await drain()
  await sweep()
  expect(heard()).toEqual([])
  await sql`update advertisements set enabled = false`
  await sweep()
  expect(heard()[0]?.args).toMatchObject({ revision: '', advertisements: [] })
  await sql`delete from commands`
  await sql`update advertisements set enabled = true`
  await shown(device, '')
  await drain()
  await sweep()
  expect(heard().at(-1)?.args.revision).toBe(`${id}.1`)
})

it('a failed try is kept with its reason and repeated later and later', async () => {
  await advertise('broken')
  await bench.greet(device)
  await sweep()
  const fail = async () => {
    await reply(heard().at(-1)?.id ?? '', 'failed', { error: 'HTTP 404' })
    await drain()
    await sweep()
  }
  await fail()
  expect(await of(device)).toMatchObject({ error: 'HTTP 404' })
  expect(heard()).toHaveLength(1)
  bench.pass(121_000)
  await sweep()
  expect(heard()).toHaveLength(2)
  await fail()
  bench.pass(121_000)
  await sweep()
  expect(heard()).toHaveLength(2)
  bench.pass(120_000)
  await sweep()
  expect(heard()).toHaveLength(3)
})

it('devices without the feature are sent nothing', async () => {
  await advertise('not for all')
  await bench.greet(device)
  await bench.ctx.sql`update devices set features = '["reboot"]' where id = ${device.id}`
  await sweep()
  expect(heard()).toEqual([])
})

it('a moved device drops what its former customer showed', async () => {
  const { sql } = bench.ctx
  const id = await advertise('former')
  await shown(device, `${id}.1`)
  await drain()
  await bench.greet(device)
  await sweep()
  const [before] = await sql<{ group_id: number }[]>`select group_id from devices where id = ${device.id}`
  await sql`update devices set customer_id = ${foreign.customerId}, group_id = ${bench.tenants.b.groups.root} where id = ${device.id}`
  await sweep()
  expect(heard()[0]?.args.advertisements).toEqual([])
  await sql`update devices set customer_id = ${device.customerId}, group_id = ${before?.group_id ?? 0} where id = ${device.id}`
})

it('counts are those of the day so far: repeated, late and smaller reports add nothing', async () => {
  const { sql, now } = bench.ctx
  const id = await advertise('counted')
  const day = now().toISOString().slice(0, 10)
  const say = async (who: TestDevice, count: number, clicked: number, on = day) => {
    await shown(who, `${id}.1`, [{ id, day: on, shown: count, clicked }], [id])
    await drain()
  }
  await say(device, 5, 1)
  await say(device, 5, 1)
  await say(device, 12, 2)
  await say(device, 3, 0)
  // Not a customer's own, and days that cannot be.
  await say(foreign, 1000, 1000)
  await say(device, 1000, 1000, '2020-01-01')
  await say(device, 1000, 1000, '2099-01-01')
  const totals =
    await sql`select shown_total::int as shown, clicked_total::int as clicked from advertisements where id = ${id}`
  expect([...totals]).toEqual([{ shown: 12, clicked: 2 }])
  const days =
    await sql`select shown::int, clicked::int from advertisement_days where advertisement_id = ${id}`
  expect([...days]).toEqual([{ shown: 12, clicked: 2 }])
  expect(await of(device)).toMatchObject({ today: [id] })
  const other = bench.tenants.a.devices[1]
  if (other) {
    await say(other, 8, 0)
    const [sum] = await sql<
      { shown: number }[]
    >`select shown_total::int as shown from advertisements where id = ${id}`
    expect(sum?.shown).toBe(20)
  }
})

it('two reports in one batch, of the same device', async () => {
  const { sql, now } = bench.ctx
  const id = await advertise('batched')
  const day = now().toISOString().slice(0, 10)
  await shown(device, '', [{ id, day, shown: 4, clicked: 0 }])
  await shown(device, `${id}.1`, [{ id, day, shown: 7, clicked: 1 }], [id])
  await drain()
  const [sum] = await sql<
    { shown: number }[]
  >`select shown_total::int as shown from advertisements where id = ${id}`
  expect(sum?.shown).toBe(7)
  expect(await of(device)).toMatchObject({ reported: `${id}.1`, today: [id] })
})

it('a report that names an advertisement whose id cannot be is refused before it is kept', () => {
  const today = (...ids: number[]) => ({ at: 0, revision: '1.1', today: ids, counts: [] })
  const accepted = (ids: number[]) => portalShown.payload.safeParse(today(...ids)).success
  expect([[1, 2_147_483_647], [2_147_483_648], [0]].map(accepted)).toEqual([true, false, false])
})

it('a device that is given away at this moment is sent nothing of its former owner', async () => {
  const { sql } = bench.ctx
  await advertise('here')
  await sweepPortalsJob.run(bench.ctx, {})
  await sql`update device_states set online = true where device_id = ${device.id}`
  const { swept } = await sql.begin(async (tx) => {
    await tx`select from devices where id = ${device.id} for update`
    const sweeping = sweepPortalsJob.run(bench.ctx, {})
    await Promise.race([sweeping, setTimeout(500)])
    return { swept: sweeping }
  })
  await swept
  expect(await sql`select from commands`).toHaveLength(0)
  await sweepPortalsJob.run(bench.ctx, {})
  expect(await sql`select from commands`).toHaveLength(1)
})
