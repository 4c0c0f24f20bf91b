/** Stores reports about terminals, from any source, together with the changes of alarm conditions that they cause. */
import type { FilingTools } from '../uplink.ts'
import type { FileReading, Reading } from './reading.ts'
import { openReadings } from './store-readings.ts'
import { openTruths } from './truths.ts'

const LANES = 2
/** Database connections: one of them for lookups. */
export const REPORT_CONNECTIONS = LANES + 1

export function openReports(tools: Omit<FilingTools, 'file'>) {
  const truths = openTruths(tools)
  // By gateway: groups of one terminal must not overtake each other.
  const lanes = Array.from({ length: LANES }, () => tools.committer<Reading>(openReadings(tools.sql, truths)))
  const file: FileReading = (reading, bytes, done) =>
    lanes[reading.deviceId % LANES]?.add(reading, bytes, { kept: done })
  return { file, close: truths.close }
}
