import { Command } from 'commander'
import { expect, it } from 'vitest'
import { moment, oneOf, wholeNumber } from './values.ts'

const parse = (...args: string[]) =>
  new Command('ops')
    .argument('[id]', '', wholeNumber)
    .option('--limit <rows>', '', wholeNumber)
    .option('--status <status>', '', oneOf(['ongoing', 'completed']))
    .option('--at <time>', '', moment)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .parse(args, { from: 'user' })

it.each([
  [['x'], "command-argument value 'x' is invalid for argument 'id'. It must be a whole number above 0."],
  [
    ['--limit', '1.5'],
    "option '--limit <rows>' argument '1.5' is invalid. It must be a whole number above 0.",
  ],
  [
    ['--status', 'done'],
    "option '--status <status>' argument 'done' is invalid. It must be one of ongoing, completed.",
  ],
  [
    ['--at', 'noon'],
    "option '--at <time>' argument 'noon' is invalid. It must be a time, such as 2026-11-21T22:00.",
  ],
])('a wrong value is refused with the name of its option: %s', (args, said) => {
  expect(() => parse(...args)).toThrow(said)
})

it('right values are read', () => {
  const command = parse('7', '--limit', '50', '--status', 'ongoing', '--at', '2026-11-21T22:00Z')
  expect(command.processedArgs).toEqual([7])
  expect(command.opts()).toEqual({ limit: 50, status: 'ongoing', at: '2026-11-21T22:00:00.000Z' })
})
