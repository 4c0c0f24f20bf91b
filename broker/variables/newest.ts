/** The newest values of terminals in memory, as they are in `terminal_latest` at a known version. */
import type { Sql } from '#infra/postgres'
import type { Truth } from '#schema/monitor/judge/judge'
import { type Reading, withValue } from './reading.ts'

/** Arrays by slot; null: never reported. */
export type Newest = {
  at: (number | null)[]
  vals: (number | null)[]
  quality: (number | null)[]
  texts: (string | null)[]
  /** The newest values of good quality. */
  goodAt: (number | null)[]
  goodVals: (number | null)[]
}
/** `ruleAt`: when the rule that it was evaluated by was last changed, in ms. */
export type HeldTruth = Truth & { ruleAt: number }
/** By notice, of one terminal. */
export type HeldTruths = ReadonlyMap<number, HeldTruth>

/** `since`: reports by plans made before it have the slots of another template. */
export type HeldTerminal = {
  deviceId: number
  version: number
  since: number
  newest: Newest
  /** As in `variable_truths`, at the same version. */
  truths: HeldTruths
  usedAt: number
}

/** Maximum number of terminals in memory; the ones that were silent longest are evicted, and read again when needed. */
const TERMINALS_MAX = 50_000

type Row = {
  terminalId: number
  deviceId: number
  version: number
  since: number
  at: (number | null)[]
  vals: (number | null)[]
  quality: number[] | null
  texts: (string | null)[] | null
  goodAt: (number | null)[] | null
  goodVals: (number | null)[] | null
  truths: (HeldTruth & { ruleId: number })[] | null
}

/** If all values are good, one copy is stored. */
const newestOf = ({ at, vals, quality, texts, goodAt, goodVals }: Row): Newest => ({
  at,
  vals,
  quality: quality ?? at.map((time) => (time === null ? null : 0)),
  texts: texts ?? at.map(() => null),
  goodAt: goodAt ?? at.slice(),
  goodVals: goodVals ?? vals.slice(),
})

export const copyOf = (newest: Newest): Newest => ({
  at: newest.at.slice(),
  vals: newest.vals.slice(),
  quality: newest.quality.slice(),
  texts: newest.texts.slice(),
  goodAt: newest.goodAt.slice(),
  goodVals: newest.goodVals.slice(),
})

function grow(newest: Newest, slots: number): void {
  for (const list of Object.values(newest)) for (let n = list.length; n < slots; n++) list.push(null)
}

/** A value replaces the newest of its slot if it is more recent. */
export function merge(newest: Newest, { at, slots, vals, quality, texts }: Reading): void {
  for (let k = 0; k < slots.length; k++) {
    const slot = slots[k] as number
    if (slot >= newest.at.length) grow(newest, slot + 1)
    const known = newest.at[slot] as number | null
    if (known !== null && at <= known) continue
    const code = quality?.[k] ?? 0
    newest.at[slot] = at
    newest.vals[slot] = vals[k] as number | null
    newest.quality[slot] = code
    newest.texts[slot] = texts?.[k] ?? null
    if (!withValue[code]) continue
    newest.goodAt[slot] = at
    newest.goodVals[slot] = vals[k] as number | null
  }
}

/** @param most how many are kept in memory */
export function openNewest(sql: () => Sql, most: number = TERMINALS_MAX) {
  const held = new Map<number, HeldTerminal>()

  /** Half of them, but none of those that are needed now: what is not found counts as deleted. */
  function forgetSome(needed: ReadonlySet<number>): void {
    const oldest = [...held].filter(([id]) => !needed.has(id)).sort(([, a], [, b]) => a.usedAt - b.usedAt)
    for (const [id] of oldest.slice(0, held.size >> 1)) held.delete(id)
  }

  return {
    get: (terminalId: number): HeldTerminal | undefined => held.get(terminalId),
    forget: (terminalIds: Iterable<number>): void => {
      for (const id of terminalIds) held.delete(id)
    },
    /** Reads those that are not in memory; terminals that do not exist are left out. */
    load: async (terminalIds: Iterable<number>): Promise<void> => {
      const needed = new Set(terminalIds)
      const missing = [...needed].filter((id) => !held.has(id))
      if (missing.length === 0) return
      if (held.size + missing.length > most) forgetSome(needed)
      // As JSON: postgres.js reads null inside an array as NaN.
      const rows = await sql()<Row[]>`
        select t.id as "terminalId", t.device_id as "deviceId", l.version, array_to_json(l.at) as at,
          array_to_json(l.vals) as vals, array_to_json(l.quality) as quality, array_to_json(l.texts) as texts,
          array_to_json(l.good_at) as "goodAt", array_to_json(l.good_vals) as "goodVals", (extract(epoch from t.template_since) * 1000)::float8 as since,
          (select json_agg(x) from (select distinct on (rule_id) rule_id as "ruleId", holds,
            (extract(epoch from at) * 1000)::float8 as since, (extract(epoch from rule_at) * 1000)::float8 as "ruleAt"
            from variable_truths where terminal_id = t.id and at >= t.template_since order by rule_id, at desc) x) as truths
        from terminals t join terminal_latest l on l.terminal_id = t.id where t.id = any(${missing}::int[])`
      for (const row of rows) {
        const { deviceId, version, since } = row
        held.set(row.terminalId, {
          deviceId,
          version,
          since,
          newest: newestOf(row),
          truths: new Map(row.truths?.map(({ ruleId, ...truth }) => [ruleId, truth])),
          usedAt: performance.now(),
        })
      }
    },
  }
}
