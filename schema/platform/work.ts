/** Whether the work that nobody waits for is being done: without the workers no alarm can say so. */
import { z } from 'zod'
import { call } from '../kit/call.ts'
import { job } from '../kit/job.ts'
import { instant } from '../kit/time.ts'

/** Goes the way of every job, from the schedule through the queue to a worker and the database, and leaves the moment behind. */
export const markWork = job({ name: 'markWork', body: z.object({}), single: true, everyMs: 5_000 })

/** A worker that was killed holds its jobs for 30 s more; silence for twice as long is trouble. */
export const WORK_SILENT_MS = 60_000

export const getWorkState = call({
  path: '/api/config/getWorkState',
  permission: 'login',
  summary: 'Whether upgrades, commands, alarms and mail are being worked on.',
  reply: z.object({ silentSince: instant.nullable().describe('null: they are') }),
})
