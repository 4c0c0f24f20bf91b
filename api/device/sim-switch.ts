import { getSimSwitchList } from '#schema/device/sim-switch'
import { simSwitches } from '#schema/tables/section'
import { inLastDays } from '../kit/history.ts'
import { listOf } from '../kit/list-of.ts'

export const getSimSwitchListHandler = listOf(getSimSwitchList, simSwitches, ({ db, now }) => ({
  table: simSwitches,
  rows: db
    .select({
      id: simSwitches.id,
      at: simSwitches.at,
      from: simSwitches.fromSlot,
      to: simSwitches.toSlot,
      reason: simSwitches.reason,
      fromIccid: simSwitches.fromIccid,
      toIccid: simSwitches.toIccid,
      operator: simSwitches.operator,
      detail: simSwitches.detail,
    })
    .from(simSwitches),
  filters: { days: inLastDays(simSwitches.at, now()) },
}))
