/** §2 (220): The past of variables: gaps stay gaps, averages weigh time, meters are not fooled by glitches. */
import { beforeEach, describe, expect, it } from 'vitest'
import type { ReplyOf } from '#schema/kit/call'
import { getAlarmSpans } from '#schema/monitor/variable-alarm'
import {
  estimateVariableHistory,
  exportVariableHistory,
  getHistoryChoices,
  getVariableHistory,
  RAW_MAX,
} from '#schema/monitor/variable-history'
import { sessionRefusals } from '#schema/people/session-refusals'
import { reportRefusals } from '#schema/report/report-refusals'
import { apiTest } from '#test/api-client'
import { pieceMs } from './history-export.ts'

const { context, app, call, token, tenants } = await apiTest()
const { sql } = context
const { a, b } = tenants
const START = Date.UTC(2026, 9, 1, 10)
const iso = (s: number) => new Date(START + s * 1000).toISOString()

let pair = { terminalId: 0, variableId: 0 }
const one = async (query: Promise<readonly { id: number }[]>) => (await query)[0]?.id ?? 0

beforeEach(async () => {
  await sql`truncate collection_templates, terminals, variable_reports, variable_hours, variable_dirty, rollup_positions cascade`
  const templateId = await one(sql`
    insert into collection_templates (customer_id, name, type) values (${a.customerId}, 'Meter', 'powerMeter') returning id`)
  const variableId = await one(sql`
    insert into variables (template_id, slot, name, unit, register_type, address, data_type, precision, cycle_s, function_type)
    values (${templateId}, 1, 'Power', 'W', 'holding', 0, 'float32', 1, 60, 'counter') returning id`)
  const terminalId = await one(sql`
    insert into terminals (device_id, name, template_id, template_since, protocol, slave_id, slave_address)
    values (${a.devices[0]?.id ?? 0}, 'Main', ${templateId}, ${new Date(0)}, 'modbusTcp', 1, '10.0.0.1') returning id`)
  pair = { terminalId, variableId }
})

async function samples(...list: [s: number, value: number | null, quality?: number][]) {
  for (const [s, value, quality = 0] of list) {
    const day = iso(s).slice(0, 10)
    const next = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10)
    await sql.unsafe(
      `create table if not exists variable_reports_${day.replaceAll('-', '')} partition of variable_reports for values from ('${day}') to ('${next}')`,
    )
    await sql`
      insert into variable_reports (at, terminal_id, plan, slots, vals, quality)
      values (${iso(s)}, ${pair.terminalId}, 1, '{0,1}', ${[7, value] as number[]}::float8[], ${[0, quality]}::smallint[])`
  }
}

const idsOf = () => ({ terminalIds: [pair.terminalId], variableIds: [pair.variableId] })
const ask = async (more: object, who = a.admin) =>
  call(getVariableHistory.name, { ...idsOf(), from: iso(0), to: iso(600), step: 'minute', ...more }, who)
const figures = async (more: object = {}) => {
  const answer = await ask(more)
  expect(answer.code).toBe(0)
  const data = answer.data as ReplyOf<typeof getVariableHistory>
  const [series] = data.series
  if (!series) throw new Error('no series')
  return { at: data.at, ...series }
}

describe('buckets', () => {
  it('weigh by time: 10 for 50 s, then 100, gives 25', async () => {
    await samples([0, 10], [50, 100], [60, 100])
    const { avg, min, max, last } = await figures({ to: iso(60) })
    expect([avg, min, max, last]).toEqual([[25], [10], [100], [100]])
  })

  it('include the value that is valid at their beginning', async () => {
    await samples([-30, 4], [30, 8])
    expect((await figures({ to: iso(60) })).avg).toEqual([6])
  })

  it('are gaps where nothing came for 2.5 cycles, never zero', async () => {
    await samples([0, 5], [540, 5])
    expect((await figures()).avg).toEqual([5, 5, 5, null, null, null, null, null, null, 5])
  })

  it('count bad samples, which end what stood', async () => {
    await samples([0, 5], [60, null, 1], [120, 5])
    const { avg, quality } = await figures({ to: iso(180) })
    expect(avg).toEqual([5, null, 5])
    expect(quality).toEqual([0, 1, 0])
  })

  it('of a meter: a glitch is left out, a reset begins at 0', async () => {
    await samples([0, 100], [60, 103], [120, 1], [180, 104], [240, 2], [300, 5])
    expect((await figures({ to: iso(360) })).diff).toEqual([0, 3, null, 1, 2, 3])
  })

  it('of a meter whose registers run over: it goes on, and does not begin at 0', async () => {
    await sql`update variables set data_type = 'uint16', factor = 0.1`
    await samples([0, 6_500], [60, 6_550], [120, 0.4], [180, 40], [240, 2], [300, 5])
    expect((await figures({ to: iso(360) })).diff).toEqual([0, 50, expect.closeTo(4, 6), 39.6, 2, 3])
  })

  it('of a meter: what it counted during an outage belongs to the bucket in which it is back, wherever the range begins', async () => {
    await samples([-300, 90], [0, 100], [7_200, 130], [7_260, 131])
    await sql`
      insert into variable_hours (at, terminal_id, slot, integral, known_s, min, max, first, last, good, bad, first_ms, last_ms, stands)
      values (${iso(-3_600)}, ${pair.terminalId}, 1, 27000, 300, 90, 90, 90, 90, 1, 0, 3300000, 3300000, true),
        (${iso(0)}, ${pair.terminalId}, 1, 15000, 150, 100, 100, 100, 100, 1, 0, 0, 0, true),
        (${iso(7_200)}, ${pair.terminalId}, 1, 27450, 210, 130, 131, 130, 131, 2, 0, 0, 60000, true)`
    await sql`update variable_hours set steps = '{131,130,null,null,0}' where at = ${iso(7_200)}`
    await sql`insert into rollup_positions (name, at, stored_by) values ('variables', ${iso(90_000)}, '0') on conflict (name) do update set at = excluded.at`
    const whole = await figures({ step: 'hour', from: iso(-3_600), to: iso(10_800) })
    expect(whole.diff).toEqual([0, 10, null, 31])
    expect((await figures({ step: 'hour', from: iso(7_200), to: iso(10_800) })).diff).toEqual([31])
    // The average has nothing of the value from before the outage.
    expect((await figures({ step: 'hour', from: iso(3_600), to: iso(7_200) })).avg).toEqual([null])
    const minutes = await figures({ step: 'minute', from: iso(7_200), to: iso(7_320) })
    expect(minutes.diff).toEqual([30, 1])
    // Until an hour that changed is summed again, its samples count.
    await sql`insert into variable_dirty (terminal_id, hour) values (${pair.terminalId}, ${iso(0)})`
    await samples([600, 104])
    expect((await figures({ step: 'hour', from: iso(7_200), to: iso(10_800) })).diff).toEqual([27])
  })

  it('are days of the zone', async () => {
    await samples([0, 1])
    const { at } = await figures({
      step: 'day',
      zone: 'Asia/Kolkata',
      from: '2026-09-30T18:30:00Z',
      to: '2026-10-02T18:30:00Z',
    })
    expect(at).toEqual(['2026-09-30T18:30:00.000Z', '2026-10-01T18:30:00.000Z'])
  })
})

describe('samples', () => {
  it('have their quality; an old value does not stay valid forever', async () => {
    await samples([0, 5], [60, null, 2], [120, 6])
    const { at, last, quality } = await figures({ step: 'raw' })
    expect(at).toEqual([0, 60, 120].map(iso))
    expect(last).toEqual([5, null, 6])
    expect(quality).toEqual([0, 2, 0])
  })

  it('are not joined over a gap: what stood ends after 2.5 cycles', async () => {
    await samples([0, 5], [60, 6], [300, 7], [360, 8])
    const { at, last, quality } = await figures({ step: 'raw' })
    expect(last).toEqual([5, 6, null, 7, 8])
    expect(quality).toEqual([0, 0, null, 0, 0])
    expect(Date.parse(at[2] ?? '') - START).toBe(60_000 + 150_000 + 1)
  })

  it('that are too many are thinned, and every peak is kept', async () => {
    await samples([0, 1])
    await sql`
      insert into variable_reports (at, terminal_id, plan, slots, vals)
      select ${iso(1)}::timestamptz + n * interval '10 milliseconds', ${pair.terminalId}, 1, '{1}',
        array[case when n = 7777 then 99 else n % 10 end]
      from generate_series(0, ${RAW_MAX * 2}) n`
    const { data } = await ask({ step: 'raw' })
    const { thinnedFrom, at, series } = data as ReplyOf<typeof getVariableHistory>
    expect(thinnedFrom).toBe(RAW_MAX * 2 + 2)
    expect(at.length).toBeLessThanOrEqual(RAW_MAX)
    expect(Math.max(...(series[0]?.last ?? []).map(Number))).toBe(99)
  })
})

it.each([
  ['a question without a variable', { terminalIds: [] }, 755],
  ['a range that is empty', { to: iso(0) }, 750],
  ['more steps than a chart shows', { to: iso(540_001) }, 752],
  ['more than a year', { step: 'day', to: iso(400 * 86_400) }, 754],
])('refuses %s', async (_, more, code) => {
  expect(await ask(more)).toMatchObject({ code })
})

describe('an estimate', () => {
  const estimate = async (more: object = {}, who = a.admin) =>
    call<ReplyOf<typeof estimateVariableHistory>>(
      estimateVariableHistory.name,
      { ...idsOf(), from: iso(0), to: iso(7_200), step: 'raw', ...more },
      who,
    )

  const summedTo = (ms: number) => sql`
    insert into rollup_positions (name, stored_by, at) values ('variables', 0, ${new Date(ms)})`

  it('counts what is summed, and takes the cycle where nothing is; sums cost nothing', async () => {
    // Nothing is summed yet: a sample each minute.
    expect((await estimate()).data).toMatchObject({ samples: 120, tooMany: false })
    await sql`
      insert into variable_hours (at, integral, known_s, terminal_id, good, bad, first_ms, last_ms, slot, stands)
      values (${iso(0)}, 0, 3600, ${pair.terminalId}, 700, 20, 0, 0, 1, true)`
    await summedTo(START + 86_400_000)
    // The second hour is summed, too: nothing came in it.
    expect((await estimate()).data).toMatchObject({ samples: 720 })
    expect((await estimate({ step: 'hour' })).data).toMatchObject({ samples: 0, seconds: 0 })
    await sql`delete from rollup_positions`
  })

  it('warns in advance about large ranges, and refuses them only if that much is stored', async () => {
    await sql`update variables set cycle_s = 1`
    const month = { to: iso(30 * 86_400), step: 'minute' }
    await sql`update terminals set template_since = ${iso(-1)}`
    const found = (await estimate({ ...month, step: 'raw' })).data
    expect(found).toMatchObject({ tooMany: true })
    expect(found?.seconds).toBeGreaterThan(1)
    expect(await ask({ ...month, step: 'raw' })).toMatchObject({ code: 753, field: 'from' })
    await summedTo(START + 60 * 86_400_000)
    await samples([0, 5])
    expect((await estimate({ ...month, step: 'raw' })).data).toMatchObject({ samples: 0, tooMany: false })
    expect(await ask({ ...month, step: 'raw' })).toMatchObject({ code: 0 })
    await sql`delete from rollup_positions`
    await sql`update terminals set template_since = to_timestamp(0)`
  })

  it('is refused for what the user does not see', async () => {
    expect(await estimate({}, b.admin)).toMatchObject({ code: 5 })
  })
})

it.each([
  ['from', { from: '0001-01-01T00:00:00Z' }],
  ['from', { from: '0001-01-01T00:00:00+14:00' }],
  ['to', { to: '9999-12-31T23:59:59Z' }],
])('refuses a time that no clock has shown: %s', async (field, more) => {
  for (const step of ['raw', 'hour', 'day'])
    expect(await ask({ step, ...more })).toMatchObject({ code: sessionRefusals.invalid.code, field })
  expect(
    await call(getAlarmSpans.name, { ...idsOf(), from: iso(0), to: iso(600), ...more }, a.admin),
  ).toMatchObject({
    code: sessionRefusals.invalid.code,
    field,
  })
})

it('reports that a gateway lost are returned with their time range', async () => {
  await sql`
    insert into variable_gaps (terminal_id, from_at, to_at, reports)
    values (${pair.terminalId}, ${iso(100)}, ${iso(200)}, 7), (${pair.terminalId}, ${iso(900)}, ${iso(950)}, 1)`
  const { data } = await ask({})
  expect((data as ReplyOf<typeof getVariableHistory>).lost).toEqual([
    { terminalId: pair.terminalId, from: iso(100), to: iso(200), reports: 7 },
  ])
})

it('alarms of the range are spans behind the values, of visible ones only', async () => {
  const alarm = (from: number, to: number | null, name: string) => sql`
    insert into alarms (customer_id, rule_name, kind, severity, device_id, sn, device_name, group_name, subject, terminal_id, variable_id,
      terminal_name, variable_name, started_at, last_at, ended_at)
    values (${a.customerId}, ${name}, 'variable', 'major', ${a.devices[0]?.id ?? 0}, '', '', '', ${name}, ${pair.terminalId}, ${pair.variableId},
      'Main', 'Power', ${iso(from)}, ${iso(from)}, ${to === null ? null : iso(to)})`
  await alarm(-500, -400, 'before')
  await alarm(-100, 60, 'into it')
  await alarm(300, null, 'lasting')
  await alarm(700, 800, 'after')
  const spans = async (who = a.admin) =>
    (
      await call<ReplyOf<typeof getAlarmSpans>>(
        getAlarmSpans.name,
        { ...idsOf(), from: iso(0), to: iso(600) },
        who,
      )
    ).data?.list
  expect(await spans()).toMatchObject([
    { ...pair, ruleName: 'lasting', severity: 'major', endedAt: null },
    { ruleName: 'into it', startedAt: iso(-100), endedAt: iso(60) },
  ])
  expect(await spans(b.admin)).toEqual([])
  await sql`delete from alarms`
})

it('shows nothing of another customer, but also what a terminal measured before its present gateway came to the customer', async () => {
  await samples([0, 5], [120, 6])
  expect(await ask({}, b.admin)).toMatchObject({ code: 5 })
  await sql`update devices set owned_since = ${iso(60)} where id = ${a.devices[0]?.id ?? 0}`
  const answer = await ask({ step: 'raw' })
  expect((answer.data as ReplyOf<typeof getVariableHistory>).at).toEqual([iso(0), iso(120)])
  await sql`update devices set owned_since = null`
})

it('offers the variables of visible terminals', async () => {
  const found = await call(getHistoryChoices.name, { search: 'pow' }, a.admin)
  expect(found.data).toMatchObject({ list: [{ ...pair, variableName: 'Power', unit: 'W' }] })
  expect((await call(getHistoryChoices.name, {}, b.admin)).data).toEqual({ list: [] })
})

it('is exported as CSV, with the texts of qualities', async () => {
  await samples([0, 5], [60, null, 1])
  const lines = async () => {
    const response = await app.inject({
      method: 'POST',
      url: exportVariableHistory.path,
      headers: { token: await token(a.admin), 'accept-language': 'en-US' },
      payload: { ...idsOf(), from: iso(0), to: iso(600), step: 'raw', zone: 'UTC' },
    })
    return response.body.split('\r\n').slice(1, 3)
  }
  expect(await lines()).toEqual([
    expect.stringMatching(/^2026-10-01 10:00:00,.*,Main,Power,W,5,Good$/),
    expect.stringMatching(/^2026-10-01 10:01:00,.*,Main,Power,W,,No response in time$/),
  ])
  // "-" is no unit.
  await sql`update variables set unit = '-'`
  expect((await lines())[0]).toMatch(/,Main,Power,,5,Good$/)
})

it('is refused for a zone that the database does not know, also as a file', async () => {
  for (const name of [getVariableHistory.name, exportVariableHistory.name])
    for (const step of ['hour', 'day'])
      expect(
        await call(name, { ...idsOf(), from: iso(0), to: iso(600), step, zone: 'US/Pacific-New' }, a.admin),
      ).toMatchObject({ code: reportRefusals.unknownZone.code, field: 'zone' })
})

it('is exported with the digits of the variable: sums of doubles have more', async () => {
  await samples([-10, 0.1], [0, 0.3], [20, 0.4], [40, 3.700000000005821])
  const response = await app.inject({
    method: 'POST',
    url: exportVariableHistory.path,
    headers: { token: await token(a.admin) },
    payload: { ...idsOf(), from: iso(0), to: iso(60), step: 'minute' },
  })
  const [, row = ''] = response.body.split('\r\n')
  const numbers = row.split(',').slice(5).filter(Boolean)
  expect(numbers.length).toBe(5)
  expect(numbers.filter((text) => !/^-?\d+(\.\d{1,3})?$/.test(text))).toEqual([])
  expect(numbers.at(-1)).toBe('3.6')
})

it('is read by pieces that fit into memory, however long and dense it is', () => {
  const year = 366 * 86_400_000
  expect(pieceMs(year, Array(8).fill(1))).toBe(6_250_000)
  expect(pieceMs(year, [60])).toBe(year / 200)
  expect(pieceMs(3_600_000, [1])).toBe(60_000)
})
