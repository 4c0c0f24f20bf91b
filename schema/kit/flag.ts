import { z } from 'zod'

/** A boolean as callers send it: true and false, 1 and 0, and both as text. */
export const flag = z.union([
  z.boolean(),
  z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true'),
  z.literal([0, 1]).transform((digit) => digit === 1),
])
