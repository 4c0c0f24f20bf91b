import type { Fragment } from 'postgres'
import type { WorkerContext } from './processor.ts'

/**
 * Messages that wait and were written by a clock that was set back since: they are due as long after now as they were after they
 * were written. Otherwise they would wait until that time came again [decisions/061].
 */
export const dueByThisClock = (
  { sql }: Pick<WorkerContext, 'sql'>,
  table: 'mails' | 'alarm_deliveries',
  now: Fragment,
) => sql`
  update ${sql(table)} set due_at = due_at - (created_at - ${now}), created_at = ${now}
  where state in ('draft', 'sending') and created_at > ${now} + interval '1 minute'`
