/** [§3 Alarm record] Changes of truth that the broker recorded become alarms, also those that are over again. */
import { beforeEach, describe, expect, it } from 'vitest'
import { openVariableBench } from '#test/variable-bench'
import { evaluateTurned, notifyAlarms } from './evaluate-alarms.ts'

const alarms = await openVariableBench()
const { bench, later, leave, comeBack, notified, watch, sample, seen, comes } = alarms
const { sql } = bench.ctx

beforeEach(alarms.begin)

/** As the broker records it: `agoMs` before now. */
async function turn(ruleId: number, holds: boolean, agoMs: number, value = holds ? 90 : 70) {
  const at = new Date(bench.ctx.now().getTime() - agoMs)
  await sql`
    insert into variable_truths (rule_id, terminal_id, at, rule_at, holds, value, quality)
    select id, ${alarms.place.terminalId}, ${at}, updated_at, ${holds}, ${value}, 0 from alarm_rules where id = ${ruleId}`
  // The newest value is as new: the broker stores both at once.
  await sql`
    update terminal_latest set at[4] = greatest(at[4], ${at.getTime()}::bigint) where terminal_id = ${alarms.place.terminalId}`
  return at
}
async function woken() {
  const judged = await evaluateTurned(bench.ctx)
  await notifyAlarms(bench.ctx)
  return judged
}
const records = () => sql<{ from: Date; to: Date | null; times: number; detail: string }[]>`
  select started_at as from, ended_at as to, times, detail from alarms order by id`
const pendings = async () => (await sql`select since from alarm_pendings`).map(({ since }) => since)
const kept = () => sql`select holds, seen from variable_truths`

describe('a change that was recorded', () => {
  it('is an alarm from the time of the sample, without the round', async () => {
    const rule = await watch({ operator: 'gt', low: 80 })
    bench.pass(60_000)
    await sample(90)
    const at = await turn(rule, true, 0)
    await woken()
    expect(await records()).toEqual([{ from: at, to: null, times: 1, detail: '90.0 °C' }])
    bench.pass(5_000)
    await sample(70)
    const end = await turn(rule, false, 0)
    await woken()
    expect(await records()).toMatchObject([{ from: at, to: end }])
    expect(await notified()).toEqual(['alert', 'recovery'])
  })

  it('is an alarm with start and end if it was over before the evaluation, and is notified', async () => {
    const rule = await watch({ operator: 'gt', low: 80 })
    bench.pass(60_000)
    const from = await turn(rule, true, 300, 95.5)
    const to = await turn(rule, false, 200)
    await sample(70, 'good', 200)
    await woken()
    expect(await records()).toEqual([{ from, to, times: 1, detail: '95.5 °C' }])
    await later(10_000)
    expect(await notified()).toEqual(['alert', 'recovery'])
    expect(await records()).toHaveLength(1)
  })

  it('several times counts as one alarm with that many times', async () => {
    const rule = await watch({ operator: 'gt', low: 80 })
    bench.pass(60_000)
    const from = await turn(rule, true, 900)
    await turn(rule, false, 800)
    await turn(rule, true, 700)
    const to = await turn(rule, false, 600)
    await sample(70, 'good', 600)
    await woken()
    expect(await records()).toMatchObject([{ from, to, times: 2 }])
  })

  it('that was over during maintenance does not count for the next one', async () => {
    const rule = await watch({ operator: 'gt', low: 80, forS: 60 })
    bench.pass(600_000)
    const now = bench.ctx.now().getTime()
    await sql`
      insert into maintenances (customer_id, name, scope, starts_at, ends_at, time_zone)
      values (${bench.tenants.a.customerId}, 'M', 'customer', ${new Date(now - 600_000)}, ${new Date(now + 5_000)}, 'UTC')`
    await turn(rule, true, 100_000)
    await turn(rule, false, 10_000)
    await sample(70, 'good', 10_000)
    await woken()
    expect(await records()).toEqual([])
    bench.pass(10_000)
    await sample(90)
    const at = await turn(rule, true, 0)
    await woken()
    expect(await records()).toEqual([])
    expect(await pendings()).toEqual([at])
  })

  it('that holds again by now is open, from the first time', async () => {
    const rule = await watch({ operator: 'gt', low: 80 })
    bench.pass(60_000)
    const from = await turn(rule, true, 900)
    await turn(rule, false, 800)
    await turn(rule, true, 700)
    await sample(91)
    await woken()
    expect(await records()).toMatchObject([{ from, to: null, times: 2 }])
  })

  it('is evaluated once; the newest is kept for the broker', async () => {
    const rule = await watch({ operator: 'gt', low: 80 })
    bench.pass(60_000)
    await turn(rule, true, 300)
    await turn(rule, false, 200)
    await sample(70, 'good', 200)
    await woken()
    expect([...(await kept())]).toEqual([{ holds: false, seen: true }])
    expect(await woken()).toBeNull()
    await later(10_000)
    expect(await records()).toMatchObject([{ times: 1 }])
  })

  it('by a notice that was changed since counts no more, and is removed', async () => {
    const rule = await watch({ operator: 'gt', low: 80 })
    bench.pass(60_000)
    await turn(rule, true, 300)
    await turn(rule, false, 200)
    await sql`update alarm_rules set updated_at = ${bench.ctx.now()}`
    await woken()
    expect(await records()).toEqual([])
    await later(10_000)
    expect([...(await kept())]).toEqual([])
  })

  it('evaluating some leaves what others have begun', async () => {
    await watch({ operator: 'gt', low: 85, forS: 600 })
    const rule = await watch({ operator: 'gt', low: 80 })
    await comes(90)
    expect(await pendings()).toHaveLength(1)
    await turn(rule, true, 0)
    await woken()
    expect(await pendings()).toHaveLength(1)
    expect(await seen()).toMatchObject([{ open: true }])
  })
})

describe('lasting', () => {
  it('begins with the change, and again after a break', async () => {
    const rule = await watch({ operator: 'gt', low: 80, forS: 30 })
    bench.pass(60_000)
    const first = await turn(rule, true, 2_000)
    await sample(90)
    await later(0)
    expect(await pendings()).toEqual([first])
    bench.pass(20_000)
    await turn(rule, false, 2_000)
    const second = await turn(rule, true, 1_000)
    await sample(90)
    await later(0)
    expect(await pendings()).toEqual([second])
    await later(15_000)
    expect(await seen()).toEqual([])
  })

  it('an excursion counts only if it lasted', async () => {
    const rule = await watch({ operator: 'gt', low: 80, forS: 5 })
    bench.pass(60_000)
    await turn(rule, true, 20_000)
    await turn(rule, false, 16_000)
    await sample(70)
    await woken()
    expect(await records()).toEqual([])
    const from = await turn(rule, true, 9_000)
    const to = await turn(rule, false, 2_000)
    await woken()
    expect(await records()).toMatchObject([{ from, to }])
  })

  it('continues through a bad value, which neither ends nor proves anything', async () => {
    await watch({ operator: 'gt', low: 80, forS: 30 })
    await comes(90)
    const since = await pendings()
    await comes(null, 'timeout')
    await comes(null, 'crc')
    await comes(null, 'crc')
    expect(await seen()).toEqual([])
    expect(await pendings()).toEqual(since)
    await comes(90)
    expect(await seen()).toMatchObject([{ open: true }])
  })

  it('within the hysteresis it still holds', async () => {
    const rule = await watch({ operator: 'gt', low: 80, recoverAt: 75, forS: 30 })
    bench.pass(60_000)
    await turn(rule, true, 0)
    await sample(81)
    await later(0)
    bench.pass(30_000)
    await sample(77)
    await later(0)
    expect(await seen()).toMatchObject([{ open: true }])
  })
})

it('a change that is stored after the values were read waits for the next evaluation, and is not lost', async () => {
  const rule = await watch({ operator: 'gt', low: 80 })
  bench.pass(60_000)
  const at = await turn(rule, true, 0)
  await sql`update terminal_latest set at[4] = ${at.getTime() - 1}::bigint where terminal_id = ${alarms.place.terminalId}`
  await woken()
  expect(await records()).toEqual([])
  expect([...(await kept())]).toEqual([{ holds: true, seen: false }])
  await sample(90)
  await woken()
  expect(await records()).toHaveLength(1)
})

it('what came just before the gateway was back waits for two cycles', async () => {
  const rule = await watch({ operator: 'gt', low: 80 })
  await leave()
  await turn(rule, true, 0)
  await turn(rule, false, -100)
  bench.pass(1_000)
  await comeBack()
  await woken()
  expect(await records()).toEqual([])
  await later(120_000)
  expect(await records()).toHaveLength(1)
})
