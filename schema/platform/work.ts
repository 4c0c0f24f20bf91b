/** Whether background work is being done: without the workers no alarm can report it. */
import { z } from 'zod'
import { call } from '../kit/call.ts'
import { job } from '../kit/job.ts'
import { instant } from '../kit/time.ts'

/**
 * Takes the path of every job, from the schedule through the queue to a worker and the database, and stores the time.
 */
export const markWork = job({ name: 'markWork', body: z.object({}), single: true, everyMs: 5_000 })

/** The jobs of a killed worker stay locked for 30 s; silence for twice as long is a problem. */
export const WORK_SILENT_MS = 60_000

export const getWorkState = call({
  path: '/api/config/getWorkState',
  permission: 'login',
  summary: 'Whether upgrades, commands, alarms and mail are being worked on.',
  reply: z.object({ silentSince: instant.nullable().describe('null: they are') }),
})
