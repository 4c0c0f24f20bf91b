/**
 * Values that cross a limit of a notice: alarms are evaluated as soon as the value is committed, instead of at the next
 * round. Only a hint: the round finds by itself what was missed here, and everything that needs time to pass.
 */
import { evaluateAlarms } from '#schema/alarm/alarm-rule'
import { isOver, isTrue, type Limits } from '#schema/monitor/variable-condition'
import type { FilingTools } from '../uplink.ts'
import type { Newest } from './newest.ts'

const READ_MS = 10_000
/** Evaluations that follow values are at least this far apart: each looks at the whole fleet. */
const WAKE_GAP_MS = 500

type Limited = Limits & { templateId: number; slot: number }

/** Whether an alarm may begin or end with the change from one value to the other; null: none. */
export function crosses(limits: Limits, before: number | null, after: number | null): boolean {
  if (after === null) return false
  if (before === null) return isTrue(limits, after)
  return isTrue(limits, before) !== isTrue(limits, after) || isOver(limits, before) !== isOver(limits, after)
}

export function openEdges({ sql, queue, log }: Pick<FilingTools, 'sql' | 'queue' | 'log'>) {
  let byTemplate = new Map<number, Limited[]>()
  let readAs = ''
  let wokenAt = Number.NEGATIVE_INFINITY
  let waking: NodeJS.Timeout | null = null

  /** All of them, but only when one has changed. */
  async function read(): Promise<void> {
    const [mark] = await sql()<{ mark: string }[]>`
      select count(*) || ' ' || coalesce(max(updated_at)::text, '') as mark from alarm_rules where kind = 'variable' and enabled`
    if (!mark || mark.mark === readAs) return
    const limits = await sql()<Limited[]>`
      select v.template_id as "templateId", v.slot, c.operator, c.low, c.high, c.recover_at as "recoverAt", c.hysteresis, c.bit
      from alarm_rules r join alarm_conditions c on c.rule_id = r.id join variables v on v.id = c.variable_id
      where r.kind = 'variable' and r.enabled and c.operator not in ('change', 'noData', 'bad')`
    byTemplate = Map.groupBy(limits, ({ templateId }) => templateId)
    readAs = mark.mark
  }
  const readAgain = () =>
    void read().catch((error: unknown) => log.warn({ err: error }, 'limits of notices not read'))
  readAgain()
  const timer = setInterval(readAgain, READ_MS)

  return {
    read,
    /** Whether one of the terminal's values that are new crosses a limit. */
    crossed: (templateId: number, before: Newest, after: Newest): boolean =>
      byTemplate
        .get(templateId)
        ?.some(
          (limits) =>
            after.at[limits.slot] !== before.at[limits.slot] &&
            crosses(limits, before.vals[limits.slot] ?? null, after.vals[limits.slot] ?? null),
        ) ?? false,
    wake: (): void => {
      const wait = Math.max(0, wokenAt + WAKE_GAP_MS - performance.now())
      waking ??= setTimeout(() => {
        waking = null
        wokenAt = performance.now()
        queue
          .add(evaluateAlarms, {})
          .catch((error: unknown) => log.warn({ err: error }, 'evaluateAlarms not queued'))
      }, wait)
    },
    close: (): void => {
      clearInterval(timer)
      if (waking) clearTimeout(waking)
    },
  }
}
export type Edges = ReturnType<typeof openEdges>
