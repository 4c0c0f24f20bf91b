import { and, getTableColumns, inArray } from 'drizzle-orm'
import { taskKinds } from '#infra/task-kinds'
import { tasks } from '#schema/tables/task'
import { taskObject } from '#schema/task/task-object'
import { taskListPermission } from '#schema/task/task-pages'
import { type Actor, holds } from '../kit/actor.ts'
import { stored } from '../kit/stored.ts'

/** Users who may not list all tasks see tasks of the kinds that have their own permission for it. */
function seenKinds(actor: Actor) {
  if (holds(actor, taskListPermission)) return undefined
  const kinds = [...taskKinds.values()].filter(({ permission: { see } }) => see && holds(actor, see))
  return inArray(
    tasks.kind,
    kinds.map(({ name }) => name),
  )
}

export const storedTask = stored({
  object: taskObject,
  table: tasks,
  id: tasks.id,
  name: tasks.name,
  customerId: tasks.customerId,
  seen: (walls, actor) => and(walls.tasks, seenKinds(actor)),
  row: () => getTableColumns(tasks),
  facts: {
    taskId: tasks.id,
    kind: tasks.kind,
    command: tasks.command,
    package: tasks.packageName,
    version: tasks.version,
    createdAt: tasks.createdAt,
  },
})
