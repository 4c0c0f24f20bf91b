/** PostgreSQL's unique_violation. */
const UNIQUE_VIOLATION = '23505'
/** PostgreSQL's foreign_key_violation. */
const FOREIGN_KEY_VIOLATION = '23503'

/** The name of the violated unique index; null for any other error. Drizzle wraps the driver's error as `cause`. */
function uniqueViolation(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, constraint_name: name } = at as { code?: unknown; constraint_name?: unknown }
    if (code === UNIQUE_VIOLATION) return typeof name === 'string' ? name : ''
  }
  return null
}

/**
 * For `catch` of a statement: converts the violation of a unique index, by its name, to the refusal given for it; any other error stays. The index
 * decides, since what is looked up before may be taken meanwhile.
 */
export const whenTaken =
  (refusals: Readonly<Record<string, () => never>>) =>
  (error: unknown): never => {
    const index = uniqueViolation(error)
    if (index !== null) refusals[index]?.()
    throw error
  }

/**
 * Whether a statement was refused because other rows still refer to the deleted row, or because the referenced row no
 * longer exists.
 */
export function isReferenced(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause)
    if ((at as { code?: unknown }).code === FOREIGN_KEY_VIOLATION) return true
  return false
}
