import { type SQL, sql } from 'drizzle-orm'
import { deviceStates } from '#schema/tables/device'
import { taskItems, tasks } from '#schema/tables/task'

/**
 * When the current step of an item times out, as the sweep judges it (workers/task/sweep-tasks.ts): what is not sent yet
 * waits without limit for its wave, its hours and its turn while its device is online; null then. Once its device is
 * offline, it has the time for that; in a task that expires, until the task does.
 */
export const itemDeadline = (scale: number): SQL<Date | null> =>
  sql<Date | null>`case
    when ${taskItems.sending} <> 'none' then ${taskItems.deadlineAt}
    when ${tasks.expiresAt} is not null then ${tasks.expiresAt}
    when ${taskItems.wave} > ${tasks.wave} or ${deviceStates.online} is true then null
    else greatest(${taskItems.deadlineAt},
      ${deviceStates.lastLogoutAt} + make_interval(secs => ${tasks.waitOfflineMinutes} * 60 * ${scale}::float8)) end`.mapWith(
    taskItems.deadlineAt,
  )
