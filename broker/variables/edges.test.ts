import { describe, expect, it } from 'vitest'
import type { JobQueue } from '#infra/queue'
import { addTemplate, addTerminal } from '#test/collecting'
import { testContext } from '#test/harness'
import { seedTenants, type TestDevice } from '#test/tenants'
import { crosses, openEdges } from './edges.ts'
import type { Reading } from './reading.ts'
import { openReadings } from './store-readings.ts'

const above = { operator: 'gt', low: 80, high: null, recoverAt: 75, hysteresis: null, bit: null } as const

describe('a limit', () => {
  it.each([
    [79, 81, true],
    // The round decides that it is not over yet.
    [81, 79, true],
    [79, 74, true],
    [81, 74, true],
    [81, 90, false],
    [null, 81, true],
    [null, 70, false],
    [81, null, false],
  ])('> 80, over at 75: from %j to %j is crossed: %j', (before, after, expected) => {
    expect(crosses(above, before, after)).toBe(expected)
  })
})

it('alarms are evaluated when a stored value crosses the limit of a notice, and not otherwise', async () => {
  const context = await testContext()
  const { sql } = context
  const { a } = await seedTenants(context)
  const gateway = a.devices[0] as TestDevice
  const templateId = await addTemplate(sql, a.customerId)
  const terminalId = await addTerminal(sql, gateway, templateId)
  await sql`
    with v as (insert into variables (template_id, slot, name, unit, register_type, address, data_type)
      values (${templateId}, 1, 'Temperature', '°C', 'holding', 0, 'int16') returning id),
    r as (insert into alarm_rules (customer_id, name, kind, severity, scope, time_zone, language, alert_text, recovery_text)
      values (${a.customerId}, 'Hot', 'variable', 'major', 'customer', 'UTC', 'en-US', '', '') returning id)
    insert into alarm_conditions (rule_id, variable_id, variable_name, unit, operator, low, recover_at)
    select r.id, v.id, 'Temperature', '°C', 'gt', 80, 75 from r, v`
  const woken: string[] = []
  const queue = { add: async (job: { name: string }) => void woken.push(job.name) } as unknown as JobQueue
  const edges = openEdges({ sql: () => sql, log: context.log, queue })
  await edges.read()
  const store = openReadings(() => sql, edges)
  const from = Date.now()
  const reading = (n: number, value: number, over: Partial<Reading> = {}): Reading => ({
    deviceId: gateway.id,
    terminalId,
    plan: 1,
    planAt: from + 60_000,
    at: from + n,
    late: false,
    slots: [1],
    vals: [value],
    quality: null,
    texts: null,
    gap: null,
    ...over,
  })
  await store([reading(1, 70)])
  await store([reading(2, 99, { late: true })])
  await store([reading(3, 72)])
  await new Promise((done) => setTimeout(done, 50))
  expect(woken).toEqual([])
  await store([reading(4, 81)])
  await expect.poll(() => woken, { timeout: 2_000 }).toEqual(['evaluateAlarms'])
  await store([reading(5, 82)])
  await store([reading(6, 74)])
  await expect.poll(() => woken.length, { timeout: 2_000 }).toBe(2)
  edges.close()
})
