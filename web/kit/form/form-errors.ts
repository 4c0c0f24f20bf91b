/** Validates the values of a form by the same rules as the server; `error-texts.ts` has the messages. */
import { checkFields } from '#schema/kit/check'
import type { Fault } from '#schema/kit/fault'
import type { FormField } from '#schema/kit/field'

/** Stricter rules of a page: a choice that only some users must make, bounds that depend on the row. */
export type Stricter = {
  name: string
  required?: boolean | undefined
  min?: number | undefined
  max?: number | undefined
}

const isBlank = (value: unknown) =>
  value === '' || value === null || value === undefined || (Array.isArray(value) && value.length === 0)

function stricterFault({ required, min, max }: Stricter, value: unknown): Fault | null {
  if (isBlank(value)) return required ? { reason: 'required' } : null
  if (typeof value !== 'number') return null
  if (min !== undefined && value < min) return { reason: 'less', n: min }
  return max !== undefined && value > max ? { reason: 'greater', n: max } : null
}

/** Errors by path, of the declaration and of the page. */
export function faultsOf(
  declared: readonly FormField[],
  stricter: readonly Stricter[],
  values: Record<string, unknown>,
): Record<string, Fault> {
  const faults = checkFields(declared, values)
  for (const field of stricter) {
    const fault = faults[field.name] ?? stricterFault(field, values[field.name])
    if (fault) faults[field.name] = fault
  }
  return faults
}
