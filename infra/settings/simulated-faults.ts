import { z } from 'zod'
import { taskFailures } from '#schema/kit/task-kind'

/** `md5Failed:0.02,deviceOffline:0.05` → { md5Failed: 0.02, … }; shares between 0 and 1. */
export const faults = z
  .string()
  .default('')
  .transform((text, ctx) => {
    const shares: Partial<Record<(typeof taskFailures)[number], number>> = {}
    for (const part of text
      .split(',')
      .map((p) => p.trim())
      .filter(Boolean)) {
      const [name, value] = part.split(':')
      const known = taskFailures.find((failure) => failure === name)
      const share = Number(value)
      if (!known || !(share >= 0 && share <= 1)) {
        ctx.addIssue({
          code: 'custom',
          message: `"${part}" is not one of ${taskFailures.join(', ')} with a share from 0 to 1`,
        })
        return z.NEVER
      }
      shares[known] = share
    }
    return shares
  })
