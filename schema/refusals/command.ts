import { kind } from './kind.ts'

export const commandRefusals = {} as const
