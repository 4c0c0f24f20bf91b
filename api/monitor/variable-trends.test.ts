/** The small picture beside each value: the last day by the hour. */
import { expect, it } from 'vitest'
import { ensurePartitions } from '#infra/partitions'
import { TREND_HOURS } from '#schema/monitor/variable-values'
import { apiTest } from '#test/api-client'
import { addTemplate, addTerminal } from '#test/collecting'
import type { TestDevice } from '#test/tenants'

const { call, tenants, context } = await apiTest()
const { sql } = context
const { a } = tenants
const device = a.devices[0] as TestDevice
const templateId = await addTemplate(sql, a.customerId)
const terminalId = await addTerminal(sql, device, templateId)
await sql`
  insert into variables (template_id, slot, name, unit, register_type, address, data_type)
  select ${templateId}, slot, 'V' || slot, 'V', 'holding', slot, 'uint16' from generate_series(0, 1) slot`
await sql`update terminals set template_since = now() - interval '20 hours' where id = ${terminalId}`

const hour = (ago: number, mean: number, knownS = 3_600) => sql`
  insert into variable_hours (at, integral, known_s, terminal_id, good, bad, first_ms, last_ms, slot, stands)
  values (date_trunc('hour', now()) - make_interval(hours => ${ago}), ${mean * knownS}, ${knownS}, ${terminalId}, 60, 0, 0, 0, 0, true)`
type Listed = { list: { slot: number; trend: (number | null)[] }[] }
const trendOf = async (slot: number, body: object = {}) =>
  (await call<Listed>('variable/getVariableValues', { terminalId, ...body }, a.admin)).data?.list.find(
    (row) => row.slot === slot,
  )?.trend

it('has the means of the hours that are known, gaps for the others, and nothing of another template', async () => {
  await hour(1, 230)
  await hour(3, 228)
  // Known for less than half of it, and before the terminal had this template.
  await hour(2, 900, 1_000)
  await hour(22, 7)
  const trend = await trendOf(0)
  expect(trend).toHaveLength(TREND_HOURS)
  expect(trend?.slice(-3)).toEqual([228, null, 230])
  expect(trend?.filter((mean) => mean !== null)).toHaveLength(2)
  expect(await trendOf(1)).toEqual([])
})

it('shows what was measured before a spare that came to the customer later became the gateway of the terminal', async () => {
  await sql`update devices set owned_since = now() - interval '2 hours' where id = ${device.id}`
  expect((await trendOf(0))?.filter((mean) => mean !== null)).toEqual([228, 230])
})

it('of a terminal in its first hours shows samples of the last two', async () => {
  const [fresh] = await sql<{ id: number }[]>`
    insert into terminals (device_id, name, template_id, template_since, protocol, slave_id, slave_address)
    values (${device.id}, 'Fresh', ${templateId}, now() - interval '1 hour', 'modbusTcp', 99, '192.0.2.1') returning id`
  await sql`update devices set owned_since = null where id = ${device.id}`
  await ensurePartitions(sql, context.now(), { daysBack: 1, tables: ['variable_reports'] })
  await sql`
    insert into variable_reports (at, terminal_id, plan, slots, vals)
    select now() - n * interval '1 minute', ${fresh?.id ?? 0}, 1, '{1,0}', array[5, n] from generate_series(1, 90) n`
  const { data } = await call<{ list: { slot: number; trend: (number | null)[]; trendMinutes: number }[] }>(
    'variable/getVariableValues',
    { terminalId: fresh?.id },
    a.admin,
  )
  const [first] = data?.list.filter(({ slot }) => slot === 0) ?? []
  expect(first?.trendMinutes).toBe(5)
  const known = first?.trend.filter((value) => value !== null) ?? []
  // Nothing of before it had this template.
  expect(known.length).toBeGreaterThanOrEqual(10)
  expect(known.length).toBeLessThanOrEqual(12)
  expect(Number(known[0])).toBeGreaterThan(Number(known.at(-1)))
})
