import { z } from 'zod'
import { command } from '#schema/kit/command'
import { permission } from '#schema/kit/permission'
import { logPriorities } from '../log.ts'

export const deviceLogsPermission = permission({
  id: 1406,
  name: 'deviceLogs',
  role: 'operator',
  under: 'device-list',
})

export const fetchLogs = command({
  name: 'fetchLogs',
  permission: deviceLogsPermission,
  summary:
    'Sends the lines of its log, as `log` messages with the line numbers of that log, newest last; the result is their number. With `followS` it continues to send new lines for that many seconds, each immediately, without batching. A further request replaces the former one: with `followS` 0 no more lines follow.',
  args: z.object({
    least: z.enum(logPriorities).default('info').describe('this priority and above'),
    lines: z.int().min(1).max(1000).default(200).describe('maximum number of lines, the newest'),
    followS: z.int().min(0).max(3600).default(0),
  }),
  reply: z.object({ lines: z.int().min(0).max(1000) }),
  deadlineS: 60,
  repeatSafe: true,
  verify: 'reply',
  effect: 'harmless',
  confirm: 'none',
  place: 'part',
  exampleArgs: { least: 'info', lines: 200, followS: 0 },
  exampleReply: { lines: 57 },
})
