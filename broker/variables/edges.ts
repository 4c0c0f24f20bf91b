/**
 * Finds, as samples are stored, where what a notice watches begins or ends, and wakes the workers, which judge by the rows
 * (workers/alarm). Only a wake-up: one that is lost, or too many of them, change nothing but the time until the round.
 */
import { type JudgedRule, judged, mayJudge, type Truth, unjudged } from '#schema/monitor/judge/judge'
import { TRUTHS_CHANNEL } from '#schema/monitor/variable-condition'
import type { FilingTools } from '../uplink.ts'
import type { Reading } from './reading.ts'

/** How often it is asked whether notices or terminals have changed. */
const CHECK_MS = 5_000
/** Changes within this time are one wake-up. */
const GATHER_MS = 20

type Row = JudgedRule & { ruleId: number; terminalId: number; slot: number; cycleMs: number; edition: string }
type Watched = Row & { truth: Truth; newestAt: number | null }

const good = 0

export function openEdges({ sql, log, now }: Pick<FilingTools, 'sql' | 'log' | 'now'>) {
  let edition = ''
  let byTerminal = new Map<number, Map<number, Watched[]>>()
  let waking: ReturnType<typeof setTimeout> | undefined
  let checking = false

  /** Rules for groups are watched at all terminals of the customer: the workers know which they cover. */
  async function load(): Promise<void> {
    const rows = await sql()<Row[]>`
      select r.id as "ruleId", t.id as "terminalId", v.slot, c.operator, c.low, c.high, c.recover_at as "recoverAt", c.hysteresis,
        c.bit, c.within_s as "withinS", v.cycle_s * 1000 as "cycleMs", r.updated_at::text || t.template_since::text as edition
      from alarm_rules r join alarm_conditions c on c.rule_id = r.id join variables v on v.id = c.variable_id and not v.hidden
        join terminals t on t.template_id = v.template_id and not t.hidden and (r.scope <> 'devices'
          or exists (select 1 from alarm_rule_terminals y where y.rule_id = r.id and y.terminal_id = t.id))
        join devices d on d.id = t.device_id and d.customer_id = r.customer_id and d.deleted_at is null
      where r.enabled and r.kind = 'variable' and c.operator <> 'noData'`
    const next: typeof byTerminal = new Map()
    for (const row of rows) {
      const slots = next.get(row.terminalId) ?? new Map<number, Watched[]>()
      next.set(row.terminalId, slots)
      const known = byTerminal
        .get(row.terminalId)
        ?.get(row.slot)
        ?.find((one) => one.ruleId === row.ruleId && one.edition === row.edition)
      const list = slots.get(row.slot) ?? []
      list.push(known ?? { ...row, truth: unjudged, newestAt: null })
      slots.set(row.slot, list)
    }
    byTerminal = next
  }

  async function check(): Promise<void> {
    if (checking) return
    checking = true
    try {
      const [row] = await sql()<{ edition: string }[]>`
        select concat_ws('/', r.n, r.latest, t.n, t.latest) as edition
        from (select count(*) as n, max(updated_at) as latest from alarm_rules where kind = 'variable' and enabled) r,
          (select count(*) as n, max(template_since) as latest from terminals where not hidden) t`
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

  function wake(): void {
    waking ??= setTimeout(() => {
      waking = undefined
      sql()`select pg_notify(${TRUTHS_CHANNEL}, '')`.then(
        () => undefined,
        (error: unknown) => log.warn({ err: error }, 'workers not woken; the round judges'),
      )
    }, GATHER_MS)
  }

  const timer = setInterval(() => void check(), CHECK_MS)
  void check()
  return {
    /** Of a report that is stored. */
    see(reading: Reading): void {
      const slots = byTerminal.get(reading.terminalId)
      if (!slots) return
      for (const [k, slot] of reading.slots.entries())
        for (const one of slots.get(slot) ?? []) {
          const { at, late } = reading
          if (!mayJudge({ at, late }, one.newestAt, one.cycleMs, now().getTime())) continue
          const before = one.truth
          const quality = reading.quality?.[k] ?? good
          one.newestAt = at
          one.truth = judged(one, before, { at, value: reading.vals[k] ?? null, quality })
          if (one.truth.holds !== before.holds) wake()
        }
    },
    close: async (): Promise<void> => {
      clearInterval(timer)
      clearTimeout(waking)
    },
  }
}
