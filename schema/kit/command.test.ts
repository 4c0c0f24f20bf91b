import { expect, it } from 'vitest'
import { z } from 'zod'
import { command } from './command.ts'
import { ACCOUNT, permission } from './permission.ts'

const declared = {
  name: 'try',
  permission: permission({ id: 1, name: 'try', role: 'viewer', under: ACCOUNT }),
  summary: 'Tries.',
  args: z.object({}),
  reply: z.object({}),
  deadlineS: 60,
  repeatSafe: true,
  verify: 'reply',
  exampleArgs: {},
  exampleReply: {},
} as const

it.each([
  ['harmless', 'none', true],
  ['changes', 'none', true],
  ['interrupts', 'none', false],
  ['interrupts', 'ask', true],
  ['destroys', 'none', false],
  ['destroys', 'ask', false],
  ['destroys', 'typed', true],
] as const)('a command that is %s with confirm %s: declarable %s', (effect, confirm, right) => {
  const declare = () => command({ ...declared, effect, confirm, place: 'menu' })
  if (right) expect(declare().confirm).toBe(confirm)
  else expect(declare).toThrow(`the command try ${effect}`)
})

it('requires no confirmation for commands that only the platform sends', () => {
  const sent = command({ ...declared, effect: 'interrupts', confirm: 'none', platformOnly: true })
  expect(sent).toMatchObject({ platformOnly: true, banner: false })
})
