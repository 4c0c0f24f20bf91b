/** PostgreSQL's unique_violation. */
const UNIQUE_VIOLATION = '23505'
/** PostgreSQL's foreign_key_violation. */
const FOREIGN_KEY_VIOLATION = '23503'

/** The name of the violated unique index; null for any other error. Drizzle wraps the driver's error as `cause`. */
export function uniqueViolation(error: unknown): string | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, constraint_name: name } = at as { code?: unknown; constraint_name?: unknown }
    if (code === UNIQUE_VIOLATION) return typeof name === 'string' ? name : ''
  }
  return null
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
