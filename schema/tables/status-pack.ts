/**
 * Status samples older than a day: one row for each device and day, its columns as arrays of bytes that compress well
 * [decisions/141]. Read with the others through the view `status_history`; written by workers/device/pack-samples.ts.
 */
import { customType, integer, pgTable, primaryKey, real, text } from 'drizzle-orm/pg-core'
import { figureList } from '../device/figure.ts'
import { at } from './columns.ts'

/** A domain in by-hand.sql, since the generator of migrations cannot name PostgreSQL's type of one byte. */
const byteArray = customType<{ data: string[] }>({ dataType: () => 'byte_array' })
const longArray = customType<{ data: number[] }>({ dataType: () => 'bigint[]' })

/** The lowest bytes of a number have an array each, what is above them another; whatever is 0 throughout is absent. */
const BYTES = 3
const places = Array.from({ length: BYTES }, (_, i) => i)
const above = 8 * BYTES

/** Stored as the difference to the sample before: counters and time. */
const counters = ['uptime_s', 'rx_bytes', 'tx_bytes'] as const
const figures = figureList.map(({ column }) => column)
const coded = ['at', ...counters, ...figures]

export const statusPacks = pgTable(
  'status_packs',
  {
    deviceId: integer('device_id').notNull(),
    /** Midnight, UTC. */
    at: at('at').notNull(),
    samples: integer('samples').notNull(),
    /** Of the first sample, after midnight. */
    firstMs: integer('first_ms').notNull(),
    /** The most frequent time between two samples, which the others differ from. */
    stepMs: integer('step_ms').notNull(),
    networkMode: text('network_mode').array(),
    ...(Object.fromEntries(
      coded.flatMap((name) => [
        ...places.map((i) => [`${name}_${i}`, byteArray(`${name}_${i}`)] as const),
        [`${name}_r`, longArray(`${name}_r`)] as const,
      ]),
    ) as object),
    // Not a number of hundredths.
    ...(Object.fromEntries(figures.map((name) => [`${name}_raw`, real(`${name}_raw`).array()])) as object),
  },
  (t) => [primaryKey({ columns: [t.deviceId, t.at] })],
)

/** Small numbers of either sign become small ones without. */
const unsigned = (value: string) =>
  `(case when ${value} < 0 then -2 * (${value}) - 1 else 2 * (${value}) end)`

const byteOf = (value: string, i: number) => `(((${value} >> ${8 * i}) & 255) - 128)::int::"char"`
const aggregate = (value: string, when: string) => `case when ${when} then array_agg(${value}) end`

/** `name`: a column of numbers without sign. */
const arraysOf = (name: string, when = 'true') => [
  ...places.map((i) =>
    aggregate(
      byteOf(name, i),
      i === 0 ? `${when} and count(${name}) > 0` : `${when} and max(${name}) >> ${8 * i} > 0`,
    ),
  ),
  aggregate(`${name} >> ${above}`, `${when} and max(${name}) >> ${above} > 0`),
]
const arrayNames = (name: string) => [...places.map((i) => `${name}_${i}`), `${name}_r`]

/** null where the value was. */
const signed = (name: string) => {
  const parts = places.map((i) =>
    i === 0 ? `u.${name}_0::int + 128` : `coalesce((u.${name}_${i}::int + 128) << ${8 * i}, 0)`,
  )
  const all = `(${parts.join(' + ')} + (coalesce(u.${name}_r, 0) << ${above}))`
  return `((${all} >> 1) # -(${all} & 1))`
}

const unpacked = [...coded.flatMap(arrayNames), 'network_mode', ...figures.map((name) => `${name}_raw`)]
const sampleColumns = ['uptime_s', 'network_mode', 'rx_bytes', 'tx_bytes', ...figures]

/**
 * The view that reads both kinds alike, and the one of packed samples only. `day` narrows: a condition on `at` alone unpacks every day of
 * the device.
 */
export const statusHistorySql = `CREATE VIEW "packed_samples" AS
select device_id, day, day + (first_ms + ms) * interval '1 millisecond' as at, ${sampleColumns.join(', ')} from (
  select p.device_id, p.at as day, p.first_ms,
    (sum(${signed('at')}) over w)::bigint + (u.n - 1) * p.step_ms as ms, u.network_mode,
    ${counters.map((name) => `case when u.${name}_0 is not null then (sum(${signed(name)}::float8) over w)::bigint end as ${name}`).join(',\n    ')},
    ${figures.map((name) => `coalesce(u.${name}_raw, (${signed(name)} / 100.0::float8)::real) as ${name}`).join(',\n    ')}
  from status_packs p cross join lateral unnest(${unpacked.map((name) => `p.${name}`).join(', ')})
    with ordinality as u(${unpacked.join(', ')}, n)
  window w as (partition by p.device_id, p.at order by u.n)) unpacked;
CREATE VIEW "status_history" AS
select device_id, date_trunc('day', at, 'UTC') as day, at, ${sampleColumns.join(', ')} from status_samples
union all
select device_id, day, at, ${sampleColumns.join(', ')} from packed_samples;`

/** ±327 in hundredths, which are what devices report. */
const isHundredths = (name: string) =>
  `coalesce(bool_and(abs(${name}) < 327 and (round(${name}::float8 * 100) / 100)::real = ${name}), true)`

/**
 * Packs the samples of one day of some devices, together with what is packed of it already. $1: devices; $2: midnight;
 * $3: samples stored after that are left. One statement: it is done, or nothing is.
 */
export const packSql = `
  with moved as (
    delete from status_samples where device_id = any($1::int[]) and at >= $2::text::timestamptz
      and at < $2::text::timestamptz + interval '1 day' and stored_at <= $3::text::timestamptz
    returning device_id, at, ${sampleColumns.join(', ')}),
  -- Sent again by a device that missed the acknowledgement: stored once.
  every as (
    select distinct on (device_id, at) * from (
      select device_id, at, ${sampleColumns.join(', ')}, 1 as late from moved
      union all
      select device_id, at, ${sampleColumns.join(', ')}, 0 from packed_samples
      where day = $2::text::timestamptz and device_id = any($1::int[]) and device_id in (select device_id from moved)
) one
    order by device_id, at, late),
  steps as (
    select *, row_number() over w as n, (extract(epoch from at - $2::text::timestamptz) * 1000)::bigint as ms,
      (extract(epoch from at - lag(at) over w) * 1000)::bigint as gap,
      ${counters.map((name) => `${name} - coalesce(lag(${name}) over (partition by device_id, ${name} is null order by at), 0) as ${name}_d`).join(', ')}
    from every window w as (partition by device_id order by at)),
  usual as (select device_id, coalesce(mode() within group (order by gap), 0)::int as step from steps group by device_id),
  coded as (
    select s.device_id, n, ms, step, network_mode, ${figures.join(', ')}, ${unsigned('coalesce(gap - step, 0)')} as at_z,
      ${counters.map((name) => `${unsigned(`${name}_d`)} as ${name}_z`).join(', ')},
      ${figures.map((name) => `${unsigned(`case when abs(${name}) < 327 then round(${name}::float8 * 100)::bigint end`)} as ${name}_z`).join(', ')}
    from steps s join usual using (device_id))
  insert into status_packs (device_id, at, samples, first_ms, step_ms, network_mode,
    ${coded.flatMap(arrayNames).join(', ')}, ${figures.map((name) => `${name}_raw`).join(', ')})
  select device_id, $2::text::timestamptz, count(*), min(ms), min(step),
    ${aggregate('network_mode', 'count(network_mode) > 0')},
    ${['at', ...counters].flatMap((name) => arraysOf(`${name}_z`)).join(',\n    ')},
    ${figures.flatMap((name) => arraysOf(`${name}_z`, isHundredths(name))).join(',\n    ')},
    ${figures.map((name) => aggregate(name, `not ${isHundredths(name)}`)).join(',\n    ')}
  -- In the order of their number, as the aggregates take them.
  from (select * from coded order by device_id, n) ordered group by device_id
  on conflict (device_id, at) do update set ${[
    'samples',
    'first_ms',
    'step_ms',
    'network_mode',
    ...coded.flatMap(arrayNames),
    ...figures.map((name) => `${name}_raw`),
  ]
    .map((name) => `${name} = excluded.${name}`)
    .join(', ')}`
