/** Traffic, signal and versions: what the online rate's test does not cover for all reports. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { ReplyOf } from '#schema/kit/call'
import type { getSignalReport } from '#schema/report/signal-report'
import type { getTrafficReport } from '#schema/report/traffic-report'
import type { getVersionReport } from '#schema/report/version-report'
import { apiTest } from '#test/api-client'

const { context, call, tenants } = await apiTest()
const { a, b } = tenants
const { sql } = context
const HOUR = 3_600_000
const DAY = 24 * HOUR
const start = (Math.floor(Date.now() / DAY) - 3) * DAY
const at = (hours: number) => new Date(start + hours * HOUR)
const day = (days: number) =>
  at(days * 24)
    .toISOString()
    .slice(0, 10)
const first = { range: 'custom', from: day(0), to: day(0), zone: 'UTC' }
const [root, branch1] = a.devices

const deviceHour = (
  device: { id: number; groupId: number } | undefined,
  hour: number,
  signal: readonly number[],
) => sql`
  insert into device_hours (device_id, hour, customer_id, group_id, known_s, online_s, signal_sum, signal_count, signal_min, signal_max)
  values (${device?.id ?? 0}, ${at(hour)}, ${a.customerId}, ${device?.groupId ?? 0}, 3600, 3600, ${signal.reduce((sum, one) => sum + one, 0)}, ${signal.length},
    ${Math.min(...signal)}, ${Math.max(...signal)})`

beforeAll(async () => {
  const { rollUpFleetJob } = await import('#workers/report/roll-up-fleet')
  await sql`update devices set created_at = ${at(-24)}`
  await deviceHour(root, 0, [-60, -70])
  await deviceHour(root, 1, [-90])
  await deviceHour(branch1, 0, [-100, -100, -100])
  for (const [device, hour, rx] of [
    [root, 0, 1000],
    [root, 30, 50],
    [branch1, 0, 4000],
    [b.devices[0], 0, 77],
  ] as const) {
    await sql`insert into traffic_hours (device_id, hour, rx_bytes, tx_bytes) values (${device?.id ?? 0}, ${at(hour)}, ${rx}, 10)`
    await sql`insert into traffic_days (device_id, day, rx_bytes, tx_bytes) values (${device?.id ?? 0}, ${at(hour).toISOString().slice(0, 10)}, ${rx}, 10)`
    await sql`insert into stale_hours (hour) values (${at(hour)}) on conflict do nothing`
  }
  await deviceHour(root, 30, [-50])
  await sql`insert into stale_hours (hour) values (${at(1)})`
  await rollUpFleetJob.run({ ...context, line: undefined as never }, {})
})

describe('the traffic report', () => {
  const read = async (body: object, who = a.admin) =>
    (await call<ReplyOf<typeof getTrafficReport>>('report/getTrafficReport', body, who)).data

  it('adds bytes by hour; an hour without any is a gap, not zero', async () => {
    const report = await read(first)
    expect(report?.series.rxBytes.slice(0, 3)).toEqual([5000, null, null])
    expect(report?.totals).toMatchObject({ rxBytes: 5000, txBytes: 20 })
    expect(report?.groups.map(({ groupName, rxBytes }) => [groupName, rxBytes])).toEqual([
      ['Branch', 4000],
      ['Default', 1000],
    ])
    expect(report?.devices.map(({ deviceId, rxBytes }) => [deviceId, rxBytes])).toEqual([
      [branch1?.id, 4000],
      [root?.id, 1000],
    ])
  })

  it('compares with the period before', async () => {
    const report = await read({ ...first, from: day(1), to: day(1), previous: true })
    expect(report?.totals).toMatchObject({ rxBytes: 50, previousRxBytes: 5000 })
    expect(report?.previous?.rxBytes[0]).toBe(5000)
  })

  it('compares no sums with a period of which less is known: the first month is not 30 times the one before', async () => {
    const report = await read({ range: 'custom', from: day(0), to: day(1), zone: 'UTC', previous: true })
    expect(report?.totals).toMatchObject({ rxBytes: 5050, previousRxBytes: null, previousTxBytes: null })
    await sql`insert into traffic_hours (device_id, hour, rx_bytes, tx_bytes) values (${root?.id ?? 0}, ${at(-20)}, 7, 7)`
    await sql`insert into traffic_days (device_id, day, rx_bytes, tx_bytes) values (${root?.id ?? 0}, ${day(-1)}, 7, 7)`
    await deviceHour(root, -20, [-60])
    await sql`insert into stale_hours (hour) values (${at(-20)})`
    const { rollUpFleetJob } = await import('#workers/report/roll-up-fleet')
    await rollUpFleetJob.run({ ...context, line: undefined as never }, {})
    const again = await read({ range: 'custom', from: day(0), to: day(1), zone: 'UTC', previous: true })
    expect(again?.previous?.rxBytes.filter((value) => value !== null)).toEqual([7])
    expect(again?.totals.previousRxBytes).toBeNull()
  })

  it('of a normal user covers their groups', async () => {
    expect((await read(first, a.viewer))?.totals.rxBytes).toBe(4000)
  })
})

describe('the signal report', () => {
  const read = async (body: object, who = a.admin) =>
    (await call<ReplyOf<typeof getSignalReport>>('report/getSignalReport', body, who)).data

  it('weighs each device alike, however often it reports, and counts devices by bands', async () => {
    const report = await read(first)
    // −65 and −100.
    expect(report?.series.average.slice(0, 3)).toEqual([-82.5, -90, null])
    expect(report?.series.min[0]).toBe(-100)
    expect(report?.series.max[0]).toBe(-60)
    expect(report?.series.excellent.slice(0, 3)).toEqual([50, 0, null])
    expect(report?.series.poor.slice(0, 3)).toEqual([50, 100, null])
    expect(report?.totals).toMatchObject({ min: -100, max: -60, poorPercent: 66.7 })
  })

  it('lists the worst devices first, by all their samples', async () => {
    const report = await read(first)
    expect(report?.devices.map(({ deviceId, average, samples }) => [deviceId, average, samples])).toEqual([
      [branch1?.id, -100, 3],
      [root?.id, -73.3, 3],
    ])
    expect(report?.groups.map(({ groupName, average }) => [groupName, average])).toEqual([
      ['Branch', -100],
      ['Default', -77.5],
    ])
  })
})

describe('the version report', () => {
  it('counts models and firmwares now, and by day since counting began', async () => {
    await sql`update devices set firmware = '1.1.0' where id = ${root?.id ?? 0}`
    const read = async (who = a.admin, body: object = {}) =>
      (
        await call<ReplyOf<typeof getVersionReport>>(
          'report/getVersionReport',
          { range: '7d', zone: 'UTC', ...body },
          who,
        )
      ).data
    const report = await read()
    expect(report?.current).toEqual([
      { model: 'R200', firmware: '1.0.0', devices: 3 },
      { model: 'R200', firmware: '1.1.0', devices: 1 },
    ])
    expect(report?.firmwares).toEqual(['1.0.0'])
    expect(report?.days).toHaveLength(7)
    expect(report?.history[0]).toEqual([null, null, null, null, null, null, 4])
    const confined = await read(a.viewer)
    expect(confined?.current).toEqual([{ model: 'R200', firmware: '1.0.0', devices: 2 }])
    expect(confined?.history[0]?.at(-1)).toBe(2)
    expect((await read(a.admin, { groupId: a.groups.branch }))?.history[0]?.at(-1)).toBe(2)
    expect((await read(b.admin))?.current).toEqual([{ model: 'R200', firmware: '1.0.0', devices: 4 }])
  })

  it('sums up the rest only where it is two or more', async () => {
    const firmwaresOf = async (count: number) => {
      await sql`
        insert into version_days (day, customer_id, group_id, model, firmware, devices)
        select day, customer_id, group_id, 'R300', '3.0.' || n, 1 from version_days, generate_series(1, ${count}) n
        where model = 'R200' on conflict do nothing`
      const report = await call<ReplyOf<typeof getVersionReport>>(
        'report/getVersionReport',
        { range: '7d', zone: 'UTC', model: 'R300' },
        a.admin,
      )
      return report.data?.firmwares
    }
    expect(await firmwaresOf(6)).toEqual(['3.0.1', '3.0.2', '3.0.3', '3.0.4', '3.0.5', '3.0.6'])
    expect(await firmwaresOf(7)).toEqual(['3.0.1', '3.0.2', '3.0.3', '3.0.4', '3.0.5', '*'])
  })
})
