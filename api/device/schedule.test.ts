import { expect, it } from 'vitest'
import { deviceRefusals } from '#schema/device/device-refusals'
import { apiTest } from '#test/api-client'

const { call, tenants, context } = await apiTest()
const { admin, devices } = tenants.a
const deviceId = devices[0]?.id ?? 0
const save = (body: object) =>
  call('schedule/saveSchedule', { deviceId, kind: 'daily', time: '03:00', timeZone: 'UTC', ...body }, admin)

it('a device that restarts at no set time gets no schedule; an earlier one can be ended', async () => {
  const has = (features: string[] | null) =>
    context.sql`update devices set features = ${features && context.sql.json(features)} where id = ${deviceId}`
  for (const features of [null, ['setSchedule'], ['scheduledReboot']]) {
    await has(features)
    expect(await save({})).toMatchObject({ code: 0, data: { nextRunAt: expect.any(String) } })
  }
  await has(['reboot'])
  expect(await save({})).toMatchObject({ code: deviceRefusals.deviceUnsupported.code, field: 'deviceId' })
  expect(await save({ enabled: false })).toMatchObject({ code: 0, data: { nextRunAt: null } })
})
