import { expect, it } from 'vitest'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { a } = tenants
type Traffic = {
  todayBytes: number | null
  monthBytes: number | null
  days: { day: string; rxBytes: number | null }[]
}

it('a day of traffic begins at the viewer’s midnight', async () => {
  const deviceId = a.devices[0]?.id ?? 0
  // Kiritimati is 14 hours ahead: its day is the next one for most of UTC's.
  const zone = 'Pacific/Kiritimati'
  const [here] = await context.sql<{ today: string; began: Date }[]>`
    select (now() at time zone ${zone})::date::text as today, date_trunc('day', now(), ${zone}) as began`
  const began = here?.began ?? new Date()
  await context.sql`insert into traffic_hours (device_id, hour, rx_bytes, tx_bytes) values
    (${deviceId}, ${began}, 100, 1), (${deviceId}, ${new Date(began.getTime() - 3_600_000)}, 7, 0)`
  const { data } = await call<{ traffic: Traffic }>('device/getDeviceDetail', { deviceId, zone }, a.admin)
  expect(data?.traffic.todayBytes).toBe(101)
  expect(data?.traffic.days.at(-1)).toEqual({ day: here?.today, rxBytes: 100, txBytes: 1 })
  expect(data?.traffic.days.at(-2)).toMatchObject({ rxBytes: 7 })
  expect(data?.traffic.days.at(-3)).toMatchObject({ rxBytes: null })
})

it('the first hours of the month and of the first day shown count, east of Greenwich too', async () => {
  const deviceId = a.devices[1]?.id ?? 0
  const zone = 'Pacific/Kiritimati'
  const [here] = await context.sql<{ month: Date; first: Date }[]>`
    select date_trunc('month', now(), ${zone}) as month, date_trunc('day', now(), ${zone}) - interval '6 days' as first`
  const hours = [...new Set([here?.month, here?.first].map((at) => at?.getTime() ?? 0))]
  for (const hour of hours)
    await context.sql`insert into traffic_hours (device_id, hour, rx_bytes, tx_bytes) values (${deviceId}, ${new Date(hour)}, 5, 0)`
  const { data } = await call<{ traffic: Traffic }>('device/getDeviceDetail', { deviceId, zone }, a.admin)
  expect(data?.traffic.days[0]?.rxBytes).toBe(5)
  expect(data?.traffic.monthBytes).toBe(
    5 * hours.filter((hour) => hour >= (here?.month.getTime() ?? 0)).length,
  )
})
