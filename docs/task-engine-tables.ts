/** Generates the state machine of a task item and the kinds of task for docs/task-engine.md. */
import type { TaskKind } from '#schema/kit/task-kind'
import { parameters } from '#schema/platform/parameter-list'
import { moves, type Sending, sendingStates, taskEvents } from '#schema/task/moves'
import { table } from './fields.ts'

const code = (text: string) => `\`${text}\``
const all = <T>(values: readonly T[], of: readonly T[], word: string) =>
  values.length === of.length ? word : values.map((value) => code(String(value))).join(', ')

export const movesTable = () =>
  table(
    ['Event', 'By', 'From `sending`', 'In the steps', 'To', 'Meaning'],
    taskEvents.map((event) => {
      const move = moves[event]
      const to = Object.entries(move.to).map(([column, value]) => `${column} ${code(value)}`)
      const steps = move.steps.length === 6 ? 'any' : move.steps.map(code).join(', ')
      return [
        code(event),
        move.by.join(', '),
        'ended' in move
          ? `ended ${move.ended.map(code).join(', ')}`
          : all<Sending>(move.sending, sendingStates, 'any'),
        'unlocked' in move ? 'before its lock' : steps,
        to.join(', '),
        move.means,
      ]
    }),
  )

/** `sending` of a running item with its events; all ends are one state. */
export function movesDiagram(): string {
  const arrows = taskEvents.flatMap((event) => {
    const { sending, to, ...move } = moves[event]
    if ('ended' in move) return []
    const end = 'outcome' in to ? to.outcome : null
    const target = end ?? ('sending' in to ? to.sending : null)
    const drawn = sending.length === sendingStates.length && end ? [] : sending
    return drawn
      .filter((from) => target !== null && from !== target)
      .map((from) => `  ${from} --> ${target}: ${event}`)
  })
  return ['```mermaid', 'stateDiagram-v2', '  [*] --> none', ...arrows, '```'].join('\n')
}

const seconds = (value: number | string) =>
  typeof value === 'number'
    ? String(value)
    : value in parameters
      ? `${parameters[value as keyof typeof parameters].initial} (${code(value)})`
      : 'as the command declares'

export const kindsTable = (kinds: readonly TaskKind[]) =>
  table(
    ['Kind', 'Sends', 'Steps between', 'Seconds without news', 'Locked from', 'Done by'],
    kinds.map(({ name, sends, steps, deadlineS, lockedFrom, done }) => [
      code(name),
      sends.by === 'offer'
        ? `a file ${code(sends.fileType)}`
        : sends.command
          ? `command ${code(sends.command)}`
          : 'the command that it names',
      steps.slice(1, -1).map(code).join(', '),
      Object.entries(deadlineS)
        .map(([step, value]) => `${step} ${seconds(value)}`)
        .join(', '),
      code(lockedFrom),
      code(done),
    ]),
  )
