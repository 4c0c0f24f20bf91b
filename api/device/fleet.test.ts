import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { getFleetSummary } from '#schema/device/fleet'
import type { ReplyOf } from '#schema/kit/call'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a, b } = tenants
const { sql } = context
type Summary = ReplyOf<typeof getFleetSummary>

const id = (i: number) => a.devices[i]?.id ?? 0
const hours = (n: number) => new Date(Date.now() - n * 3_600_000)
const summary = async (who: { username: string } = a.admin) =>
  (await call<Summary>('fleet/getFleetSummary', {}, who)).data as Summary

async function connected(deviceId: number, from: Date, to: Date | null): Promise<void> {
  await sql`insert into presence_records (connection_id, device_id, broker_id, online_at, offline_at) values (${randomUUID()}, ${deviceId}, 'b', ${from}, ${to})`
}

describe('the fleet summary', () => {
  it('counts devices online, offline and never seen, of the own customer', async () => {
    await sql`update device_states set online = true, online_changed_at = now() where device_id in ${sql([id(0), id(1)])}`
    await sql`update device_states set online_changed_at = now() where device_id = ${id(2)}`
    await sql`update device_states set online = true, online_changed_at = now() where device_id = ${b.devices[0]?.id ?? 0}`
    expect(await summary()).toMatchObject({
      online: 2,
      offline: 1,
      neverSeen: 1,
      states: [
        { state: 'online', count: 2 },
        { state: 'offline', count: 1 },
        { state: 'neverSeen', count: 1 },
      ],
      firmwares: [{ value: '1.0.0', count: 4 }],
    })
    expect(await summary(a.viewer)).toMatchObject({ online: 1, offline: 1, neverSeen: 0 })
  })

  it('draws the online share of 24 hours, unknown before the first device was seen', async () => {
    await sql`update device_states set online_changed_at = ${hours(12)}, last_login_at = ${hours(12)} where device_id in ${sql(a.devices.map((device) => device.id))}`
    for (const device of a.devices) await connected(device.id, hours(12), hours(12))
    // One of four from 6 h to 3 h ago, another since 4 h ago.
    await connected(id(0), hours(6), hours(3))
    await connected(id(1), hours(4), null)
    await connected(b.devices[0]?.id ?? 0, hours(23), null)
    const { onlineShare } = await summary()
    const at = (n: number) => {
      const wanted = hours(n).getTime()
      const i = onlineShare.at.findIndex((moment) => new Date(moment).getTime() >= wanted)
      return onlineShare.percent[i]
    }
    expect([at(20), at(13), at(11), at(5), at(3.5), at(2), at(0.01)]).toEqual([null, null, 0, 25, 50, 25, 25])
    expect(onlineShare.at).toHaveLength(145)
  })

  it('leaves a gap while the platform was down, and counts who was offline before and who did not return', async () => {
    await sql`delete from presence_records`
    await sql`update device_states set last_login_at = ${hours(60)} where device_id in ${sql(a.devices.map((device) => device.id))}`
    const ended = (i: number, reason: string, from: Date, to: Date) =>
      sql`insert into presence_records (connection_id, device_id, broker_id, online_at, offline_at, reason)
        values (${randomUUID()}, ${id(i)}, 'b', ${from}, ${to}, ${reason})`
    // One of four was offline before; three lose the broker for two hours, and two return.
    await ended(3, 'socketClosed', hours(60), hours(12))
    for (const i of [0, 1, 2]) await ended(i, 'brokerStopped', hours(60), hours(6))
    for (const i of [0, 1]) await connected(id(i), hours(4), null)
    const { onlineShare } = await summary()
    const at = (n: number) =>
      onlineShare.percent[
        onlineShare.at.findIndex((moment) => new Date(moment).getTime() >= hours(n).getTime())
      ]
    expect([at(20), at(8), at(5), at(3), at(0.01)]).toEqual([100, 75, null, 50, 50])
  })

  it('counts connections that began before the day and are still open', async () => {
    await sql`delete from presence_records`
    await sql`update device_states set last_login_at = ${hours(60)} where device_id in ${sql(a.devices.map((device) => device.id))}`
    await connected(id(0), hours(60), null)
    await connected(id(2), hours(48), hours(30))
    const { onlineShare } = await summary()
    expect(new Set(onlineShare.percent)).toEqual(new Set([25]))
  })

  it('of a large fleet is that of the hours which the reports have summed, and of now', async () => {
    const [customerId, groupId] = [b.customerId, b.groups.root]
    await sql`insert into devices (customer_id, group_id, sn, name, model, firmware)
      select ${customerId}, ${groupId}, 'LF-' || n, 'LF ' || n, 'R200', '1.0.0' from generate_series(1, 5100) n`
    await sql`insert into device_states (device_id, online, online_changed_at, last_login_at)
      select id, id % 4 = 0, now(), now() from devices where sn like 'LF-%'
      on conflict (device_id) do update set online = excluded.online, online_changed_at = excluded.online_changed_at`
    const hour = (back: number) => new Date((Math.floor(Date.now() / 3_600_000) - back) * 3_600_000)
    const figures = {
      devices: 5100,
      signal_sum: 0,
      signal_devices: 0,
      excellent: 0,
      good: 0,
      fair: 0,
      poor: 0,
    }
    const row = (of: number, back: number, online_s: number, more = {}) => ({
      ...figures,
      customer_id: of,
      group_id: 0,
      model: '*',
      hour: hour(back),
      known_s: 1000,
      online_s,
      ...more,
    })
    await sql`insert into fleet_hours ${sql([
      row(customerId, 1, 900),
      row(customerId, 24, 700),
      row(customerId, 25, 100),
      row(customerId, 2, 50, { model: 'R200' }),
      row(a.customerId, 2, 10),
      row(0, 2, 10),
    ])}`
    const { onlineShare, online, offline } = await summary(b.admin)
    const shares = onlineShare.percent
    expect(onlineShare.at).toHaveLength(25)
    expect(new Date(onlineShare.at[0] ?? 0)).toEqual(hour(23))
    expect([shares[0], shares[23]]).toEqual([70, 90])
    expect(shares.slice(1, 23).every((share) => share === null)).toBe(true)
    expect(shares[24]).toBeCloseTo((100 * online) / (online + offline))
    // A small part of it is still drawn from its connections.
    expect((await summary(a.viewer)).onlineShare.at).toHaveLength(145)
    await sql`delete from devices where sn like 'LF-%'`
  })

  it('a device that was never seen does not lower the online share', async () => {
    await sql`update device_states set online_changed_at = null, last_login_at = null where device_id in ${sql([id(2), id(3)])}`
    const { onlineShare } = await summary()
    expect(new Set(onlineShare.percent)).toEqual(new Set([50]))
  })
})
