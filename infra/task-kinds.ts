/** The declared kinds of task and the commands that they send, by name, and SQL derived from them. */

import { type Command, isCommand } from '#schema/kit/command'
import { isTaskKind, type TaskKind, type WaitedStep } from '#schema/kit/task-kind'
import { type ParameterKey, parameters } from '#schema/platform/parameter-list'
import { unlockedSql } from '#schema/task/moves'
import { gatherDeclared } from './gather.ts'
import type { Parameters } from './parameters.ts'

const byName = <T extends { name: string }>(found: readonly T[]): ReadonlyMap<string, T> =>
  new Map(found.map((value) => [value.name, value]))

export const commandBook = byName<Command>(await gatherDeclared(isCommand))
export const taskKinds = byName<TaskKind>(await gatherDeclared(isTaskKind))

const isParameter = (key: string): key is ParameterKey => key in parameters

const isTyped = (name: string | null) => commandBook.get(name ?? '')?.confirm === 'typed'

/** Errors in the declared kinds; empty if there are none. `carried`: the ways of sending that have a carrier. */
export function wrongKinds(
  carried: readonly string[],
  kinds: readonly TaskKind[] = [...taskKinds.values()],
): string[] {
  return [
    ...kinds.flatMap(({ name, sends, deadlineS, secondPerson }) => [
      ...(carried.includes(sends.by) ? [] : [`task kind ${name}: nothing carries ${sends.by}`]),
      ...(sends.by === 'command' && sends.command !== null && !commandBook.has(sends.command)
        ? [`task kind ${name}: there is no command ${sends.command}`]
        : []),
      ...(sends.by === 'command' && isTyped(sends.command) && !secondPerson
        ? [`task kind ${name}: what must be typed for one device needs a second person for many`]
        : []),
      ...Object.values(deadlineS)
        .filter((value) => typeof value === 'string' && value !== 'command' && !isParameter(value))
        .map((value) => `task kind ${name}: there is no parameter ${value}`),
    ]),
    ...carried
      .filter((by) => !kinds.some(({ sends }) => sends.by === by))
      .map((by) => `no task kind is sent by ${by}`),
  ]
}

/** @throws for a stored kind that is no longer declared */
export function kindNamed(name: string): TaskKind {
  const found = taskKinds.get(name)
  if (!found) throw new Error(`there is no task kind ${name}`)
  return found
}

/** The command that a task of this kind sends; null if it sends none. `named`: the one that the task names. */
export function commandOf({ sends }: TaskKind, named: string | null): Command | null {
  if (sends.by !== 'command') return null
  return commandBook.get(sends.command ?? named ?? '') ?? null
}

/** Commands that end when the device is back: while one is under way, the device restarts. */
export const returningCommands: readonly string[] = [...commandBook.values()]
  .filter(({ verify }) => verify === 'return')
  .map(({ name }) => name)

/** Whether an item `i` of a task `t` is in a step in which it can still be cancelled or called back. */
export const unlocked = unlockedSql(taskKinds.values())

/**
 * Seconds by step: a new task copies them, so later changes of parameters do not affect it. A delay requested by its
 * arguments is added.
 */
export async function deadlinesFor(
  kind: TaskKind,
  sent: { command: Command; args: Record<string, unknown> } | null,
  parametersNow: Pick<Parameters, 'get'>,
  customerId: number | null,
): Promise<Partial<Record<WaitedStep, number>>> {
  const found: Partial<Record<WaitedStep, number>> = {}
  const delayS = sent?.command.delayedBy ? Number(sent.args[sent.command.delayedBy] ?? 0) : 0
  for (const [step, value] of Object.entries(kind.deadlineS) as [WaitedStep, number | string][])
    found[step] =
      delayS +
      (typeof value === 'number'
        ? value
        : isParameter(value)
          ? await parametersNow.get(value, customerId)
          : (sent?.command.deadlineS ?? 0))
  return found
}
