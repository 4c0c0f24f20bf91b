/**
 * The reference time for the age of history. It follows the clock, but never jumps: data dropped because of a
 * wrong clock cannot be recovered.
 */
import type { WorkerContext } from '../kit/processor.ts'

/** Maximum advance per hourly run: twice as fast as time, to catch up after a downtime. */
export const AGE_STEP_H = 2
/** Lag from which a warning is logged. */
const BEHIND_MS = 86_400_000

/**
 * Returns now; after a jump of the clock, or a long downtime, at most `AGE_STEP_H` hours after the last run
 * of this name. So a month of history survives a clock set a hundred years ahead for two weeks
 * [decisions/061].
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
