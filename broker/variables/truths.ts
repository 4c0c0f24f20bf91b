/**
 * Finds, before samples are stored, where the condition of an alarm rule becomes true or false. The change is stored
 * with the samples, and the workers are woken to open and end alarms accordingly (workers/alarm). The state of a
 * terminal's conditions is kept with its newest values, under the same version, so that an evaluation by another broker
 * meanwhile is detected.
 */

import { qualities, qualityCode } from '#schema/monitor/fields'
import {
  conditionsByNotice,
  conditionValue,
  type NoticeFormula,
  type SlotCondition,
} from '#schema/monitor/formula/condition'
import { type JudgedRule, judged, mayJudge, type Sample, unjudged } from '#schema/monitor/judge/judge'
import { TRUTHS_CHANNEL } from '#schema/monitor/notice/variable-condition'
import { NOTICE_FORMULAS } from '#schema/tables/alarm-rule'
import type { FilingTools } from '../uplink.ts'
import type { HeldTruth, HeldTruths, Newest } from './newest.ts'
import type { Reading } from './reading.ts'

/** Polling interval for changed rules, variables, terminals and devices. */
const CHECK_MS = 5_000
/**
 * Minimum interval between two wake-ups: the first after a pause is immediate, changes within the interval share the
 * next one.
 */
const WAKE_EVERY_MS = 20

/** One change of a condition. */
export type Turn = {
  ruleId: number
  terminalId: number
  at: number
  ruleAt: number
  holds: boolean
  value: number | null
  quality: number
}

type Rule = JudgedRule & {
  ruleId: number
  terminalId: number
  slot: number
  cycleMs: number
  ruleAt: number
  /** For the operator `formula`: evaluated instead of the variable, which alarms show. */
  condition?: SlotCondition
}

/**
 * From a slave that does not respond: one alarm reports that, so its variables raise no "bad quality" alarms of their
 * own.
 */
const isSilent = qualities.map((quality) => quality === 'slaveOffline' || quality === 'noPath')
const good = qualityCode('good')

/** Whether the reading contains the newest value of the watched variable, or of an input of its formula. */
const isNew = ({ slot, condition }: Rule, { at, slots }: Reading, newest: Newest): boolean =>
  condition
    ? condition.inputs.some((input) => newest.at[input.slot] === at && slots.includes(input.slot))
    : newest.at[slot] === at && slots.includes(slot)

function sampleOf({ slot, condition }: Rule, at: number, newest: Newest): Sample {
  if (!condition) return { at, value: newest.vals[slot] ?? null, quality: newest.quality[slot] ?? good }
  const known = condition.inputs.map((input) => ({
    at: newest.at[input.slot] ?? null,
    value: newest.vals[input.slot] ?? null,
    quality: newest.quality[input.slot] ?? good,
  }))
  return { at, ...conditionValue(condition, known, at) }
}

export function openTruths({ sql, log, now }: Pick<FilingTools, 'sql' | 'log' | 'now'>) {
  let edition = ''
  let byTerminal = new Map<number, Rule[]>()
  let waking: ReturnType<typeof setTimeout> | undefined
  let wokenAt = Number.NEGATIVE_INFINITY
  let checking = false

  /** Rules for groups are evaluated for all terminals of the customer: the workers know which ones they cover. */
  async function load(): Promise<void> {
    const rows = await sql()<Rule[]>`
      select r.id as "ruleId", t.id as "terminalId", v.slot, c.operator, c.low, c.high, c.recover_at as "recoverAt", c.hysteresis,
        c.bit, c.within_s as "withinS", v.cycle_s * 1000 as "cycleMs", (extract(epoch from r.updated_at) * 1000)::float8 as "ruleAt"
      from alarm_rules r join alarm_conditions c on c.rule_id = r.id join variables v on v.id = c.variable_id and not v.hidden
        join terminals t on t.template_id = v.template_id and not t.hidden and (r.scope <> 'devices'
          or exists (select 1 from alarm_rule_terminals y where y.rule_id = r.id and y.terminal_id = t.id))
        join devices d on d.id = t.device_id and d.customer_id = r.customer_id and d.deleted_at is null
      where r.enabled and r.kind = 'variable' and c.operator <> 'noData'`
    const formulas = conditionsByNotice(await sql().unsafe<NoticeFormula[]>(NOTICE_FORMULAS))
    const judgeable = rows.flatMap((rule) => {
      if (rule.operator !== 'formula') return [rule]
      const condition = formulas.get(rule.ruleId)
      return condition ? [{ ...rule, ...condition }] : []
    })
    byTerminal = Map.groupBy(judgeable, ({ terminalId }) => terminalId)
  }

  async function check(): Promise<void> {
    if (checking) return
    checking = true
    try {
      const [row] = await sql()<{ edition: string }[]>`
        select concat_ws('/', r.n, r.changes, t.n, t.latest, v.n, v.changes, d.n) as edition
        -- Sums, because the newest of them need not be the last one, where the clock was set back.
        from (select count(*) as n, sum(extract(epoch from updated_at)) as changes from alarm_rules where kind = 'variable' and enabled) r,
          (select count(*) as n, max(template_since) as latest from terminals where not hidden) t,
          -- A formula may read each variable of its template; the others, of which there are many, only their own.
          (select count(*) filter (where not w.hidden) as n, sum(case c.operator when 'formula' then
              (select sum(extract(epoch from x.updated_at)) from variables x where x.template_id = w.template_id)
              else extract(epoch from w.updated_at) end) as changes
            from alarm_conditions c join variables w on w.id = c.variable_id) v,
          -- Few, and found by an index: one that is restored brings its terminals back.
          (select sum(id) as n from devices where deleted_at is not null) d`
      if (row && row.edition !== edition) {
        await load()
        edition = row.edition
      }
    } catch (error) {
      log.warn({ err: error }, 'notices about variables not read; the workers still judge by the round')
    } finally {
      checking = false
    }
  }

  const timer = setInterval(() => void check(), CHECK_MS)
  const ready = check()
  return {
    /** Resolves when the rules have been read once, or that has failed. */
    ready,
    /**
     * Evaluates the conditions after a reading has been merged into the newest values. Adds the changes to `turns`;
     * `known` is unchanged, because storing the reading may have to be repeated.
     */
    judge(reading: Reading, newest: Newest, known: HeldTruths, turns: Turn[]): HeldTruths {
      const rules = byTerminal.get(reading.terminalId)
      if (!rules) return known
      let next: Map<number, HeldTruth> | null = null
      const { at, late, terminalId } = reading
      for (const rule of rules) {
        const { ruleId, ruleAt, slot } = rule
        if (!isNew(rule, reading, newest)) continue
        if (!mayJudge({ at, late }, null, rule.cycleMs, now().getTime())) continue
        const sample = sampleOf(rule, at, newest)
        if (isSilent[sample.quality]) continue
        const before = (next ?? known).get(ruleId)
        const truth = before && before.ruleAt === ruleAt ? before : { ...unjudged, ruleAt }
        const after = judged(rule, truth, sample)
        if (after === truth) continue
        next ??= new Map(known)
        next.set(ruleId, { ...after, ruleAt })
        if (after.holds !== truth.holds)
          turns.push({
            ruleId,
            terminalId,
            at,
            ruleAt,
            holds: after.holds,
            value: newest.vals[slot] ?? null,
            quality: sample.quality,
          })
      }
      return next ?? known
    },
    /** After changes were stored. */
    wake(): void {
      waking ??= setTimeout(
        () => {
          waking = undefined
          wokenAt = performance.now()
          sql()`select pg_notify(${TRUTHS_CHANNEL}, '')`.then(
            () => undefined,
            (error: unknown) => log.warn({ err: error }, 'workers not woken; the round judges'),
          )
        },
        Math.max(0, wokenAt + WAKE_EVERY_MS - performance.now()),
      )
    },
    close: async (): Promise<void> => {
      clearInterval(timer)
      clearTimeout(waking)
    },
  }
}
export type Truths = ReturnType<typeof openTruths>
