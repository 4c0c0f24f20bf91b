/** Declares a parameter: a number that users may change while the platform runs. */
import type { ServerKey } from './words.gen.ts'

export type ParameterUnit = 'hours' | 'days' | 'minutes' | 'seconds' | 'times' | 'pieces' | 'megabytes'
/** Its name is `parameter:name.<key>`. */
export type Parameter = {
  readonly description: ServerKey
  readonly unit: ParameterUnit
  readonly initial: number
  readonly min: number
  readonly max: number
  /** Whether a customer may have its own value: only if that does not affect others. */
  readonly perCustomer: boolean
}

type Bounds = { unit: ParameterUnit; initial: number; min: number; max: number; perCustomer?: boolean }
export const parameter = (description: ServerKey, bounds: Bounds): Parameter => ({
  perCustomer: false,
  ...bounds,
  description,
})
