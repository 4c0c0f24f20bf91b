/** Stores reports of terminals, whoever they come from, and wakes the evaluation of alarms. */
import type { FilingTools } from '../uplink.ts'
import { openEdges } from './edges.ts'
import type { FileReading, Reading } from './reading.ts'
import { openReadings } from './store-readings.ts'

const LANES = 2
/** Connections of the database: one for what is looked up. */
export const REPORT_CONNECTIONS = LANES + 1

export function openReports(tools: Omit<FilingTools, 'file'>) {
  const edges = openEdges(tools)
  // By gateway: groups of one terminal must not overtake each other.
  const lanes = Array.from({ length: LANES }, () => tools.committer<Reading>(openReadings(tools.sql)))
  const file: FileReading = (reading, bytes, done) =>
    lanes[reading.deviceId % LANES]?.add(reading, bytes, (stored) => {
      done(stored)
      if (stored) edges.see(reading)
    })
  return { file, close: edges.close }
}
