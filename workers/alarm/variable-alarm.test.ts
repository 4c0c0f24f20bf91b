/** [§3 Alarm notice, §8] Notices about variables: when an alarm begins, ends, or is withheld. */
import { beforeEach, describe, expect, it } from 'vitest'
import { isOver, isTrue } from '#schema/monitor/notice/variable-condition'
import { MINUTE } from '#test/alarm-bench'
import { openVariableBench, type Watching } from '#test/variable-bench'

const alarms = await openVariableBench()
const { bench, addRule, later, leave, comeBack, notified, subjects, watch, sample, seen, comes } = alarms
const { sql } = bench.ctx

beforeEach(alarms.begin)

const moveTerminal = () =>
  sql`update terminals set device_id = (select max(id) from devices where customer_id = ${bench.tenants.a.customerId})`

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

  it('change: values whose difference no number holds, as of bytes in the wrong order, differ, and hold up no other alarm', async () => {
    await watch({ operator: 'change', low: 5, withinS: 60 })
    await comes(-1.7e308)
    expect(await seen()).toEqual([])
    await comes(1.7e308)
    expect(await seen()).toMatchObject([{ open: true }])
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

  it('no good value for n minutes: of what was hidden, they count from the plan by which it is polled again', async () => {
    const { variableId, terminalId } = alarms.place
    const [of] = await sql<{ id: number }[]>`select device_id as id from terminals where id = ${terminalId}`
    const deviceId = of?.id ?? 0
    const hide = (hidden: boolean) => sql`update variables set hidden = ${hidden} where id = ${variableId}`
    const polled = (revision: number) => sql`
      with p as (insert into poll_plans (device_id, revision, hash, document, scales, created_at)
        values (${deviceId}, ${revision}, '', '{}', '{}', ${bench.ctx.now()}))
      update collection_states set revision = ${revision}, stale_since = null where device_id = ${deviceId}`
    await watch({ operator: 'noData', minutes: 5 })
    await comes(20)
    await hide(true)
    await later(60 * MINUTE)
    await hide(false)
    await sql`update collection_states set stale_since = ${bench.ctx.now()} where device_id = ${deviceId}`
    await later(2_000)
    expect(await seen()).toEqual([])
    await polled(700)
    await later(4 * MINUTE)
    expect(await seen()).toEqual([])
    await later(2 * MINUTE)
    expect(await seen()).toMatchObject([{ open: true }])
    await sql`delete from collection_states`
    await sql`delete from poll_plans`
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

it('an alarm shows its value in the unit that the variable has now, not in that of the day when its notice was saved', async () => {
  await watch({ operator: 'gt', low: 80 })
  await sql`update variables set unit = 'mK' where id = ${alarms.place.variableId}`
  await comes(90)
  expect(await seen()).toMatchObject([{ open: true, detail: '90.0 mK' }])
  expect(await sql`select condition ->> 'unit' as unit from alarms`).toEqual([{ unit: 'mK' }])
  await sql`update variables set unit = '-' where id = ${alarms.place.variableId}`
  await comes(70)
  await comes(91)
  expect(await seen()).toMatchObject([{ open: true, detail: '91.0' }])
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

  it('the gateway is offline: open alarms show since when they are unknown, no notice is sent, none begins', async () => {
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

  it('the slave is no longer polled: the alarm that it does not answer ends', async () => {
    await addRule({ kind: 'terminalSilent' })
    await sql`update terminal_states set state = 'silent', since = ${bench.ctx.now()}`
    await later(MINUTE)
    const open = () => sql`select kind from alarms where ended_at is null`
    expect(await open()).toEqual([{ kind: 'terminalSilent' }])
    const before = await sql`delete from terminal_states returning *`
    await later(MINUTE)
    expect(await open()).toEqual([])
    await sql`insert into terminal_states ${sql(before)}`
    await sql`update terminal_states set state = 'answering'`
  })

  it('the slave is behind another gateway: the alarm at the former one ends, which may be broken and never come back', async () => {
    await addRule({ kind: 'terminalSilent' })
    await sql`update terminal_states set state = 'silent', since = ${bench.ctx.now()}`
    await later(MINUTE)
    expect(await seen()).toMatchObject([{ open: true }])
    await leave()
    await moveTerminal()
    await later(MINUTE)
    expect(await seen()).toMatchObject([{ open: false }, { open: true }])
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
    terminal: alarms.place.terminalId,
    name: 'Boiler',
    variable: 'Temperature',
    value: 90,
    threshold: 80,
    condition: { operator: 'gt', low: 80, unit: '°C', forS: 0 },
  })
  const [mail] = await sql<{ text: string }[]>`select text from mails`
  expect(mail?.text).toContain('Boiler Temperature 90.0 °C: Temperature > 80 °C')
  // Not the list of devices' alarms, which users of cloud monitoring alone may not open.
  expect(mail?.text).toContain('/cloudMonitor/alarmManagement/alarmList')
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

it('a terminal moves behind another gateway: its alarm is that of the new one, and ends there', async () => {
  await watch({ operator: 'gt', low: 80 })
  await comes(90)
  await moveTerminal()
  await later(10_000)
  expect(await seen()).toMatchObject([{ open: false, reason: 'uncovered' }, { open: true }])
  await comes(70)
  expect(await seen()).toMatchObject([{ open: false }, { open: false, reason: 'recovered' }])
})

it('numbers that no alarm can show do not stop the others', async () => {
  await watch({ operator: 'gt', low: 80 })
  await comes(1e200)
  expect(await seen()).toMatchObject([{ open: true }])
})
