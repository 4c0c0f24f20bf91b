/** A false declaration of a task kind is found before a process starts. */
import { expect, it } from 'vitest'
import type { TaskKind } from '#schema/kit/task-kind'
import { rebootKind } from '#schema/task/kinds/reboot'
import { wrongKinds } from './task-kinds.ts'

const carried = ['offer', 'command']

it('the declared kinds have carriers, and every carrier has a kind', () => {
  expect(wrongKinds(carried)).toEqual([])
  expect(wrongKinds([...carried, 'pigeon'])).toEqual(['no task kind is sent by pigeon'])
})

it.each<[string, Partial<TaskKind>, string]>([
  [
    'a way of sending that nothing carries',
    { sends: { by: 'offer', fileType: 'upgrade' } },
    'task kind false: nothing carries offer',
  ],
  [
    'a command that is not declared',
    { sends: { by: 'command', command: 'dance', argsOf: 'task' } },
    'task kind false: there is no command dance',
  ],
  [
    'a deadline that is no parameter',
    { deadlineS: { sent: 'someTimeS', upgrading: 60 } },
    'task kind false: there is no parameter someTimeS',
  ],
])('%s is refused', (_what, declared, fault) => {
  expect(wrongKinds(['command'], [{ ...rebootKind, name: 'false', ...declared }])).toContain(fault)
})
