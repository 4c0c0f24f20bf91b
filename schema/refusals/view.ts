import { kind } from './kind.ts'

export const viewRefusals = {} as const
