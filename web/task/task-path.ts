import { configTaskScreen } from '#schema/task/config-pages'
import { taskListPermission, taskListScreen } from '#schema/task/task-pages'
import { can } from '../kit/session.ts'

/** Who may not list all tasks sees only configuration tasks, in a page of their own. */
export const taskPath = ({ taskId }: { taskId: number }) =>
  `${can(taskListPermission) ? taskListScreen.path : configTaskScreen.path}/${taskId}`
