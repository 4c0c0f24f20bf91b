import type { Transaction } from '../kit/processor.ts'

/**
 * Of one hour of a terminal: a thousand variables each second are fewer. Without a limit one device that sends without a pause would make an
 * hour that no memory holds, and the hours of all customers would wait behind it.
 */
const VALUES_MAX = 4_000_000

export type Marked = { terminalId: number; hour: Date }
export type Report = [ms: number, slots: number[], vals: (number | null)[], quality: number[] | null]
export type Hour = { terminalId: number; hourMs: number; reports: Report[] }

/**
 * The reports of these hours, in the order of time; of hours without any nothing. Those of a former template use the slots of that template.
 * One hour at a time: those of many terminals together may be more than fits into memory. Beyond `valuesMax` values the rest of an hour is left
 * out, so it is unknown. No other statement of the transaction may run meanwhile.
 */
export async function* readHours(tx: Transaction, marked: readonly Marked[], valuesMax = VALUES_MAX) {
  const rows = tx<Hour[]>`
    select m.terminal_id as "terminalId", (extract(epoch from m.hour) * 1000)::float8 as "hourMs", x.reports
    from unnest(${marked.map(({ terminalId }) => terminalId)}::int[], ${marked.map(({ hour }) => hour.toISOString())}::timestamptz[])
        as m(terminal_id, hour)
      join terminals t on t.id = m.terminal_id
      cross join lateral (
        select json_agg(json_build_array((extract(epoch from r.at) * 1000)::bigint, r.slots, r.vals, r.quality) order by r.at) as reports
        from (
          select at, slots, vals, quality, sum(cardinality(slots)) over (order by at rows unbounded preceding) as values
          from variable_reports
          where terminal_id = m.terminal_id and at >= greatest(m.hour, t.template_since) and at < m.hour + interval '1 hour') r
        where r.values <= ${valuesMax}) x
    where x.reports is not null`
  for await (const [hour] of rows.cursor(1)) if (hour) yield hour
}
