import { z } from 'zod'

/** Yes or no as callers say it: true and false, 1 and 0, and both of them as text. */
export const flag = z.union([
  z.boolean(),
  z.enum(['0', '1', 'true', 'false']).transform((text) => text === '1' || text === 'true'),
  z.literal([0, 1]).transform((digit) => digit === 1),
])
