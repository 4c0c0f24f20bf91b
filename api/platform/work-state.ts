/** Whether the workers have done anything recently. */
import type { Context } from '#infra/context'
import { WORK_SILENT_MS } from '#schema/platform/work'

/** null: they have. */
export async function silentSince({ sql }: Pick<Context, 'sql'>): Promise<Date | null> {
  const [row] = await sql<{ at: Date }[]>`
    select worked_at as at from work_marks where worked_at <= now() - ${WORK_SILENT_MS} * interval '1 millisecond'`
  return row?.at ?? null
}
