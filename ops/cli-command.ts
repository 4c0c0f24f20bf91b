/** One command of the command line, in the file of its name in `commands/`, where `program.ts` finds it. */
import type { Command } from 'commander'
import { ofKind } from '#schema/kit/kind'
import type { Format } from './print.ts'

export type CliCommand = { kind: 'cliCommand'; register(program: Command): void }
export const cliCommand = (register: CliCommand['register']): CliCommand => ({ kind: 'cliCommand', register })
export const isCliCommand = ofKind<CliCommand>('cliCommand')

export const formatOf = (command: Command): Format => (command.optsWithGlobals() as { output: Format }).output
