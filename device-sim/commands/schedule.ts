import { scheduledReboot, setSchedule } from '#schema/device/commands/schedule'
import { obeys } from '../command.ts'
import { restart } from '../restart.ts'

export const obeySetSchedule = obeys(setSchedule, async (part, { revision, dueAts, waitS }) => {
  await part.planned.set({ revision, dueAts, waitS })
  part.sections.tell()
  return { revision }
})

export const obeyScheduledReboot = obeys(scheduledReboot, async (part, { dueAt }) => {
  if (!(await part.planned.claim(dueAt))) throw new Error('this scheduled time was run already')
  part.note('notice', 'init', 'scheduled reboot, told by the platform')
  await restart(part)
  return {}
})
