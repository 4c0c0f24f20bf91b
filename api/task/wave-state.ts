import { sql } from 'drizzle-orm'
import type { Transaction } from '../device/end-device-work.ts'

/** The present wave of a task that goes on is judged anew: it shows no earlier verdict while its devices work. */
export async function reopenWave(tx: Transaction, taskId: number): Promise<void> {
  await tx.execute(sql`
    update task_waves w set state = 'running', ended_at = null from tasks t
    where t.id = ${taskId} and w.task_id = t.id and w.nth = t.wave and w.state in ('short', 'reached')
      and exists (select 1 from task_items i where i.task_id = t.id and i.wave = t.wave and i.outcome is null and not i.superseded)`)
}
