import { z } from 'zod'
import { job } from '../kit/job.ts'

/** Reads configurations that changed, confirms or takes back trials, and takes over how changes ended. */
export const driveConfigs = job({ name: 'driveConfigs', body: z.object({}), single: true, everyMs: 2_000 })
