import { expect, it } from 'vitest'
import { getDeviceDetail } from '#schema/device/device'
import { isTimeZone } from '#schema/kit/rules'
import { offsetMs } from '#schema/kit/zone-time'
import { getOnlineReport } from '#schema/report/online-report'
import { reportRefusals } from '#schema/report/report-refusals'
import { apiTest } from '#test/api-client'

const { context, call, tenants } = await apiTest()
const { sql } = context

it('the database reads every accepted zone as the runtime does', async () => {
  const names = [
    ...Intl.supportedValuesOf('timeZone'),
    ...[
      'UTC',
      'GMT',
      'EST',
      'MST',
      'HST',
      'PRC',
      'ROC',
      'ROK',
      'Japan',
      'NZ',
      'EST5EDT',
      'PST8PDT',
      'W-SU',
      'Zulu',
      'Etc/GMT-8',
    ],
  ]
  const zones = names.filter(isTimeZone)
  expect(zones.length).toBeGreaterThan(400)
  for (const at of [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)]) {
    const rows = await sql<{ zone: string; ms: number }[]>`
      select zone, (extract(epoch from (${new Date(at)}::timestamptz at time zone zone) - ${new Date(at)}::timestamptz at time zone 'UTC') * 1000)::float8 as ms
      from unnest(${zones}::text[]) zone`
    expect(rows.filter(({ zone, ms }) => offsetMs(zone, at) !== ms)).toEqual([])
  }
})

it.each([
  [getOnlineReport.name, { range: '7d' }],
  [getDeviceDetail.name, { deviceId: tenants.a.devices[0]?.id }],
])('a zone that only the runtime knows is refused at its field: %s', async (name, body) => {
  expect(await call(name, { ...body, zone: 'US/Pacific-New' }, tenants.a.admin)).toMatchObject({
    code: reportRefusals.unknownZone.code,
    field: 'zone',
  })
})
