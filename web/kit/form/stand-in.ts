/** A component that shows a form may render some of its fields differently, and add more. */
import { createContext, type ReactNode } from 'react'
import type { FormValues, ShownField } from './form-model.ts'

export type Placed = { value: unknown; error?: ReactNode; set: (value: unknown) => void }
export type StandIn = {
  /** null: the field is drawn as declared. */
  readonly draw: (field: ShownField, placed: Placed) => ReactNode
  /** Whether a field inside of a section or a row is shown although its condition does not hold. */
  readonly asks: (field: ShownField, values: FormValues) => boolean
}

export const StandInContext = createContext<StandIn>({ draw: () => null, asks: () => false })
