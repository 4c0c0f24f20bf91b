/** The demonstration customer of a first start: deleted as a whole, and never created again. */

import { z } from 'zod'
import { finds } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { job, LONG_DEADLINE_MS } from '../kit/job.ts'
import { customerDeletePermission } from './customer.ts'
import { customerObject } from './customer-object.ts'

/** Its row in `installation_marks`. */
export const DEMONSTRATION_REMOVED = 'demonstrationRemoved'
/** The demonstration's platform user. */
export const DEMONSTRATION_PLATFORM_USER = 'demo_system'

export const deleteDemonstration = call({
  path: '/api/customer/deleteDemonstration',
  permission: customerDeletePermission,
  writes: true,
  about: finds(customerObject),
  summary:
    'Permanently deletes the demonstration customer with its users, devices and history; for the super administrator. Its logins end immediately, its rows are deleted within a minute.',
  body: z.object({}),
})

export const removeDemonstration = job({
  name: 'removeDemonstration',
  single: true,
  // If a worker dies halfway, the next run deletes the rest.
  everyMs: 60_000,
  deadlineMs: LONG_DEADLINE_MS,
  body: z.object({}),
})
