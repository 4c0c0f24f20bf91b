import { variables as uplink } from '#schema/monitor/collection'
import { filed } from '../uplink.ts'
import { openPlans } from '../variables/plans.ts'
import { type Reading, readReport } from '../variables/reading.ts'
import { openReadings } from '../variables/store-readings.ts'
import { openTruths } from '../variables/truths.ts'
import { openUnknownPlans } from '../variables/unknown-plans.ts'

const LANES = 2

export const variables = filed({
  uplink,
  lanes: LANES + 1,
  open: (tools) => {
    const plans = openPlans(tools.sql, tools.log)
    const unknown = openUnknownPlans(tools)
    const truths = openTruths(tools)
    // By gateway: groups of one terminal must not overtake each other.
    const lanes = Array.from({ length: LANES }, () =>
      tools.committer<Reading>(openReadings(tools.sql, truths)),
    )
    return {
      keep: (deviceId, report, bytes, done, refuse) =>
        plans.find(deviceId, report.plan, (plan) => {
          if (!plan) {
            unknown.note(deviceId)
            return done(false)
          }
          const reading = readReport(report, plan, tools.now().getTime())
          if ('fault' in reading) return refuse(reading.fault)
          lanes[deviceId % LANES]?.add(reading, bytes, done)
        }),
      greeted: plans.greeted,
      close: async () => {
        await truths.close()
        await unknown.close()
      },
    }
  },
})
