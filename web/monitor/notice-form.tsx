import { useMemo, useState } from 'react'
import { textsOf } from '#schema/alarm/alarm-text'
import type { ReplyOf } from '#schema/kit/call'
import type { Key } from '#schema/kit/words.gen'
import { hasPart, type Operator } from '#schema/monitor/notice/variable-condition'
import {
  createVariableNotice,
  getVariableNotice,
  getVariableNoticeList,
  updateVariableNotice,
} from '#schema/monitor/variable-notice'
import { severityOptions } from '../alarm/alarm-chips.tsx'
import { noticeFields, section } from '../alarm/alarm-rule-fields.tsx'
import { useOwnGroupOptions } from '../device/device-options.ts'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import type { Field, FormValues } from '../kit/form/form-model.ts'
import { useReadOrClose } from '../kit/form/read-or-close.ts'
import { ownZone, presentZone } from '../kit/form/zones.ts'
import { t, textsIn } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { ownedChoice } from '../people/owned-choice.tsx'
import { isPlatformUser, ownScope, scopeOptions, useCustomerOptions } from '../people/people-options.ts'
import { terminalPicker, variablePicker } from './notice-choices.tsx'
import { NoticeFormula } from './notice-formula.tsx'

type Notice = ReplyOf<typeof getVariableNotice>
type Props = { opened: boolean; onClose: () => void }

const PARTS = ['low', 'high', 'recoverAt', 'hysteresis', 'bit', 'withinS', 'minutes', 'forS'] as const
const hints: Readonly<Partial<Record<(typeof PARTS)[number], Key>>> = {
  low: 'variable-notice:hint.low',
  recoverAt: 'variable-notice:hint.recoverAt',
  hysteresis: 'variable-notice:hint.hysteresis',
  bit: 'variable-notice:hint.bit',
  minutes: 'variable-notice:hint.minutes',
  forS: 'variable-notice:hint.forS',
}
const NEEDED: readonly string[] = ['low', 'high', 'bit', 'withinS', 'minutes']

/** Created once for each opening. */
function fieldsOf(notice: Notice | null): readonly (Field | string)[] {
  const customerId = notice?.customerId
  const known = notice?.variableId
    ? { value: String(notice.variableId), label: `${notice.templateName ?? ''} / ${notice.variableName}` }
    : undefined
  const terminals = (notice?.terminals ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return [
    ...(notice === null
      ? [
          {
            name: 'customerId',
            required: true,
            useOptions: useCustomerOptions,
            empties: ['variableId', 'groupIds', 'terminalIds', 'contactIds', 'channelIds'],
            when: isPlatformUser,
          } as const,
        ]
      : []),
    { name: 'name', required: true },
    section('s1', 'alarm:rule.condition'),
    {
      name: 'variableId',
      required: true,
      Draw: variablePicker(known, customerId),
      useNames: () => (known ? [known] : []),
    },
    { name: 'operator', required: true, choices: () => textsIn('variable-notice:operator') },
    {
      name: 'formula',
      hint: 'variable-notice:hint.formula',
      required: true,
      when: (values) => hasPart(values['operator'] as Operator, 'formula'),
      Draw: NoticeFormula,
    },
    ...PARTS.map((name) => ({
      name,
      ...(hints[name] ? { hint: hints[name] } : {}),
      required: NEEDED.includes(name),
      when: (values: FormValues) => hasPart(values['operator'] as Operator, name),
    })),
    { name: 'severity', required: true, useOptions: severityOptions },
    section('s2', 'alarm:rule.scope'),
    {
      name: 'terminalScope',
      required: true,
      useOptions: () => scopeOptions(textsIn('variable-notice:terminalScope'), 'all'),
    },
    {
      name: 'groupIds',
      hint: 'variable-notice:groupsHint',
      required: true,
      when: (values) => values['terminalScope'] === 'groups',
      Draw: ownedChoice(useOwnGroupOptions, customerId),
      useNames: () => useOwnGroupOptions(customerId),
    },
    {
      name: 'terminalIds',
      required: true,
      when: (values) => values['terminalScope'] === 'terminals',
      Draw: terminalPicker(terminals),
      useNames: () => terminals,
    },
    ...noticeFields(customerId),
  ]
}

const proposed = (): FormValues => ({
  operator: 'gt',
  terminalScope: ownScope('all'),
  severity: 'major',
  mode: 'once',
  byEmail: true,
  enabled: true,
  forS: 0,
  timeZone: ownZone(),
  alertText: textsOf('variable', t).alert,
  recoveryText: textsOf('variable', t).recovery,
})

const valuesOf = (notice: Notice): FormValues => ({
  name: notice.name,
  variableId: notice.variableId === null ? '' : String(notice.variableId),
  operator: notice.operator,
  formula: notice.formula ?? '',
  ...Object.fromEntries(PARTS.map((part) => [part, notice[part] ?? ''])),
  severity: notice.severity,
  terminalScope: notice.terminalScope,
  groupIds: notice.groups.map(({ id }) => String(id)),
  terminalIds: notice.terminals.map(({ id }) => String(id)),
  contactIds: notice.contactIds.map(String),
  channelIds: notice.channelIds.map(String),
  byEmail: notice.byEmail,
  toUsers: notice.toUsers,
  mode: notice.mode,
  intervalMinutes: notice.intervalMinutes ?? '',
  quietFrom: notice.quietFrom ?? '',
  quietTo: notice.quietTo ?? '',
  timeZone: presentZone(notice.timeZone),
  alertText: notice.alertText,
  recoveryText: notice.recoveryText,
  enabled: notice.enabled,
})

export function NewNotice({ opened, onClose }: Props) {
  const [fields] = useState(() => fieldsOf(null))
  const [initial] = useState(proposed)
  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      title={t('variable-notice:create')}
      verb={t('variable-notice:create')}
      call={createVariableNotice}
      refreshes={[getVariableNoticeList]}
      success={t('variable-notice:saved')}
      initial={initial}
      fields={fields}
    />
  )
}

/** [§8] If a notice cannot be fetched, an error is shown and nothing is opened. */
export function EditNotice({ ruleId, opened, onClose }: Props & { ruleId: number }) {
  const query = useCall(getVariableNotice, { ruleId }, { enabled: opened, staleMs: 0 })
  useReadOrClose(query, opened, onClose)
  const notice = query.data
  const fields = useMemo(() => fieldsOf(notice ?? null), [notice])
  if (!notice) return null
  return (
    <FormDrawer
      key={`${notice.id} ${notice.updatedAt}`}
      opened={opened}
      onClose={onClose}
      title={t('variable-notice:edit', { name: notice.name })}
      verb={t('kit:save')}
      edits
      edition={notice.edition}
      call={updateVariableNotice}
      refreshes={[getVariableNoticeList, getVariableNotice]}
      success={t('variable-notice:saved')}
      fixed={{ ruleId: notice.id }}
      initial={valuesOf(notice)}
      fields={fields}
    />
  )
}
