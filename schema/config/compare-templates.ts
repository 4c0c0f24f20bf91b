import { z } from 'zod'
import { job } from '../kit/job.ts'

/** Advisory lock with the customer: what is computed from templates, and their changes. */
export const TEMPLATES_LOCK = 7312

/** Compares devices with their templates, after either has changed. */
export const compareTemplates = job({
  name: 'compareTemplates',
  body: z.object({}),
  single: true,
  everyMs: 5_000,
})
