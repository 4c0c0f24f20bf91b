/** Subject and text of an event, for every kind of channel and for mail. */
import type { ServerSay } from '../kit/say.ts'
import { endedText } from '../task/ended-text.ts'
import { versionedName } from '../task/package-title.ts'
import type { ChannelEvent, EventPayload } from './channel-event.ts'

export type Happened = Omit<EventPayload, 'text'> & { event: ChannelEvent; customerId: number }

export function eventWords(
  { event, task, count, devices }: Omit<Happened, 'customerId'>,
  say: ServerSay,
): { subject: string; text: string } {
  if (task) {
    const { name, kind, id: _, url: __, reason, version, denied, ...counts } = task
    const values = {
      ...counts,
      count: counts.devices,
      name: versionedName(name, version),
      reason: reason === null ? '' : say(`alarm:event.reason.${reason}`),
    }
    const subject = say(
      denied === null ? `alarm:event.${event as 'taskStarted'}` : `alarm:event.denied.${denied}`,
      values,
    )
    return {
      subject,
      text:
        event === 'taskPaused' || event === 'taskCompleted'
          ? `${subject}\n${say('alarm:event.counts', values)}`
          : subject,
    }
  }
  const subject = say(`alarm:event.${event as 'configDrifted'}`, { count })
  const lines = devices.map(
    ({ sn, deviceName, groupName, differences, detail }) =>
      `• ${deviceName} (${sn}) · ${groupName}${differences === null ? '' : ` · ${say('alarm:event.differences', { count: differences })}`}${detail ? ` · ${endedText(detail, say)}` : ''}`,
  )
  const more = count - devices.length
  return {
    subject,
    text: [subject, ...lines, ...(more > 0 ? [say('alarm:message.more', { count: more })] : [])].join('\n'),
  }
}
