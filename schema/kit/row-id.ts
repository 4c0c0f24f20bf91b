import { z } from 'zod'

/** The id of a row as it comes in a body. No larger than PostgreSQL's integer: a bigger one is a mistake, not a fault. */
export const rowId = z.coerce.number().int().positive().max(2_147_483_647)
