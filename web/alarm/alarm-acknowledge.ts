import {
  acknowledgeAlarms,
  getAlarmCount,
  getAlarmFacets,
  getAlarmHistory,
  getAlarmList,
} from '#schema/alarm/alarm'
import { getAlarmOutages } from '#schema/alarm/alarm-outage'
import { getVariableAlarmList } from '#schema/monitor/variable-alarm'
import { t } from '../kit/i18n.ts'
import { useAction } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'
import type { AlarmRow } from './alarm-chips.tsx'

type Gone = { gone?: boolean }

export const alarmReads = [
  getAlarmList,
  getAlarmHistory,
  getAlarmCount,
  getAlarmFacets,
  getAlarmOutages,
  getVariableAlarmList,
] as const

/** Only alarms that are active: acknowledging stops their notices, and nothing more is sent about cleared ones. */
export const canAcknowledge = ({ ackAt, endedAt, gone }: Pick<AlarmRow, 'ackAt' | 'endedAt'> & Gone) =>
  !ackAt && !endedAt && !gone

export function useAcknowledge() {
  const action = useAction(acknowledgeAlarms, {
    refreshes: alarmReads,
    // What the server did: an alarm may have cleared, or another user may have been faster.
    onDone: ({ changed }) =>
      void toast(
        changed > 0 ? 'success' : 'warning',
        changed > 0 ? t('alarm:acknowledge.done', { count: changed }) : t('alarm:acknowledge.none'),
      ),
  })
  return (rows: readonly (AlarmRow & Gone)[]) => {
    const alarmIds = rows.filter(canAcknowledge).map(({ id }) => id)
    if (alarmIds.length > 0) action.start({ alarmIds })
  }
}
