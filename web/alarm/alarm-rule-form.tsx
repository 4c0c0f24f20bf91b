import { useMemo, useState } from 'react'
import { factsOf } from '#schema/alarm/alarm-kind'
import { createAlarmRule, getAlarmRule, getAlarmRuleList, updateAlarmRule } from '#schema/alarm/alarm-rule'
import { textsOf } from '#schema/alarm/alarm-text'
import type { ReplyOf } from '#schema/kit/call'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import type { FormValues } from '../kit/form/form-model.ts'
import { useReadOrClose } from '../kit/form/read-or-close.ts'
import { ownZone, presentZone } from '../kit/form/zones.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { ownScope } from '../people/people-options.ts'
import { ruleFields } from './alarm-rule-fields.tsx'

type Rule = ReplyOf<typeof getAlarmRule>

const newRule = (): FormValues => ({
  kind: 'offline',
  threshold: factsOf('offline').threshold ?? '',
  forMinutes: 0,
  severity: 'major',
  scope: ownScope('customer'),
  mode: 'once',
  byEmail: true,
  enabled: true,
  timeZone: ownZone(),
  alertText: textsOf('offline', t).alert,
  recoveryText: textsOf('offline', t).recovery,
})

const valuesOf = (rule: Rule): FormValues => ({
  name: rule.name,
  kind: rule.kind,
  threshold: rule.threshold ?? '',
  recoverAt: rule.recoverAt ?? '',
  forMinutes: rule.forMinutes,
  windowMinutes: rule.windowMinutes ?? '',
  severity: rule.severity,
  enabled: rule.enabled,
  scope: rule.scope,
  groupIds: rule.groups.map(({ id }) => String(id)),
  deviceIds: rule.devices.map(({ id }) => String(id)),
  contactIds: rule.contactIds.map(String),
  channelIds: rule.channelIds.map(String),
  byEmail: rule.byEmail,
  toUsers: rule.toUsers,
  mode: rule.mode,
  intervalMinutes: rule.intervalMinutes ?? '',
  quietFrom: rule.quietFrom ?? '',
  quietTo: rule.quietTo ?? '',
  timeZone: presentZone(rule.timeZone),
  alertText: rule.alertText,
  recoveryText: rule.recoveryText,
})

type Props = { opened: boolean; onClose: () => void }

export function NewRule({ opened, onClose }: Props) {
  const [fields] = useState(() => ruleFields({ isNew: true, customerId: undefined, devices: [] }))
  const [initial] = useState(newRule)
  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      title={t('alarm:rule.create')}
      verb={t('alarm:rule.create')}
      call={createAlarmRule}
      refreshes={[getAlarmRuleList]}
      success={t('alarm:rule.saved')}
      initial={initial}
      fields={fields}
    />
  )
}

/** [§8] If a rule cannot be fetched, an error is shown and nothing is opened. */
export function EditRule({ ruleId, opened, onClose }: Props & { ruleId: number }) {
  const query = useCall(getAlarmRule, { ruleId }, { enabled: opened, staleMs: 0 })
  useReadOrClose(query, opened, onClose)
  const rule = query.data
  const fields = useMemo(
    () =>
      ruleFields({
        isNew: false,
        customerId: rule?.customerId,
        devices: (rule?.devices ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
      }),
    [rule],
  )
  if (!rule) return null
  return (
    <FormDrawer
      key={`${rule.id} ${rule.updatedAt}`}
      opened={opened}
      onClose={onClose}
      title={t('alarm:rule.edit', { name: rule.name })}
      verb={t('kit:save')}
      edits
      edition={rule.edition}
      call={updateAlarmRule}
      refreshes={[getAlarmRuleList, getAlarmRule]}
      success={t('alarm:rule.saved')}
      fixed={{ ruleId: rule.id, kind: rule.kind }}
      initial={valuesOf(rule)}
      fields={fields}
    />
  )
}
