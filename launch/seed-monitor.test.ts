/** What a newcomer sees in Cloud Monitoring on the first evening. */
import { expect, it } from 'vitest'
import { ensurePartitions } from '#infra/partitions'
import { openBench } from '#test/worker-bench'
import { rollUpVariablesJob } from '#workers/monitor/roll-up-variables'
import { seedAdmin, seedRoles } from './seed.ts'
import { seedDemoAlarms } from './seed-alarms.ts'
import { seedDemo } from './seed-demo.ts'
import { seedMonitor } from './seed-monitor.ts'
import { episodesOf, seedNotices } from './seed-notices.ts'
import { seedPast } from './seed-past.ts'
import { PAST_VALUE_DAYS } from './seed-values.ts'

const { ctx } = await openBench()
const { sql } = ctx
await seedRoles(sql)
await seedAdmin(sql, undefined)
let tookMs = 0
const demo = await sql.begin(async (tx) => {
  const made = await seedDemo(tx)
  if (!made) throw new Error('no demonstration')
  await seedDemoAlarms(tx, made.customerId)
  await seedPast({ sql: tx, files: ctx.files }, made, 12, 1)
  const started = performance.now()
  await seedMonitor(tx, made, 5020)
  await seedNotices(tx, made.customerId)
  tookMs = performance.now() - started
  return made
})
await ensurePartitions(sql, new Date())

it('is written before a newcomer gives up', () => {
  // A second on an idle machine; other tests may run beside this one.
  expect(tookMs).toBeLessThan(40_000)
})

it('has values of every variable over all these days, except while its gateway had no power', async () => {
  const series = await sql<{ from: number; to: number; known: number }[]>`
    select extract(epoch from now() - min(r.at))::float8 as "from", extract(epoch from now() - max(r.at))::float8 as "to",
      count(*)::float8 * max(v.cycle_s) as known
    from variable_reports r join terminals t on t.id = r.terminal_id and r.at >= t.template_since, unnest(r.slots) as x(slot), variables v
    where v.template_id = t.template_id and v.slot = x.slot group by t.id, v.slot`
  expect(series.length).toBeGreaterThan(100)
  const day = 86_400
  for (const { from, to, known } of series) {
    expect(from).toBeGreaterThan((PAST_VALUE_DAYS - 0.1) * day)
    expect(to).toBeLessThan(day / 4)
    // Before the last day half as often.
    expect(known).toBeGreaterThan(((PAST_VALUE_DAYS + 1) / 2) * day * 0.7)
  }
})

it('holds only values that the templates accept, meters that grow, and states that change', async () => {
  const [bad] = await sql`
    select count(*)::int as bad from variable_reports r, unnest(r.quality) q where q <> 0`
  expect(bad?.['bad']).toBe(0)
  const kinds = await sql<{ kind: string; fell: number; distinct: number }[]>`
    select kind, count(*) filter (where value < before)::int as fell, count(distinct value)::int as "distinct"
    from (select v.function_type as kind, x.value, lag(x.value) over (partition by r.terminal_id, x.slot order by r.at) as before
      from variable_reports r join terminals t on t.id = r.terminal_id, unnest(r.slots, r.vals) as x(slot, value), variables v
      where r.at > now() - interval '6 hours' and v.template_id = t.template_id and v.slot = x.slot and v.access = 'read') samples
    group by kind`
  const of = (kind: string) => kinds.find((one) => one.kind === kind)
  expect(of('counter')?.fell).toBe(0)
  expect(of('gauge')?.fell).toBeGreaterThan(100)
  expect(of('gauge')?.distinct).toBeGreaterThan(100)
})

it('has ended alarms of its two notices, during which no value had recovered', async () => {
  const alarms = await sql<{ rule: string; calm: number; times: number; detail: string; open: boolean }[]>`
    select a.rule_name as rule, a.times, a.detail, a.ended_at is null as open, (
      select count(*)::int from variable_reports r, unnest(r.slots, r.vals) as u(slot, val)
      where r.terminal_id = a.terminal_id and u.slot = v.slot and r.at >= a.started_at and r.at < a.ended_at and u.val <= c.recover_at) as calm
    from alarms a join variables v on v.id = a.variable_id join alarm_conditions c on c.rule_id = a.rule_id
    where a.customer_id = ${demo.customerId} and a.kind = 'variable'`
  expect(new Set(alarms.map(({ rule }) => rule)).size).toBe(2)
  for (const { calm, times, detail, open } of alarms) {
    expect(open).toBe(false)
    if (times === 1) expect(calm).toBe(0)
    expect(detail).toMatch(/^\d+(\.\d)? (W|°C)$/)
  }
})

it('counts an alarm that returns within an hour once more, and none that is too short or still lasts', () => {
  const limits = { operator: 'gt', low: 10, recoverAt: 8, high: null, hysteresis: null, bit: null } as const
  const minutes = (...values: number[]) => values.map((value, i) => ({ atMs: i * 60_000, value }))
  expect(episodesOf(minutes(9, 11, 9, 12, 8), limits, 60_000)).toEqual([
    { fromMs: 60_000, openedMs: 180_000, toMs: 240_000, value: 12, times: 1 },
  ])
  expect(episodesOf(minutes(11, 12, 8, 11, 13, 7, 11), limits, 60_000)).toEqual([
    { fromMs: 0, openedMs: 240_000, toMs: 300_000, value: 13, times: 2 },
  ])
  expect(episodesOf(minutes(11, 8, 11, 12, 12), limits, 60_000)).toEqual([])
})

it('is summed by the workers: no minute is unknown between the first and the last sample of an hour', async () => {
  await sql`delete from variable_reports where at < now() - interval '30 hours' or at > now() - interval '20 hours'`
  await rollUpVariablesJob.run(ctx, {})
  const [hours] = await sql<{ all: number; gapless: number }[]>`
    select count(*)::int as all, count(*) filter (where h.known_s > 3590 - 2 * v.cycle_s)::int as gapless
    from variable_hours h join terminals t on t.id = h.terminal_id join variables v on v.template_id = t.template_id and v.slot = h.slot
    where h.at between now() - interval '29 hours' and now() - interval '22 hours'`
  expect(hours?.all).toBeGreaterThan(500)
  expect(hours?.gapless).toBeGreaterThan((hours?.all ?? 0) * 0.9)
}, 120_000)
