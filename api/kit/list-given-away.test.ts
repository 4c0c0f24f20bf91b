import { expect, it } from 'vitest'
import { apiTest } from '#test/api-client'
import { meanwhile } from '#test/meanwhile'

const { call, tenants, context } = await apiTest()
const { sql } = context
const { a, b } = tenants

it.each([
  // `read` is a table that only the columns of the page are read from, not the ids of its rows.
  { name: 'device/getDeviceList', read: 'commands' },
  { name: 'monitorStatus/getMonitorStatus', read: 'presence_records' },
])(
  '$name does not show a device that is given to another customer while its page is read',
  async ({ name, read }) => {
    const [device] = await sql<
      { id: number }[]
    >`select id from devices where customer_id = ${a.customerId} order by id limit 1`
    const id = device?.id ?? 0
    await sql`
    with template as (
      insert into collection_templates (customer_id, name, type) values (${a.customerId}, ${name}, 'other') returning id)
    insert into terminals (device_id, template_id, name, protocol) select ${id}, id, ${name}, 'modbusTcp' from template`
    const shown = async () =>
      ((await call(name, {}, a.admin)).data as { list: { deviceId: number }[] }).list.map(
        ({ deviceId }) => deviceId,
      )
    expect(await shown()).toContain(id)
    const list = await meanwhile(sql, shown, async (tx) => {
      await tx`lock table ${tx(read)} in access exclusive mode`
      await tx`update devices set customer_id = ${b.customerId}, group_id = ${b.groups.root} where id = ${id}`
    })
    expect(list).not.toContain(id)
  },
)
