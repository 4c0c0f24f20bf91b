/** Notices with a formula over several variables, judged by the round. */
import { beforeEach, expect, it } from 'vitest'
import { qualityCode } from '#schema/monitor/fields'
import { openVariableBench } from '#test/variable-bench'

const alarms = await openVariableBench()
const { bench, later, leave, comeBack, notified, place, watch, sample, seen } = alarms
const { sql } = bench.ctx

beforeEach(async () => {
  await alarms.begin()
  await sql`
    insert into variables (template_id, slot, name, unit, register_type, address, data_type, cycle_s, report_type)
    select template_id, 5, 'Pressure L1', 'bar', 'holding', 1, 'int16', 10, 'change' from variables where id = ${place.variableId}`
})

/** The other variable, which is reported on change. */
async function pressure(value: number | null, quality: Parameters<typeof qualityCode>[0] = 'good') {
  await sql`
    update terminal_latest set at[6] = ${bench.ctx.now().getTime()}::bigint, vals[6] = ${value}::float8,
      quality[6] = ${qualityCode(quality)}::smallint where terminal_id = ${place.terminalId}`
}
async function comes(temperature: number) {
  bench.pass(10_000)
  await sample(temperature)
  await later(0)
}
const formula = 'Temperature > 80 && {Pressure L1} < 2'

it('an alarm begins while the formula holds, shows the variable, and ends when it does not', async () => {
  await watch({ operator: 'formula', formula })
  await comes(90)
  expect(await seen()).toEqual([])
  await pressure(1)
  await comes(91)
  expect(await seen()).toMatchObject([{ open: true, detail: '91.0 °C' }])
  await pressure(5)
  await comes(92)
  expect(await seen()).toMatchObject([{ open: false, reason: 'recovered' }])
  expect(await notified()).toEqual(['alert', 'recovery'])
  const [mail] = await sql<{ text: string }[]>`
    select string_agg(text, ' ') as text from mails where text like ${`%${formula}%`}`
  expect(mail?.text).toContain('Boiler Temperature 91.0 °C')
})

it('a bad or old input neither begins nor ends it', async () => {
  await watch({ operator: 'formula', formula })
  await pressure(1)
  await comes(90)
  expect(await seen()).toMatchObject([{ open: true }])
  await pressure(null, 'crc')
  await comes(10)
  expect(await seen()).toMatchObject([{ open: true }])
  await pressure(9)
  // The temperature is reported each cycle: what came a minute ago says nothing.
  bench.pass(60_000)
  await later(0)
  expect(await seen()).toMatchObject([{ open: true }])
  await comes(10)
  expect(await seen()).toMatchObject([{ open: false }])
})

it('waits for its time, and is suppressed while the gateway is offline', async () => {
  await watch({ operator: 'formula', formula, forS: 15 })
  await pressure(1)
  await comes(90)
  expect(await seen()).toEqual([])
  await comes(90)
  await comes(90)
  expect(await seen()).toMatchObject([{ open: true }])
  await leave()
  await pressure(9)
  await comes(10)
  expect(await seen()).toMatchObject([{ open: true, why: 'gatewayOffline' }])
  await comeBack()
})

it('one that no longer fits its template has no effect, and others continue', async () => {
  await watch({ operator: 'formula', formula: 'Temperature > 80 && Gone' })
  await watch({ operator: 'gt', low: 80 })
  await comes(90)
  expect(await seen()).toHaveLength(1)
})
