import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ReplyOf } from '#schema/kit/call'
import { sessionRefusals } from '#schema/people/session-refusals'
import type { getOnlineReport } from '#schema/report/online-report'
import { reportRefusals } from '#schema/report/report-refusals'
import type { getSignalReport } from '#schema/report/signal-report'
import type { getTrafficReport } from '#schema/report/traffic-report'
import { HOURS_GONE } from '#schema/tables/retention'
import { packSql } from '#schema/tables/status-pack'
import { apiTest } from '#test/api-client'
import { rollUpFleetJob } from '#workers/report/roll-up-fleet'

type Report = ReplyOf<typeof getOnlineReport>
const { context, call, tenants } = await apiTest()
const { a, b } = tenants
const { sql } = context
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Midnight UTC three days ago. */
const start = (Math.floor(Date.now() / DAY) - 3) * DAY
const day = (days: number) => new Date(start + days * DAY).toISOString().slice(0, 10)
const [root, branch1, branch2, other] = a.devices.map(({ id }) => id)

const online = (deviceId: number | undefined, from: number, to: number, reason = 'keepalive') => sql`
  insert into presence_records (connection_id, device_id, broker_id, online_at, offline_at, reason)
  values (${randomUUID()}, ${deviceId ?? 0}, 'b1', ${new Date(start + from * HOUR)}, ${new Date(start + to * HOUR)}, ${reason})`
const report = async (body: object, who = a.admin) => {
  const answer = await call<Report>('report/getOnlineReport', body, who)
  expect(answer.message).toBe('')
  return answer.data as Report
}
/** The first day of the data, in UTC. */
const first = { range: 'custom', from: day(0), to: day(0), zone: 'UTC' }

beforeAll(async () => {
  await sql`update devices set created_at = ${new Date(start - DAY)}`
  await online(root, 0, 12)
  await online(branch1, 0, 24)
  // Connected for the first time at 6.
  await online(branch2, 6, 9)
  await online(b.devices[0]?.id, 0, 1)
  // The next day its broker ends, and none comes back.
  for (const { id } of b.devices.slice(1)) await online(id, 24, 29, 'brokerStopped')
  await rollUpFleetJob.run({ ...context, line: undefined as never }, {})
})

describe('the online rate', () => {
  it('is seconds online over seconds known; a device that did not exist yet is not offline', async () => {
    const { series, totals, groups, devices, step, at } = await report(first)
    expect([step, at.length]).toEqual(['hour', 24])
    expect(series.percent.slice(4, 8)).toEqual([100, 100, 100, 100])
    expect(series.percent.slice(9, 13)).toEqual([66.67, 66.67, 66.67, 33.33])
    expect(series.devices.slice(4, 8)).toEqual([2, 2, 3, 3])
    // 12 + 24 + 3 of 24 + 24 + 18 hours.
    expect(totals).toMatchObject({ percent: 59.09, knownS: 66 * 3600, onlineS: 39 * 3600 })
    expect(groups.map(({ groupName, percent, devices: count }) => [groupName, percent, count])).toEqual([
      ['Default', 50, 1],
      ['Branch', 64.29, 2],
    ])
    expect(devices.map(({ deviceId, percent, offlineS }) => [deviceId, percent, offlineS])).toEqual([
      [branch2, 16.67, 15 * 3600],
      [root, 50, 12 * 3600],
      [branch1, 100, 0],
    ])
  })

  it('has gaps if nothing is known', async () => {
    const { series, totals } = await report({ ...first, from: day(-2), to: day(-2) })
    expect(series.percent).toEqual(Array(24).fill(null))
    expect(totals.percent).toBeNull()
  })

  it('has a gap while the platform was down, although one device had been offline before', async () => {
    const { series } = await report({ ...first, from: day(1), to: day(1) }, b.admin)
    const share = Math.round((1e4 * (b.devices.length - 1)) / b.devices.length) / 100
    expect(series.percent).toEqual([...Array(5).fill(share), ...Array(19).fill(null)])
  })

  it('divides the days at the viewer’s midnight', async () => {
    // Shanghai's day begins at 16:00 UTC: of its hours 16 to 24 of the first day and on.
    const { series, at, from } = await report({ ...first, from: day(-20), to: day(1), zone: 'Asia/Shanghai' })
    expect(at.at(-2)).toBe(new Date(start - 8 * HOUR).toISOString())
    expect(from).toBe(new Date(start - 20 * DAY - 8 * HOUR).toISOString())
    // 0 to 16 UTC: 12 + 16 + 3 of 16 + 16 + 10 hours; the devices' first half day.
    expect(series.percent.at(-2)).toBe(73.81)
  })

  it('knows days of 23 and 25 hours', async () => {
    // Berlin leaves summer time on 2026-10-25 at 01:00 UTC; by today's retention its hours may be deleted already.
    await sql`update rollup_cursors set at = least(at, '2026-01-01'::timestamptz) where name = ${HOURS_GONE}`
    context.now = () => new Date('2026-10-28T12:00:00Z')
    const { at } = await report({ range: '30d', zone: 'Europe/Berlin' })
    context.now = () => new Date()
    const lengths = at.slice(1).map((next, i) => (Date.parse(next) - Date.parse(at[i] ?? '')) / HOUR)
    expect(at).toHaveLength(30)
    expect(lengths.filter((hours) => hours !== 24)).toEqual([25])
  })

  it.each([
    ['yesterday', '2026-10-31T23:00:00Z', '2026-11-01T23:00:00Z', '2026-10-30T23:00:00Z'],
    // From Monday to Sunday.
    ['lastWeek', '2026-10-25T23:00:00Z', '2026-11-01T23:00:00Z', '2026-10-18T23:00:00Z'],
    // A month of 31 days and an hour, compared with the whole of September.
    ['lastMonth', '2026-09-30T22:00:00Z', '2026-10-31T23:00:00Z', '2026-08-31T22:00:00Z'],
  ])('%s is complete, to its midnight in the zone', async (range, from, to, previousFrom) => {
    await sql`update rollup_cursors set at = least(at, '2026-01-01'::timestamptz) where name = ${HOURS_GONE}`
    context.now = () => new Date('2026-11-02T07:00:00Z')
    const seen = await report({ range, zone: 'Europe/Berlin', previous: true })
    context.now = () => new Date()
    expect([seen.from, seen.to, seen.previousFrom].map((at) => new Date(at ?? 0))).toEqual(
      [from, to, previousFrom].map((at) => new Date(at)),
    )
  })

  it('is compared with the same length of time before', async () => {
    const { previous, totals, previousFrom } = await report({
      ...first,
      from: day(1),
      to: day(1),
      previous: true,
    })
    expect(previousFrom).toBe(new Date(start).toISOString())
    expect(previous?.percent[12]).toBe(33.33)
    expect(totals.previousPercent).toBe(59.09)
  })

  it('can be of a group with those below it, of a model, of a device', async () => {
    expect((await report({ ...first, groupId: a.groups.branch })).totals.percent).toBe(64.29)
    expect((await report({ ...first, groupId: a.groups.root })).totals.percent).toBe(59.09)
    expect((await report({ ...first, model: 'R200' })).totals.percent).toBe(59.09)
    expect((await report({ ...first, model: 'X1' })).totals.percent).toBeNull()
    const single = await report({ ...first, deviceId: root })
    expect(single.totals.percent).toBe(50)
    expect([single.groups, single.devices]).toEqual([[], []])
    expect((await report({ ...first, deviceId: other })).totals.percent).toBeNull()
  })

  it('of a normal user covers their groups', async () => {
    const { totals, groups, devices } = await report(first, a.viewer)
    expect(totals.percent).toBe(64.29)
    expect(groups.map(({ groupName }) => groupName)).toEqual(['Branch'])
    expect(devices.map(({ deviceId }) => deviceId)).toEqual([branch2, branch1])
  })

  it('never contains another customer', async () => {
    expect((await report(first, b.admin)).totals.percent).toBe(4.17)
    const everybody = await report(first, tenants.superAdmin)
    expect(everybody.totals.knownS).toBe(90 * 3600)
    expect(everybody.groups.map(({ customerName }) => customerName)).toContain('Bolt')
    for (const body of [{ groupId: b.groups.root }, { deviceId: b.devices[0]?.id }])
      expect((await call('report/getOnlineReport', { ...first, ...body }, a.admin)).code).toBe(
        sessionRefusals.noPermission.code,
      )
  })

  it('lists devices over days of UTC when the range is long', async () => {
    const { devices, devicesFrom } = await report({
      ...first,
      from: day(-5),
      to: day(1),
      zone: 'Asia/Shanghai',
    })
    expect(devicesFrom).toBe(new Date(start - 6 * DAY).toISOString())
    expect(devices.map(({ deviceId, offlineS }) => [deviceId, offlineS / 3600])).toEqual([
      [branch2, 39],
      [root, 36],
      [branch1, 24],
    ])
  })

  it('refuses ranges backwards, of the future, and longer than a year', async () => {
    const refused = async (body: object) => (await call('report/getOnlineReport', body, a.admin)).code
    expect(await refused({ ...first, from: day(1) })).toBe(reportRefusals.rangeBackwards.code)
    expect(await refused({ range: 'custom' })).toBe(reportRefusals.rangeBackwards.code)
    expect(await refused({ ...first, from: '2999-01-01', to: '2999-01-02' })).toBe(
      reportRefusals.rangeBackwards.code,
    )
    expect(await refused({ ...first, from: '2020-01-01' })).toBe(reportRefusals.rangeTooLong.code)
    expect(await refused({ range: 'today', zone: 'Mars/Base' })).toBe(sessionRefusals.invalid.code)
  })
})

describe('a single device’s day', () => {
  it('is computed from raw data: connections to the minute, samples every ten minutes', async () => {
    const at = (hours: number) => new Date(start + hours * HOUR)
    for (const [hours, dbm, rx] of [
      [1, -60, 1000],
      [1.1, -70, 1600],
      [1.2, null, 400],
      [5, -90, 500],
      // No link is as fast: such a counter is wrong.
      [5.1, -90, 9_000_000_000_000_000],
    ] as const)
      await sql`insert into status_samples (device_id, at, signal_dbm, rx_bytes, tx_bytes) values (${root ?? 0}, ${at(hours)}, ${dbm}, ${rx}, 0)`
    const online = await report({ ...first, deviceId: branch2 })
    expect([online.step, online.at.length]).toEqual(['tenMinutes', 144])
    // Connected from 6 to 9; before, it did not exist.
    expect(online.series.percent.slice(35, 37)).toEqual([null, 100])
    expect(online.series.percent.slice(53, 55)).toEqual([100, 0])
    expect(online.totals).toMatchObject({ onlineS: 3 * 3600, knownS: 18 * 3600 })
    // Packed samples are read like others.
    await sql.unsafe(packSql, [[root ?? 0], new Date(start).toISOString(), '2999-01-01'])
    expect(await sql`select 1 from status_samples`).toHaveLength(0)
    const signal = await call<ReplyOf<typeof getSignalReport>>(
      'report/getSignalReport',
      { ...first, deviceId: root },
      a.admin,
    )
    expect(signal.data?.series.average.slice(5, 8)).toEqual([null, -65, null])
    expect(signal.data?.series.fair[30]).toBe(0)
    expect(signal.data?.series.poor[30]).toBe(100)
    const traffic = await call<ReplyOf<typeof getTrafficReport>>(
      'report/getTrafficReport',
      { ...first, deviceId: root },
      a.admin,
    )
    // The first sample has no difference; the third is after a restart.
    expect(traffic.data?.series.rxBytes.slice(5, 8)).toEqual([null, 600, 400])
    expect(traffic.data?.series.rxBytes[30]).toBe(100)
    await sql`truncate status_samples, status_packs`
  })
})
