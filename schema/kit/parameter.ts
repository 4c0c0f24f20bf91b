/** Makes a declared parameter: a number that people may change while the platform runs. */
import type { ServerKey } from './words.gen.ts'

export type ParameterUnit = 'hours' | 'days' | 'minutes' | 'seconds' | 'times' | 'pieces'
/** Called `parameter:name.<key>`. */
export type Parameter = {
  readonly description: ServerKey
  readonly unit: ParameterUnit
  readonly initial: number
  readonly min: number
  readonly max: number
  /** May a customer have a value of its own? Only where nothing of others depends on it. */
  readonly perCustomer: boolean
}

type Bounds = { unit: ParameterUnit; initial: number; min: number; max: number; perCustomer?: boolean }
export const parameter = (description: ServerKey, bounds: Bounds): Parameter => ({
  perCustomer: false,
  ...bounds,
  description,
})
