/** One word of the command line; `main.ts` gathers them from `commands/`. */
import type { Command } from 'commander'
import { ofKind } from '#schema/kit/kind'
import type { Format } from './print.ts'

export type Word = { kind: 'word'; register(program: Command): void }
export const word = (register: Word['register']): Word => ({ kind: 'word', register })
export const isWord = ofKind<Word>('word')

export const formatOf = (command: Command): Format => (command.optsWithGlobals() as { output: Format }).output
