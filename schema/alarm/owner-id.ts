import { rowId } from '../kit/row-id.ts'

/** Platform users select the customer; for customer users it is optional. */
export const ownerId = rowId.optional()
