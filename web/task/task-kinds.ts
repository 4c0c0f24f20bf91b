/** The declared task kinds in the console. */

import { isTaskKind, type TaskKind } from '#schema/kit/task-kind'
import { configTaskScreen } from '#schema/task/config-pages'
import { taskListPermission, taskListScreen } from '#schema/task/task-pages'
import { tOr } from '../kit/i18n.ts'
import { can } from '../kit/session.ts'

const modules = import.meta.glob<Record<string, unknown>>('../../schema/task/kinds/*.ts', { eager: true })

export const taskKinds: readonly TaskKind[] = Object.values(modules).flatMap((module) =>
  Object.values(module).filter(isTaskKind),
)
export const kindNamed = (name: string) => taskKinds.find((kind) => kind.name === name)

export const kindText = (name: string) => tOr(`task:kind.${name}`, name)

type Task = { kind: string; command: string | null }

/** The permission to pause, resume, retry or cancel it; undefined: only the server knows, and decides. */
export const controlOf = ({ kind }: Task) => kindNamed(kind)?.permission.control ?? undefined

/** The kind that sends this command to many, and the command if it has to be named. */
export function kindSending(command: string): { kind: string; command?: string } {
  const own = taskKinds.find(({ sends }) => sends.by === 'command' && sends.command === command)
  return own ? { kind: own.name } : { kind: 'command', command }
}

/** Who may not list all tasks sees only configuration tasks, in a page of their own. */
export const taskPath = ({ taskId }: { taskId: number }) =>
  `${can(taskListPermission) ? taskListScreen.path : configTaskScreen.path}/${taskId}`
