import { z } from 'zod'
import { job } from '../kit/job.ts'

/** Reads configurations that changed, confirms or rolls back trials, and stores the results of changes. */
export const driveConfigs = job({ name: 'driveConfigs', body: z.object({}), single: true, everyMs: 2_000 })
