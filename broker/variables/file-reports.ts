/**
 * One statement stores a group of reports and the newest values. It writes only for terminals whose row has the version
 * that we know: nothing is stored for one that was deleted, moved to another gateway or given another template
 * meanwhile.
 */
import type { Newest } from './newest.ts'
import type { Reading } from './reading.ts'
import type { Turn } from './truths.ts'

type Cell = number | string | null

/** Array literals of PostgreSQL, far cheaper than the driver's own encoding. */
const list = (cells: readonly (number | null)[]): string => {
  let text = ''
  for (const cell of cells) text += cell === null ? ',NULL' : `,${cell}`
  return `{${text.slice(1)}}`
}
const quote = (text: string) => `"${text.replace(/[\\"]/g, '\\$&')}"`
const textList = (cells: readonly (string | null)[]) =>
  `{${cells.map((cell) => (cell === null ? 'NULL' : quote(cell))).join(',')}}`

const column = <R>(rows: readonly R[], cell: (row: R) => Cell): string => {
  let text = ''
  for (const row of rows) {
    const value = cell(row)
    if (value === null) text += ',NULL'
    else text += typeof value === 'number' ? `,${value}` : `,"${value}"`
  }
  return `{${text.slice(1)}}`
}

export type Change = { terminalId: number; version: number; newest: Newest }
export type Checked = { terminalId: number; version: number }

// The rows of a group are looked up in a hashed list: the planner expects ten rows from any array, and would compare
// every report with every terminal.
const FILE = `
  with e as materialized (
    select * from unnest($1::text::int[], $2::text::int[], $3::text::text[], $4::text::text[], $5::text::text[],
      $6::text::text[], $7::text::text[], $8::text::text[]) as x(terminal_id, version, at, vals, quality, texts, good_at, good_vals)),
  moved as (
    update terminal_latest l set version = l.version + 1, at = e.at::bigint[], vals = e.vals::float8[],
      quality = e.quality::smallint[], texts = e.texts::text[], good_at = e.good_at::bigint[], good_vals = e.good_vals::float8[]
    from e where l.terminal_id = e.terminal_id and l.version = e.version returning l.terminal_id),
  held as materialized (
    select terminal_id from moved
    union all select l.terminal_id from unnest($9::text::int[], $10::text::int[]) as c(terminal_id, version)
      join terminal_latest l on l.terminal_id = c.terminal_id and l.version = c.version),
  filed as (
    insert into variable_reports (at, terminal_id, plan, slots, vals, quality, texts)
    select to_timestamp(r.at::float8 / 1000), r.terminal_id, r.plan, r.slots::smallint[], r.vals::float8[],
      r.quality::smallint[], r.texts::text[]
    from unnest($11::text::bigint[], $12::text::int[], $13::text::int[], $14::text::text[], $15::text::text[],
      $16::text::text[], $17::text::text[]) as r(at, terminal_id, plan, slots, vals, quality, texts)
    where (r.terminal_id in (select terminal_id from held)) is true
    on conflict do nothing)`
const HELD = `
  select terminal_id from held`
// The rule is locked, so that it cannot be deleted before its key is checked: that would fail the whole group.
const TURN = `,
  turned as (
    insert into variable_truths (rule_id, terminal_id, at, rule_at, holds, value, quality)
    select x.rule_id, x.terminal_id, to_timestamp(x.at::float8 / 1000), to_timestamp(x.rule_at::float8 / 1000), x.holds, x.value, x.quality
    from unnest($18::text::int[], $19::text::int[], $20::text::bigint[], $21::text::bigint[], $22::text::boolean[],
      $23::text::float8[], $24::text::smallint[]) as x(rule_id, terminal_id, at, rule_at, holds, value, quality)
      join alarm_rules r on r.id = x.rule_id
    where x.terminal_id in (select terminal_id from moved) for key share of r
    on conflict do nothing)`
export const FILE_REPORTS = FILE + HELD
/** Truth changes are rare, so there is a statement without that part. */
export const FILE_REPORTS_AND_TURNS = FILE + TURN + HELD

const someText = (texts: readonly (string | null)[]) => texts.some((text) => text !== null)
/** Arrays of texts inside an array of texts must be quoted again. */
const nested = (texts: readonly (string | null)[]) => textList(texts).replace(/[\\"]/g, '\\$&')

/** Values that are good now need no second copy as "last good". */
const isGood = ({ at, goodAt }: Newest) => at.every((time, slot) => time === goodAt[slot])

export function fileArguments(
  changes: readonly Change[],
  checked: readonly Checked[],
  readings: readonly Reading[],
): string[] {
  const good = changes.map(({ newest }) => isGood(newest))
  const ofAll = <T>(cell: (newest: Newest, isAllGood: boolean) => T) =>
    changes.map(({ newest }, n) => cell(newest, good[n] === true))
  const text = (cells: (string | null)[]) => column(cells, (cell) => cell)
  return [
    column(changes, ({ terminalId }) => terminalId),
    column(changes, ({ version }) => version),
    text(ofAll(({ at }) => list(at))),
    text(ofAll(({ vals }) => list(vals))),
    text(ofAll(({ quality }) => (quality.every((code) => !code) ? null : list(quality)))),
    text(ofAll(({ texts }) => (someText(texts) ? nested(texts) : null))),
    text(ofAll(({ goodAt }, allGood) => (allGood ? null : list(goodAt)))),
    text(ofAll(({ goodVals }, allGood) => (allGood ? null : list(goodVals)))),
    column(checked, ({ terminalId }) => terminalId),
    column(checked, ({ version }) => version),
    column(readings, ({ at }) => at),
    column(readings, ({ terminalId }) => terminalId),
    column(readings, ({ plan }) => plan),
    column(readings, ({ slots }) => list(slots)),
    column(readings, ({ vals }) => list(vals)),
    column(readings, ({ quality }) => (quality ? list(quality) : null)),
    column(readings, ({ texts }) => (texts ? nested(texts) : null)),
  ]
}

/** Nothing where there are none. */
export const turnArguments = (turns: readonly Turn[]): string[] =>
  turns.length === 0
    ? []
    : [
        column(turns, ({ ruleId }) => ruleId),
        column(turns, ({ terminalId }) => terminalId),
        column(turns, ({ at }) => at),
        column(turns, ({ ruleAt }) => ruleAt),
        column(turns, ({ holds }) => (holds ? 'true' : 'false')),
        column(turns, ({ value }) => value),
        column(turns, ({ quality }) => quality),
      ]
