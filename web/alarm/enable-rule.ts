/** Switches an alarm rule on or off, from its row: rules about devices and notices about variables. */
import { IconBell, IconBellOff } from '@tabler/icons-react'
import type { enableAlarmRule } from '#schema/alarm/alarm-rule'
import type { Call } from '#schema/kit/call'
import type { Permission } from '#schema/kit/permission'
import type { enableVariableNotice } from '#schema/monitor/variable-notice'
import { request } from '../kit/api.ts'
import { t } from '../kit/i18n.ts'
import type { RowAction } from '../kit/list/list-types.ts'
import { queryClient, reportError } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'

type Rule = { id: number; name: string; enabled: boolean }

export function enableAction(
  { id, name, enabled }: Rule,
  call: typeof enableAlarmRule | typeof enableVariableNotice,
  list: Call,
  permission: Permission,
): RowAction {
  const run = async () => {
    try {
      await request(call, { ruleId: id, enabled: !enabled })
      void queryClient.invalidateQueries({ queryKey: [list.name] })
      void toast('success', t(enabled ? 'alarm:rule.nowOff' : 'alarm:rule.nowOn', { name }))
    } catch (error) {
      reportError(error)
    }
  }
  return {
    key: 'enable',
    label: t(enabled ? 'alarm:rule.switchOff' : 'alarm:rule.switchOn'),
    icon: enabled ? IconBellOff : IconBell,
    permission,
    run: () => void run(),
  }
}
