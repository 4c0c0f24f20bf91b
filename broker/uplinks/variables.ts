import { variables as uplink } from '#schema/monitor/collection'
import { filed } from '../uplink.ts'
import { openPlans } from '../variables/plans.ts'
import { readReport } from '../variables/reading.ts'
import { openUnknownPlans } from '../variables/unknown-plans.ts'

export const variables = filed({
  uplink,
  lanes: 0,
  open: (tools) => {
    const plans = openPlans(tools.sql, tools.log)
    const unknown = openUnknownPlans(tools)
    return {
      keep: (deviceId, report, bytes, done, { refuse, warn }) =>
        plans.find(deviceId, report.plan, (plan) => {
          if (!plan) {
            unknown.note(deviceId)
            return done(false)
          }
          const reading = readReport(report, plan, tools.now().getTime())
          if ('fault' in reading) return refuse(reading.fault)
          if (reading.uncertain)
            warn('at: differs from the clock that hello measured: stored with uncertain time')
          tools.file(reading, bytes, done)
        }),
      greeted: plans.greeted,
      close: unknown.close,
    }
  },
})
