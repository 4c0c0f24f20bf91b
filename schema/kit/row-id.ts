import { z } from 'zod'
import { shaped } from './shape.ts'

/** The id of a row in a body. Limited to PostgreSQL's integer: a larger one is a user error, not a fault. */
export const rowId = z.coerce.number().int().positive().max(2_147_483_647)

/** [§7] Ids of rows: a list, or the specification's comma-separated text (`1,2,3`). At most `max`, in either form. */
export const rowIds = (max: number) =>
  z.union([
    // An id out of range is treated as not found, like any other that the actor does not see.
    z.array(z.coerce.number().int().positive()).max(max),
    z
      .string()
      .max(ID_LENGTH * max)
      .regex(shaped(/^(\d+(,\d+)*)?$/, 'rowIds'))
      // Empty text is what the console of the specification sends when nothing is selected.
      .transform((text) => (text === '' ? [] : text.split(',').map(Number)))
      .pipe(z.array(z.number().positive()).max(max)),
  ])
/** Of an id with its comma. */
const ID_LENGTH = 11
