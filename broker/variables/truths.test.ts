/** Where the condition of a notice begins and ends to hold is stored with the report that did it. */
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { qualityCode } from '#schema/monitor/fields'
import type { Operator } from '#schema/monitor/notice/variable-condition'
import { addTemplate, addTerminal } from '#test/collecting'
import { testContext } from '#test/harness'
import { addDevices, seedTenants } from '#test/tenants'
import { until } from '#test/walks/until'
import type { Reading } from './reading.ts'
import { openReadings } from './store-readings.ts'
import { openTruths } from './truths.ts'

const context = await testContext()
const { sql, log } = context
const { a } = await seedTenants(context)
const [device] = await addDevices(sql, a.customerId, a.groups.branch, 'TRUTH-', 1)
if (!device) throw new Error('no device')
const of = { ...device, customerId: a.customerId }
const began = Date.now() - 60_000

let terminalId = 0
let ruleId = 0
let store: ReturnType<typeof openReadings>
/** Another process, which has read the notices. */
const broker = () => openReadings(() => sql, openTruths({ sql: () => sql, log, now: () => new Date() }))

async function watch(
  operator: Operator,
  low: number | null,
  recoverAt: number | null = null,
  formula: string | null = null,
) {
  const [rule] = await sql<{ id: number }[]>`
    insert into alarm_rules (customer_id, name, kind, severity, scope, time_zone, language, alert_text, recovery_text)
    values (${a.customerId}, 'hot', 'variable', 'major', 'customer', 'UTC', 'en-US', '', '') returning id`
  await sql`
    insert into alarm_conditions (rule_id, variable_id, variable_name, unit, operator, low, recover_at, formula)
    select ${rule?.id ?? 0}, v.id, 'T', '°C', ${operator}, ${low}, ${recoverAt}, ${formula}
    from variables v join terminals t on t.template_id = v.template_id where t.id = ${terminalId} and v.slot = 1`
  ruleId = rule?.id ?? 0
  store = broker()
}
beforeEach(async () => {
  await sql`truncate alarm_rules, alarms, terminals, collection_templates, variable_reports cascade`
  const templateId = await addTemplate(sql, a.customerId)
  await sql`
    insert into variables (template_id, slot, name, unit, data_type, report_type)
    select ${templateId}, n, 'V' || n, '°C', 'float32', 'both' from generate_series(0, 1) n`
  terminalId = await addTerminal(sql, of, templateId)
  await sql`update terminals set template_since = ${new Date(began)}`
})

const reading = (seconds: number, value: number | null, over: Partial<Reading> = {}): Reading => ({
  deviceId: of.id,
  terminalId,
  plan: 1,
  planAt: Date.now() + 60_000,
  at: began + seconds * 1000,
  late: false,
  slots: [0, 1],
  vals: [0, value],
  quality: null,
  texts: null,
  gap: null,
  ...over,
})
const turns = async () =>
  (
    await sql<{ at: Date; holds: boolean; value: number }[]>`
      select at, holds, value from variable_truths where terminal_id = ${terminalId} order by at`
  ).map(({ at, holds, value }) => [(at.getTime() - began) / 1000, holds, value])

describe('with the report', () => {
  it('each change is stored, an unchanged truth is not', async () => {
    await watch('gt', 80, 75)
    await store([reading(0, 70), reading(1, 81), reading(2, 90)])
    await store([reading(3, 77)])
    await store([reading(4, 74), reading(5, 82), reading(6, 60)])
    expect(await turns()).toEqual([
      [1, true, 81],
      [4, false, 74],
      [5, true, 82],
      [6, false, 60],
    ])
  })

  it('reports that are late, older than the newest, repeated or bad change nothing', async () => {
    await watch('gt', 80)
    await store([reading(10, 70)])
    await store([reading(5, 90), reading(11, 90, { late: true }), reading(10, 90)])
    await store([reading(12, null, { quality: [0, qualityCode('crc')] })])
    expect(await turns()).toEqual([])
    await store([reading(13, 90)])
    await store([reading(13, 90)])
    expect(await turns()).toEqual([[13, true, 90]])
  })

  it('of bad quality, but not of a slave that does not answer', async () => {
    await watch('bad', null)
    await store([reading(0, 70)])
    await store([reading(1, null, { quality: [0, qualityCode('slaveOffline')] })])
    expect(await turns()).toEqual([])
    await store([reading(2, null, { quality: [0, qualityCode('crc')] })])
    expect(await turns()).toEqual([[2, true, null]])
  })
})

it('a text of good quality is not bad, although it has no number', async () => {
  await sql`update variables set data_type = 'text'`
  await watch('bad', null)
  const text = (seconds: number, over: Partial<Reading> = {}) =>
    reading(seconds, null, { vals: [null, null], texts: ['a', 'b'], ...over })
  await store([text(0), text(1)])
  expect(await turns()).toEqual([])
  await store([text(2, { texts: null, quality: [0, qualityCode('crc')] }), text(3)])
  expect(await turns()).toEqual([
    [2, true, null],
    [3, false, null],
  ])
})

describe('of a formula over several variables', () => {
  it('each sample of an input may change it, with the value of the variable that it is named after', async () => {
    await watch('formula', null, null, 'V1 > 80 && V0 < 2')
    const only = (slot: number, seconds: number, value: number | null, quality: number[] | null = null) =>
      reading(seconds, null, { slots: [slot], vals: [value], quality })
    await store([only(1, 0, 90)])
    // The other input has never come.
    expect(await turns()).toEqual([])
    await store([only(0, 1, 1)])
    await store([only(0, 2, 1.5), only(1, 3, 95)])
    // A bad input neither ends nor begins anything.
    await store([only(0, 4, null, [qualityCode('crc')])])
    await store([only(0, 5, 3)])
    await store([only(1, 6, 10), only(0, 7, 1), only(1, 8, 81)])
    expect(await turns()).toEqual([
      [1, true, 90],
      [5, false, 95],
      [8, true, 81],
    ])
  })

  it('that no longer fits its template watches nothing, and no report fails', async () => {
    await watch('formula', null, null, 'V1 > 80 && Gone < 2')
    await store([reading(0, 90)])
    expect(await turns()).toEqual([])
    expect(await sql`select 1 from variable_reports`).toHaveLength(1)
  })
})

describe('of two brokers', () => {
  it('the second continues from the state that the first has stored, within the hysteresis, too', async () => {
    await watch('gt', 80, 75)
    const other = broker()
    await other([reading(0, 70)])
    await store([reading(1, 81)])
    // It held another version of the terminal: it reads again, and knows that the condition holds.
    await other([reading(2, 77)])
    await other([reading(3, 75)])
    await store([reading(4, 81)])
    expect((await turns()).map(([at, holds]) => [at, holds])).toEqual([
      [1, true],
      [3, false],
      [4, true],
    ])
  })

  it('one that has started again knows what holds', async () => {
    await watch('gt', 80, 75)
    await store([reading(1, 81)])
    await broker()([reading(2, 77), reading(3, 75)])
    expect(await turns()).toEqual([
      [1, true, 81],
      [3, false, 75],
    ])
  })
})

it('a notice or a terminal that is deleted meanwhile takes its truths with it, and no report fails', async () => {
  await watch('gt', 80)
  await store([reading(1, 81)])
  await sql`delete from alarm_rules where id = ${ruleId}`
  await store([reading(2, 70)])
  expect(await turns()).toEqual([])
  await watch('gt', 80)
  await store([reading(3, 81)])
  await sql`delete from terminals where id = ${terminalId}`
  await store([reading(4, 70)])
  expect(await sql`select 1 from variable_truths`).toHaveLength(0)
})

describe('a notice is judged again', () => {
  const variable = (hidden: boolean) =>
    sql`update variables set hidden = ${hidden}, updated_at = now() where slot = 1`
  const deleted = (at: Date | null) => sql`update devices set deleted_at = ${at} where id = ${of.id}`

  it.each([
    ['its variable is collected again', () => variable(true), () => variable(false)],
    ['its gateway is restored', () => deleted(new Date()), () => deleted(null)],
  ])('when %s, by a broker that has read the notices meanwhile', async (_, end, begin) => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    await end()
    await watch('gt', 80)
    await store([reading(0, 70), reading(1, 90)])
    expect(await turns()).toEqual([])
    await begin()
    vi.advanceTimersByTime(5_000)
    // The broker looks for changes beside the reports.
    let seconds = 2
    await until('a condition that began is stored', async () => {
      await store([reading(seconds++, 70), reading(seconds++, 90)])
      return (await turns()).length > 0
    })
  })

  it('when it was changed after the clock of its server was set back', async () => {
    vi.useFakeTimers({ toFake: ['setInterval'] })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    await watch('gt', 80)
    await sql`
      insert into alarm_rules (customer_id, name, kind, severity, scope, time_zone, language, alert_text, recovery_text)
      values (${a.customerId}, 'another', 'variable', 'major', 'customer', 'UTC', 'en-US', '', '')`
    store = broker()
    await store([reading(0, 50)])
    await sql`update alarm_conditions set low = 40`
    await sql`update alarm_rules set updated_at = updated_at - interval '1 hour' where id = ${ruleId}`
    vi.advanceTimersByTime(5_000)
    let seconds = 1
    await until('a condition that began is stored', async () => {
      await store([reading(seconds++, 50)])
      return (await turns()).length > 0
    })
  })
})
