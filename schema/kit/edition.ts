/**
 * Prevents lost updates: an edit names the state of the row from which it began, and is refused if the row has
 * changed since [decisions/059]. An edition is opaque: equal if the edited fields are equal, otherwise meaningless.
 */
import { z } from 'zod'
import type { Instant } from './time.ts'

const EDITION_MAX = 32

/** In an editable row. */
export const edition = z.string().describe('which state of the fields this is; send it back with an edit')

/** In the body of every edit. Absent: the last one wins, as scripts may want. */
export const openedEdition = z
  .string()
  .max(EDITION_MAX)
  .optional()
  .describe('the edition that the edit began from; refused when it is another by now')

/** For something that does not exist yet but can be edited: a schedule that was never set. */
export const NO_EDITION = 'none'

/** The `data` of the refusal. */
export type EditConflict = {
  edition: string
  /** null: unknown, or a user whom the reader may not see. */
  by: string | null
  /** A platform user, whose name is not shown to the reader. */
  platform: boolean
  at: Instant | null
  /** The current fields, by their names in the body. */
  now: Readonly<Record<string, unknown>>
}
