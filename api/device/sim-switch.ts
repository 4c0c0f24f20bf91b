import { getSimSwitchList } from '#schema/device/sim-switch'
import { simSwitches } from '#schema/tables/section'
import { listOf } from '../kit/list-of.ts'

export const getSimSwitchListHandler = listOf(getSimSwitchList, simSwitches, ({ db }) => ({
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
}))
