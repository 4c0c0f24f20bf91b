/** Sums over stored reports. A value stands until the next sample, or for as long as its cycle lets expect one. */
import { type SQL, sql } from 'drizzle-orm'
import { hasValue, qualities, qualityCode } from '#schema/monitor/fields'
import { type HistoryStep, stepS } from '#schema/monitor/variable-history'

const good = sql.raw(`'{${qualities.filter(hasValue).map(qualityCode).join(',')}}'::int[]`)

/** One variable of one terminal; `sinceMs`: when its history begins for the reader. */
export type Asked = { terminalId: number; slot: number; sinceMs: number; holdS: number }
export type Range = { fromMs: number; toMs: number; zone: string }

const moment = (ms: number) => sql`${new Date(ms).toISOString()}::timestamptz`

const askedRows = (asked: readonly Asked[]) => sql`
  (values ${sql.join(
    asked.map(
      (one, i) =>
        sql`(${i}::int, ${one.terminalId}::int, ${one.slot}::int, ${moment(one.sinceMs)}, make_interval(secs => ${one.holdS}::float8))`,
    ),
    sql`, `,
  )}) as a(n, terminal_id, slot, since, hold)`

/** From the sample on that stands at the beginning. */
export const samplesSql = (asked: readonly Asked[], { fromMs, toMs }: Range): SQL => sql`
  select a.n, a.hold, r.at, coalesce(u.quality, 0)::int as quality,
    case when coalesce(u.quality, 0) = any(${good}) then u.val end as val
  from ${askedRows(asked)} join variable_reports r on r.terminal_id = a.terminal_id
      and r.at >= greatest(a.since, ${moment(fromMs)} - a.hold) and r.at >= ${moment(fromMs)} - interval '1 day' and r.at < ${moment(toMs)}
    cross join lateral unnest(r.slots, r.vals, r.quality) as u(slot, val, quality)
  where u.slot = a.slot`

/** The buckets that the time from `a` to `b` touches, as (starts, ends). */
function bucketsOf(step: Exclude<HistoryStep, 'raw'>, a: SQL, b: SQL, { fromMs, zone }: Range): SQL {
  if (step === 'day')
    return sql`(select d at time zone ${zone}::text as starts, (d + interval '1 day') at time zone ${zone}::text as ends
      from generate_series(date_trunc('day', (${a}) at time zone ${zone}::text),
        ((${b}) - interval '1 millisecond') at time zone ${zone}::text, interval '1 day') as d)`
  const width = sql.raw(`interval '${stepS[step]} seconds'`)
  // Hours of zones with a quarter or a half begin with theirs.
  const origin = sql`(date_trunc('day', ${moment(fromMs)} at time zone ${zone}::text) at time zone ${zone}::text)`
  return sql`(select d as starts, d + ${width} as ends
    from generate_series(date_bin(${width}, ${a}, ${origin}), (${b}) - interval '1 millisecond', ${width}) as d)`
}

export const bucketListSql = (step: Exclude<HistoryStep, 'raw'>, range: Range): SQL => sql`
  select extract(epoch from b.starts)::float8 * 1000 as "startMs"
  from ${bucketsOf(step, moment(range.fromMs), moment(range.toMs), range)} b order by 1`

export type BucketRow = {
  n: number
  startMs: number
  avg: number | null
  min: number | null
  max: number | null
  last: number | null
  bad: number
  diff: number | null
}

/** `nowMs`: of the bucket that is not over, only what has passed must be known. */
export function bucketsSql(
  asked: readonly Asked[],
  step: Exclude<HistoryStep, 'raw'>,
  range: Range,
  nowMs: number,
): SQL {
  const [from, to] = [moment(range.fromMs), moment(Math.min(range.toMs, nowMs))]
  const span = bucketsOf(step, sql`greatest(s.at, ${from})`, sql`s.until`, range)
  return sql`
    with samples as (${samplesSql(asked, range)}),
    spans as (
      select n, at, val, least(lead(at) over (partition by n order by at), at + hold, ${to}) as until from samples),
    parts as (
      select s.n, s.at, s.val, b.starts, b.ends,
        extract(epoch from least(s.until, b.ends) - greatest(s.at, b.starts, ${from}))::float8 as seconds
      from spans s cross join lateral ${span} b where s.until > greatest(s.at, ${from})),
    sums as (
      select n, starts, min(val) as min, max(val) as max, (array_agg(val order by at desc) filter (where val is not null))[1] as last,
        count(*) filter (where val is null and at >= starts)::int as bad,
        case when sum(seconds) filter (where val is not null)
          >= 0.5 * extract(epoch from least(max(ends), ${to}) - greatest(starts, ${from}))
          then sum(val * seconds) / nullif(sum(seconds) filter (where val is not null), 0) end as avg
      from parts group by n, starts),
    goods as (
      select n, at, val, lag(val) over w as before, lead(val) over w as after
      from samples where val is not null window w as (partition by n order by at)),
    -- One reading that fell and came back is a glitch; one that stays is a reset.
    steady as (
      select n, at, val, lag(val) over (partition by n order by at) as before from goods
      where before is null or val >= before or after is null or after < before),
    grown as (
      select s.n, b.starts, sum(case when s.before is null then 0 when s.val >= s.before then s.val - s.before else s.val end) as diff
      from steady s cross join lateral ${bucketsOf(step, sql`s.at`, sql`s.at + interval '2 milliseconds'`, range)} b
      where s.at >= ${from} and b.starts <= s.at group by s.n, b.starts)
    select s.n, extract(epoch from s.starts)::float8 * 1000 as "startMs", s.avg, s.min, s.max, s.last, s.bad, g.diff
    from sums s left join grown g on g.n = s.n and g.starts = s.starts`
}
