/**
 * Lost updates: whoever edits a row says from which state of it he began, and is refused when it is another by now
 * [decisions/059]. An edition is opaque: equal where the edited fields are equal, nothing else may be read from it.
 */
import { z } from 'zod'
import type { Instant } from './time.ts'

const EDITION_MAX = 32

/** In a row that can be edited. */
export const edition = z.string().describe('which state of the fields this is; send it back with an edit')

/** In the body of every call that edits. Absent: the last one wins, as scripts may want. */
export const openedEdition = z
  .string()
  .max(EDITION_MAX)
  .optional()
  .describe('the edition that the edit began from; refused when it is another by now')

/** Of what does not exist yet but can be edited: a schedule that nobody has set. */
export const NO_EDITION = 'none'

/** What travels as `data` with the refusal. */
export type EditConflict = {
  edition: string
  /** null: nobody whom the reader may know, or nobody knows. */
  by: string | null
  /** Somebody of the platform, whose name is not the reader's to know. */
  platform: boolean
  at: Instant | null
  /** The fields as they are now, by the names that the body has. */
  now: Readonly<Record<string, unknown>>
}
