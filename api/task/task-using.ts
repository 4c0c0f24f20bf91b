import { and, eq, type SQL, sql } from 'drizzle-orm'
import { sayIn } from '#infra/say'
import { tasks } from '#schema/tables/task'
import type { CallContext } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

/** A running task that uses what `where` says, named as the actor may know it; null: none. */
export async function taskUsing(
  ctx: CallContext,
  tx: Pick<CallContext['db'], 'select'>,
  where: SQL,
): Promise<string | null> {
  const seen = sql<boolean>`coalesce(${visible(ctx.actor).tasks}, false)`
  const [used] = await tx
    .select({ name: tasks.name, seen })
    .from(tasks)
    .where(and(where, eq(tasks.status, 'ongoing')))
    .orderBy(sql`${seen} desc`, tasks.id)
    .limit(1)
  if (!used) return null
  return used.seen ? used.name : sayIn(ctx.language)('task:ofOthers')
}
