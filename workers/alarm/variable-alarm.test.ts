/** [§3 Alarm notice, §8] Notices about variables: when an alarm begins, ends, or is withheld. */
import { beforeEach, describe, expect, it } from 'vitest'
import { qualityCode } from '#schema/monitor/fields'
import { isOver, isTrue, type Limits, type Operator } from '#schema/monitor/variable-condition'
import { MINUTE, openAlarmBench } from '#test/alarm-bench'

const alarms = await openAlarmBench()
const { bench, device, addRule, later, leave, comeBack, notified, subjects } = alarms
const { sql } = bench.ctx
const { customerId } = bench.tenants.a

type Watching = Partial<Limits> & { operator: Operator; withinS?: number; minutes?: number; forS?: number }
type Seen = { open: boolean; detail: string | null; reason: string | null; why: string | null; times: number }

let terminalId = 0
let variableId = 0
const one = async (query: Promise<readonly { id: number }[]>) => (await query)[0]?.id ?? 0

beforeEach(async () => {
  await alarms.begin()
  await sql`truncate collection_templates, terminals, variable_reports cascade`
  const templateId = await one(sql`
    insert into collection_templates (customer_id, name, type) values (${customerId}, 'Meter', 'powerMeter') returning id`)
  variableId = await one(sql`
    insert into variables (template_id, slot, name, unit, register_type, address, data_type, precision, cycle_s, report_type)
    values (${templateId}, 3, 'Temperature', '°C', 'holding', 0, 'int16', 1, 10, 'both') returning id`)
  terminalId = await one(sql`
    insert into terminals (device_id, name, template_id, template_since, protocol, slave_id, slave_address)
    values (${device.id}, 'Boiler', ${templateId}, ${new Date(0)}, 'modbusTcp', 1, '10.0.0.1') returning id`)
  await sql`
    insert into terminal_states (terminal_id, state, since) values (${terminalId}, 'answering', ${bench.ctx.now()})`
})

async function watch({ operator, forS = 0, ...of }: Watching): Promise<number> {
  const id = await addRule({ kind: 'variable' })
  await sql`update alarm_rules set for_seconds = ${forS}, updated_at = ${bench.ctx.now()}, alert_text = '{terminal} {variable} {value}: {condition}' where id = ${id}`
  await sql`
    insert into alarm_conditions (rule_id, variable_id, variable_name, unit, operator, low, high, recover_at, hysteresis, bit, within_s, minutes)
    values (${id}, ${variableId}, 'Temperature', '°C', ${operator}, ${of.low ?? null}, ${of.high ?? null}, ${of.recoverAt ?? null},
      ${of.hysteresis ?? null}, ${of.bit ?? null}, ${of.withinS ?? null}, ${of.minutes ?? null})`
  return id
}

/** A sample as the data path stores it. */
async function sample(value: number | null, quality: Parameters<typeof qualityCode>[0] = 'good', ageMs = 0) {
  const at = new Date(bench.ctx.now().getTime() - ageMs)
  const code = qualityCode(quality)
  await sql`
    insert into variable_reports (at, terminal_id, plan, slots, vals, quality)
    values (${at}, ${terminalId}, 1, '{3}', ${[value] as number[]}::float8[], ${[code]}::smallint[]) on conflict do nothing`
  const ms = at.getTime()
  // Slot 3 is the fourth element.
  await sql`
    update terminal_latest set at[4] = ${ms}::bigint, vals[4] = ${value}::float8, quality[4] = ${code}::smallint,
      good_at[4] = ${value === null ? sql`good_at[4]` : sql`${ms}::bigint`},
      good_vals[4] = ${value === null ? sql`good_vals[4]` : sql`${value}::float8`} where terminal_id = ${terminalId}`
}

const seen = () => sql<Seen[]>`
  select ended_at is null as open, detail, end_reason as reason, unknown_why as why, times from alarms order by id`

/** Time passes, a value comes, and the round looks. */
async function comes(value: number | null, quality?: Parameters<typeof qualityCode>[0]) {
  bench.pass(10_000)
  await sample(value, quality)
  await later(0)
}

describe('operators', () => {
  const cases: [Watching, bad: number, stays: number, ends: number][] = [
    [{ operator: 'gt', low: 80, recoverAt: 75 }, 80.1, 76, 75],
    [{ operator: 'gt', low: 80 }, 80.1, 80.05, 80],
    [{ operator: 'ge', low: 80 }, 80, 80, 79.9],
    [{ operator: 'lt', low: 5, recoverAt: 7 }, 4.9, 6.9, 7],
    [{ operator: 'le', low: 5 }, 5, 5, 5.1],
    [{ operator: 'eq', low: 3 }, 3, 3, 4],
    [{ operator: 'ne', low: 3 }, 4, 5, 3],
    [{ operator: 'between', low: 10, high: 20, hysteresis: 2 }, 10, 21, 23],
    [{ operator: 'outside', low: 10, high: 20, hysteresis: 2 }, 9, 11, 12],
    [{ operator: 'bitOn', bit: 2 }, 0b100, 0b111, 0b011],
    [{ operator: 'bitOff', bit: 2 }, 0b011, 0b001, 0b100],
  ]
  it.each(cases)('%o: begins at %d, stays at %d, ends at %d', async (of, bad, stays, ends) => {
    await watch(of)
    await comes(ends)
    expect(await seen()).toEqual([])
    await comes(bad)
    expect(await seen()).toMatchObject([{ open: true, detail: `${bad.toFixed(1)} °C` }])
    await comes(stays)
    expect(await seen()).toMatchObject([{ open: true }])
    await comes(ends)
    expect(await seen()).toMatchObject([{ open: false, reason: 'recovered' }])
    expect(await notified()).toEqual(['alert', 'recovery'])
  })

  it.each(cases)('%o: the pure rule says the same as the round', (of, bad, stays, ends) => {
    const limits = { low: null, high: null, recoverAt: null, hysteresis: null, bit: null, ...of }
    expect([isTrue(limits, bad), isOver(limits, bad)]).toEqual([true, false])
    expect(isOver(limits, stays)).toBe(false)
    expect([isTrue(limits, ends), isOver(limits, ends)]).toEqual([false, true])
  })

  it('change: two values within the time differ by the limit; ends when it is quiet', async () => {
    await watch({ operator: 'change', low: 5, withinS: 60 })
    await comes(20)
    await comes(24)
    expect(await seen()).toEqual([])
    await comes(25.5)
    expect(await seen()).toMatchObject([{ open: true, detail: '20.0 °C … 25.5 °C' }])
    for (let i = 0; i < 8; i += 1) await comes(25.5)
    expect(await seen()).toMatchObject([{ open: false, reason: 'recovered' }])
  })

  it('no good value for n minutes: bad values do not count, the next good one ends it', async () => {
    await watch({ operator: 'noData', minutes: 5 })
    await comes(20)
    for (let i = 0; i < 4; i += 1) {
      bench.pass(MINUTE)
      await comes(null, 'timeout')
    }
    expect(await seen()).toEqual([])
    await later(MINUTE)
    expect(await seen()).toMatchObject([{ open: true }])
    await comes(20)
    expect(await seen()).toMatchObject([{ open: false, reason: 'recovered' }])
  })

  it('bad quality: begins with it, names it, ends with a good value', async () => {
    await watch({ operator: 'bad' })
    await comes(20)
    expect(await seen()).toEqual([])
    await comes(null, 'crc')
    expect(await seen()).toMatchObject([{ open: true, detail: 'crc' }])
    await comes(20)
    expect(await seen()).toMatchObject([{ open: false }])
  })
})

describe('what neither begins nor ends an alarm', () => {
  it('a value of bad quality; one out of range counts', async () => {
    await watch({ operator: 'gt', low: 80 })
    await comes(null, 'badData')
    expect(await seen()).toEqual([])
    await comes(90, 'outOfRange')
    expect(await seen()).toMatchObject([{ open: true }])
    await comes(null, 'timeout')
    expect(await seen()).toMatchObject([{ open: true, why: null }])
  })

  it('an old value', async () => {
    await watch({ operator: 'gt', low: 80 })
    await sample(90, 'good', 10 * MINUTE)
    await later(10_000)
    expect(await seen()).toEqual([])
  })

  it('the gateway is offline: open alarms say since when they are unknown, nothing is told, none begins', async () => {
    await watch({ operator: 'gt', low: 80 })
    await watch({ operator: 'noData', minutes: 5 })
    await comes(90)
    expect(await seen()).toMatchObject([{ open: true, why: null }])
    await leave()
    await later(60 * MINUTE)
    expect(await seen()).toMatchObject([{ open: true, why: 'gatewayOffline' }])
    await comeBack()
    await later(10_000)
    expect(await seen()).toMatchObject([{ open: true, why: null }])
    await comes(70)
    expect(await seen()).toMatchObject([{ open: false, reason: 'recovered' }])
    expect(await notified()).toEqual(['alert', 'recovery'])
  })

  it('a value from before the absence of the gateway, until two cycles have passed', async () => {
    await watch({ operator: 'gt', low: 80 })
    await leave()
    await sample(90)
    bench.pass(1_000)
    await comeBack()
    await later(10_000)
    expect(await seen()).toEqual([])
  })

  it('the slave does not answer: its variables are withheld, and one alarm names the terminal', async () => {
    await watch({ operator: 'gt', low: 80 })
    await watch({ operator: 'noData', minutes: 5 })
    await watch({ operator: 'bad' })
    await addRule({ kind: 'terminalSilent' })
    await comes(70)
    await sql`update terminal_states set state = 'silent', since = ${bench.ctx.now()}`
    await comes(null, 'slaveOffline')
    await later(20 * MINUTE)
    const open = await sql`select kind, terminal_name as terminal from alarms where ended_at is null`
    expect([...open]).toEqual([{ kind: 'terminalSilent', terminal: 'Boiler' }])
    await sql`update terminal_states set state = 'answering', since = ${bench.ctx.now()}`
    await comes(70)
    expect(await seen()).toMatchObject([{ open: false, reason: 'recovered' }])
  })
})

it('lasting: begins with the time of the sample, and runs out though nothing more comes', async () => {
  await watch({ operator: 'gt', low: 80, forS: 30 })
  await comes(90)
  await later(20_000)
  expect(await seen()).toEqual([])
  await later(10_000)
  expect(await seen()).toMatchObject([{ open: true }])
})

it('the record keeps terminal, variable, value and condition, and so does the notice', async () => {
  await watch({ operator: 'gt', low: 80 })
  await comes(90)
  const [row] = await sql`
    select terminal_id as terminal, terminal_name as name, variable_name as variable, value, threshold, condition from alarms`
  expect(row).toMatchObject({
    terminal: terminalId,
    name: 'Boiler',
    variable: 'Temperature',
    value: 90,
    threshold: 80,
    condition: { operator: 'gt', low: 80, unit: '°C', forS: 0 },
  })
  const [mail] = await sql<{ text: string }[]>`select text from mails`
  expect(mail?.text).toContain('Boiler Temperature 90.0 °C: Temperature > 80 °C')
  expect(await subjects()).toHaveLength(1)
})

it.each([
  ['hidden', () => sql`update terminals set hidden = true`],
  [
    'given another template',
    async () => {
      const [other] = await sql<{ id: number }[]>`
        insert into collection_templates (customer_id, name, type) select customer_id, 'Other', type from collection_templates returning id`
      await sql`update terminals set template_id = ${other?.id ?? 0}`
    },
  ],
  ['deleted', () => sql`delete from terminals`],
])('an alarm ends without a notice when its terminal is %s', async (_, change) => {
  await watch({ operator: 'gt', low: 80 })
  await comes(90)
  await change()
  await later(10_000)
  expect(await seen()).toMatchObject([{ open: false, reason: 'uncovered' }])
  expect(await notified()).toEqual(['alert'])
})

it('numbers that no alarm can show do not stop the others', async () => {
  await watch({ operator: 'gt', low: 80 })
  await comes(1e200)
  expect(await seen()).toMatchObject([{ open: true }])
})
