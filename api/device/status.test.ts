import { describe, expect, it } from 'vitest'
import { figureList } from '#schema/device/figure'
import type { getStatusChart } from '#schema/device/status'
import type { ReplyOf } from '#schema/kit/call'
import { packSql } from '#schema/tables/status-pack'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a } = tenants
const { sql } = context
type Chart = ReplyOf<typeof getStatusChart>

/** Minutes ago, uptime, rx, signal. */
type Sample = [minutesAgo: number, uptimeS: number, rxBytes: number, signalDbm: number | null]

async function report(deviceId: number, samples: Sample[]): Promise<void> {
  for (const [minutesAgo, uptimeS, rxBytes, signalDbm] of samples)
    await sql`insert into status_samples (device_id, at, uptime_s, rx_bytes, tx_bytes, signal_dbm, memory_used_percent)
      values (${deviceId}, now() - ${minutesAgo} * interval '1 minute', ${uptimeS}, ${rxBytes}, ${rxBytes / 10}, ${signalDbm}, 50)`
}

/** Ten buckets of six minutes: the last hour. */
async function chart(deviceId: number): Promise<Chart> {
  const answer = await call<Chart>('device/getStatusChart', { deviceId, hours: 1, buckets: 10 }, a.admin)
  expect(answer.message).toBe('')
  return answer.data as Chart
}
const device = (i: number) => a.devices[i]?.id ?? 0

describe('the status chart', () => {
  it('averages a bucket and leaves gaps empty: unknown is not zero', async () => {
    await report(device(0), [
      [57, 100, 1000, -60],
      [56, 160, 1000, -70],
      [3, 3340, 5000, -80],
    ])
    const found = await chart(device(0))
    expect(found.at).toHaveLength(10)
    expect(found.signalDbm).toEqual([-65, null, null, null, null, null, null, null, null, -80])
    expect(found.memoryUsedPercent).toEqual([50, null, null, null, null, null, null, null, null, 50])
    expect(found.load1.every((value) => value === null)).toBe(true)
  })

  it('returns traffic as differences; the very first sample has none', async () => {
    const found = await chart(device(0))
    expect(found.rxBytes).toEqual([0, null, null, null, null, null, null, null, null, 4000])
    expect(found.txBytes[9]).toBe(400)
    await report(device(1), [[30, 100, 770, null]])
    expect((await chart(device(1))).rxBytes.every((value) => value === null)).toBe(true)
  })

  it('of the first year is refused, which PostgreSQL could not be asked for', async () => {
    const asked = { deviceId: device(0), hours: 744, to: '0001-01-01T00:00:00Z' }
    expect(await call('device/getStatusChart', asked, a.admin)).toMatchObject({ status: 200, field: 'to' })
  })

  it('takes the difference to the sample before the range', async () => {
    await report(device(1), [[90, 50, 700, null]])
    const found = await chart(device(1))
    expect(found.rxBytes.filter((value) => value !== null)).toEqual([70])
  })

  it('counts from zero again after a restart, detected by the counter or by the uptime', async () => {
    await report(device(2), [
      [50, 1000, 5000, null],
      // Restarted: the counter decreased.
      [44, 10, 300, null],
      [38, 370, 800, null],
      // Restarted: the counter is higher than before, but the uptime is lower.
      [32, 5, 900, null],
    ])
    const found = await chart(device(2))
    expect(found.rxBytes.filter((value) => value !== null)).toEqual([300, 500, 900])
  })

  it('returns the raw samples, newest first, within a time range', async () => {
    const answer = await call<{ list: { rxBytes: number }[]; total: number }>(
      'device/getStatusHistory',
      { deviceId: device(2), limit: 2 },
      a.admin,
    )
    expect(answer.data).toMatchObject({ total: 4, list: [{ rxBytes: 900 }, { rxBytes: 800 }] })
    const from = new Date(Date.now() - 40 * 60_000).toISOString()
    const recent = await call<{ total: number }>(
      'device/getStatusHistory',
      { deviceId: device(2), from },
      a.admin,
    )
    expect(recent.data?.total).toBe(2)
  })
})

it.each(figureList)(
  '$name is in the latest values, the history and the chart',
  async ({ name, column, reading }) => {
    const value = Math.round(((reading.minValue ?? 0) + (reading.maxValue ?? 0)) / 2)
    const [{ id = 0 } = {}] = await sql<{ id: number }[]>`
    insert into devices (customer_id, group_id, sn, name, secret_hash)
    values (${a.customerId}, ${a.groups.root}, ${`FIGURE-${name}`}, 'Figure', 'x') returning id`
    await sql`insert into device_states ${sql({ device_id: id, [column]: value })}`
    await sql`insert into status_samples ${sql({ device_id: id, at: new Date(Date.now() - 60_000), rx_bytes: 0, tx_bytes: 0, [column]: value })}`
    const asked = { deviceId: id }
    expect((await call('device/getDeviceDetail', asked, a.admin)).data).toMatchObject({ [name]: value })
    expect((await call('device/getStatusHistory', asked, a.admin)).data).toMatchObject({
      list: [{ [name]: value }],
    })
    expect((await chart(id))[name].filter((known) => known !== null)).toEqual([value])
  },
)

describe('the range of the charts of a device', () => {
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const ask = (name: string, range: object) =>
    call<Chart>(name, { deviceId: device(3), buckets: 10, ...range }, a.admin)

  it('is the one asked for, and ends now at the latest', async () => {
    await report(device(3), [
      [30 * 60, 100, 1000, -60],
      [26 * 60, 14_500, 3000, -80],
      [1, 108_000, 9000, -70],
    ])
    const past = (await ask('device/getStatusChart', { from: ago(32), to: ago(24) })).data as Chart
    expect(past.signalDbm).toEqual([null, null, -60, null, null, null, null, -80, null, null])
    expect(past.rxBytes.filter((value) => value !== null)).toEqual([2000])
    const open = (await ask('device/getStatusChart', { from: ago(1), to: ago(-24) })).data as Chart
    expect(open.signalDbm.at(-1)).toBe(-70)
  })

  it.each(['device/getStatusChart', 'device/getProbeChart'])(
    '%s refuses a range backwards or too long',
    async (name) => {
      expect(await ask(name, { from: ago(1), to: ago(2) })).toMatchObject({ code: 261, field: 'from' })
      expect(await ask(name, { from: ago(32 * 24) })).toMatchObject({ code: 262 })
      expect(await ask(name, { from: ago(31 * 24), to: ago(0) })).toMatchObject({ code: 0 })
    },
  )
})

it('the chart and the list read packed samples like others', async () => {
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
  const deviceId = device(3)
  await report(deviceId, [
    [75 * 60, 100, 100, -90],
    [74 * 60, 3_700, 10_000, -95],
    [73 * 60, 7_300, 90_000, -91],
    [51 * 60, 100, 20, -92],
  ])
  const range = { deviceId, from: ago(76), to: ago(49) }
  const ask = async () => {
    const answers = await Promise.all([
      call<Chart>('device/getStatusChart', { ...range, buckets: 10 }, a.admin),
      call('device/getStatusHistory', { deviceId, offset: 1, limit: 20 }, a.admin),
      call('device/getStatusHistory', { ...range, offset: 1, limit: 2 }, a.admin),
    ])
    for (const { code, message } of answers) expect([code, message]).toEqual([0, ''])
    return answers.map(({ data }) => data)
  }
  const before = await ask()
  expect(JSON.stringify(before)).toContain('90000')
  const days = await sql<{ day: string }[]>`
    select distinct date_trunc('day', at, 'UTC')::text as day from status_samples where device_id = ${deviceId} and at < ${ago(48)}`
  for (const { day } of days) await sql.unsafe(packSql, [[deviceId], day, '2999-01-01'])
  expect((await sql`select 1 from status_packs where device_id = ${deviceId}`).length).toBe(days.length)
  expect(
    await sql`select 1 from status_samples where device_id = ${deviceId} and at < ${ago(49)}`,
  ).toHaveLength(0)
  expect(await ask()).toEqual(before)
})
