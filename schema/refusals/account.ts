import { kind } from './kind.ts'

export const accountRefusals = {} as const
