import { z } from 'zod'
import { job, LONG_DEADLINE_MS } from '../kit/job.ts'

/** Packs status samples older than a day [decisions/141]. */
export const packSamples = job({
  name: 'packSamples',
  body: z.object({}),
  single: true,
  everyMs: 3_600_000,
  deadlineMs: LONG_DEADLINE_MS,
})
