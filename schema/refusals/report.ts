import { kind } from './kind.ts'

export const reportRefusals = {} as const
