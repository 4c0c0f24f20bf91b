import { fetchLogs } from '#schema/device/commands/log'
import { obeys } from '../command.ts'

export const obeyFetchLogs = obeys(fetchLogs, async ({ logbook }, { least, lines, followS }) => {
  const sent = await logbook.replay(least, lines)
  logbook.follow(followS * 1000)
  return { lines: sent }
})
