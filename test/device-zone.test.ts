/** Times are also shown in the device's zone: lists about devices contain it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { apiTest } from './api-client.ts'
import type { Furnished } from './furnish.ts'
import { furnishAll } from './furnish-all.ts'

const { call, context, tenants } = await apiTest()
const { a, b } = tenants
const shared: Furnished['shared'] = {}
type Listed = { list: { deviceSn: string; timeZone: string | null }[] }
const zones = async (name: string, body: object = {}) => {
  const answer = await call<Listed>(name, body, a.admin)
  return new Map(answer.data?.list.map(({ deviceSn, timeZone }) => [deviceSn, timeZone]))
}

describe("a device's own zone", () => {
  beforeAll(async () => {
    Object.assign(shared, (await furnishAll(context, a)).shared)
    await context.sql`update devices set time_zone = 'Europe/Berlin' where customer_id = ${a.customerId}`
  })

  it.each([
    ['printer/getPrinterList', () => ({})],
    ['terminal/getTerminalList', () => ({})],
    ['task/getTaskItems', () => ({ taskId: shared['taskId'] })],
  ])('is in %s', async (name, body) => {
    expect((await zones(name, body())).get('Acme-R-00000')).toBe('Europe/Berlin')
  })

  it('is in the list of abnormal devices', async () => {
    expect([...(await zones('device/getUnusualList')).values()]).toEqual(['Europe/Berlin', 'Europe/Berlin'])
  })

  it.each([['task/getTaskItems', () => ({ taskId: shared['taskId'] })]])(
    '%s does not tell it of a device that is somebody else’s by now',
    async (name, body) => {
      const { sql } = context
      const id = a.devices[0]?.id ?? 0
      await sql`update devices set customer_id = ${b.customerId}, group_id = ${b.groups.root} where id = ${id}`
      expect((await zones(name, body())).get('Acme-R-00000')).toBeNull()
      await sql`update devices set customer_id = ${a.customerId}, group_id = ${a.groups.root} where id = ${id}`
    },
  )
})
