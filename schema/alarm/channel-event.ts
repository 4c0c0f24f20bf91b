/**
 * Events of tasks and configurations, sent through the channels and contacts that alarms use: each of them selects the
 * events it wants. [decisions/107]
 */
import { z } from 'zod'
import { job } from '../kit/job.ts'
import { approvalDenials } from '../task/task-approval.ts'
import { pauseReasons } from '../task/task-guard.ts'

export const channelEvents = [
  'taskAwaitsApproval',
  'taskStarted',
  'taskPaused',
  'taskCompleted',
  'configDrifted',
  'configReverted',
] as const
export type ChannelEvent = (typeof channelEvents)[number]

/** `type` in the body of a webhook, and when it is sent. */
export const eventFacts: Readonly<Record<ChannelEvent, { type: string; when: string }>> = {
  taskAwaitsApproval: { type: 'task.approval', when: 'a task waits for the approval of a second person' },
  taskStarted: { type: 'task.started', when: 'the first device of a task was due' },
  taskPaused: { type: 'task.paused', when: 'a task paused itself, or a user paused it' },
  taskCompleted: { type: 'task.completed', when: 'the last device of a task has ended' },
  configDrifted: {
    type: 'config.drifted',
    when: 'what devices run began to differ from what the platform has set',
  },
  configReverted: {
    type: 'config.reverted',
    when: 'devices took a change back that was not confirmed in time',
  },
}
export const isChannelEvent = (kind: string): kind is ChannelEvent => Object.hasOwn(eventFacts, kind)

export const wantedEvents = z.array(z.enum(channelEvents)).max(channelEvents.length)

const count = z.int().describe('of the receiver’s customer')

/** The fields of `data`, besides `subject` and `text`. Null or empty if they do not apply to the event. */
export const eventPayload = z.object({
  text: z.string(),
  task: z
    .object({
      id: z.int(),
      name: z.string(),
      kind: z.string().describe('`upgrade`, `reboot` …'),
      version: z.string().nullable().describe('of the package'),
      url: z.string(),
      devices: count,
      done: count,
      failed: count,
      cancelled: count,
      reason: z.enum(pauseReasons).nullable().describe('why it is paused'),
      denied: z
        .enum(approvalDenials)
        .nullable()
        .describe(
          'of `task.completed`: nothing was sent, because a second person refused it, or none approved it in time',
        ),
    })
    .nullable(),
  count: z.int().describe('devices that the event is about; `devices` lists the first 50 of them'),
  devices: z.array(
    z.object({
      sn: z.string(),
      deviceName: z.string(),
      groupName: z.string(),
      differences: z.int().nullable().describe('of `config.drifted`'),
      detail: z.string().nullable().describe('of `config.reverted`: the cause that the device gave'),
    }),
  ),
})
export type EventPayload = z.output<typeof eventPayload>

export const notifyEvents = job({ name: 'notifyEvents', body: z.object({}), single: true, everyMs: 5_000 })
