import { getTableColumns, sql } from 'drizzle-orm'
import { tasks } from '#schema/tables/task'
import { taskObject } from '#schema/task/task-object'
import { stored } from '../kit/stored.ts'

export const storedTask = stored({
  object: taskObject,
  table: tasks,
  id: tasks.id,
  name: tasks.name,
  customerId: tasks.customerId,
  seen: (walls) => walls.tasks,
  row: () => getTableColumns(tasks),
  facts: {
    taskId: tasks.id,
    kind: tasks.kind,
    command: tasks.command,
    package: sql<string | null>`${tasks.packageName} || ' ' || ${tasks.version}`,
    createdAt: tasks.createdAt,
  },
})
