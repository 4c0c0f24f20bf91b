import { refuse } from '#schema/kit/refusal'
import { START_PAST_MAX_MS } from '#schema/task/task'
import { taskRefusals } from '#schema/task/task-refusals'

/** When a task begins: not before now. */
export const startTime = (asked: string | undefined, now: Date): Date =>
  asked === undefined ? now : new Date(Math.max(now.getTime(), Date.parse(asked)))

/**
 * For a task that is not created yet. @throws Refusal for a start that is long past: with a wrong month or year, a whole fleet would begin at
 * once.
 */
export function checkStart(asked: string | undefined, now: Date): void {
  if (asked !== undefined && Date.parse(asked) < now.getTime() - START_PAST_MAX_MS)
    refuse(taskRefusals.taskStartPast, {}, 'startAt')
}
