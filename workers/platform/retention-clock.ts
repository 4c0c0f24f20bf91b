/** The moment by which history ages. It follows the clock, but never leaps: what a wrong clock drops cannot be brought back. */
import type { WorkerContext } from '../kit/processor.ts'

/** So much later an hourly run may judge than the one before it: twice as fast as time, to catch up after a standstill. */
export const AGE_STEP_H = 2
/** So far behind is worth a line in the log. */
const BEHIND_MS = 86_400_000

/**
 * Now; after a leap of the clock, or a long standstill, at most `AGE_STEP_H` hours after the last run of this name. A
 * month of history so survives a clock set a hundred years ahead for two weeks [docs/decisions/061].
 */
export async function agedTo({ sql, now, log }: WorkerContext, name: string): Promise<Date> {
  const clock = now()
  const [row] = await sql<{ at: Date }[]>`
    insert into rollup_cursors (name, at) values (${`age ${name}`}, ${clock})
    on conflict (name) do update set at = least(excluded.at, rollup_cursors.at + make_interval(hours => ${AGE_STEP_H}::int))
    returning at`
  const at = row?.at ?? clock
  if (clock.getTime() - at.getTime() > BEHIND_MS)
    log.warn(
      { clock, agedTo: at, job: name },
      'history ages step by step: the clock leapt, or nothing ran for long. Check the clock before more is dropped',
    )
  return at
}
