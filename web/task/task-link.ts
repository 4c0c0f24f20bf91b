import { taskListScreen } from '#schema/task/task-pages'
import { ifHeld } from '../kit/page-link.tsx'

/** A task's page, for links from elsewhere; null for a user who may not open it. */
export const taskLink = (taskId: number): string | null =>
  ifHeld(taskListScreen, `${taskListScreen.path}/${taskId}`)
