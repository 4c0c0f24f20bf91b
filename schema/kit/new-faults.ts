/** Which faults an edit brings, among all that its form has. What is already in use may be what the form would refuse. */

const withoutRows = (path: string) => path.replace(/\.\d+(?=\.|$)/g, '')

/** The value at a path such as `rows.0.port`. */
export const valueAt = (values: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, name) =>
        value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined,
      values,
    )

export type Found<F> = { readonly values: unknown; readonly faults: readonly F[] }

/** Another wrong value is a new fault; a list with one wrong entry may still be changed otherwise. */
const shown = (value: unknown) => (value !== null && typeof value === 'object' ? '' : String(value))

/**
 * The faults of `now` that `before` does not have. Rows may have moved, so their numbers do not count: a fault that is there
 * once more than before is new once. `said`: what tells one fault at a place from another.
 */
export function newFaults<F extends { readonly path: string }>(
  now: Found<F>,
  before: () => Found<F>,
  said: (fault: F) => string,
): F[] {
  if (now.faults.length === 0) return []
  const keyOf = (values: unknown, fault: F) =>
    `${withoutRows(fault.path)} ${said(fault)} ${shown(valueAt(values, fault.path))}`
  const { values, faults } = before()
  const old = new Map<string, number>()
  for (const fault of faults) {
    const key = keyOf(values, fault)
    old.set(key, (old.get(key) ?? 0) + 1)
  }
  return now.faults.filter((fault) => {
    const key = keyOf(now.values, fault)
    const left = old.get(key) ?? 0
    old.set(key, left - 1)
    return left <= 0
  })
}
