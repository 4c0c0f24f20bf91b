import { kind } from './kind.ts'

export const groupRefusals = {} as const
