/** The fields of a rule, in sections; which of them are shown depends on its kind. */

import { Text } from '@mantine/core'
import { getAlarmChannelList } from '#schema/alarm/alarm-channel'
import { placeholders } from '#schema/alarm/alarm-text'
import { contactListPermission, getContactList } from '#schema/alarm/contact'
import type { Key } from '#schema/kit/words.gen'
import { useOwnGroupOptions } from '../device/device-options.ts'
import { devicePicker } from '../device/device-picker.tsx'
import type { Drawn, Field, FormValues } from '../kit/form/form-model.ts'
import { zoneOptions } from '../kit/form/zones.ts'
import { t, textsIn } from '../kit/i18n.ts'
import type { Option } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { ownedChoice } from '../people/owned-choice.tsx'
import { isPlatformUser, scopeOptions, useCustomerOptions } from '../people/people-options.ts'
import { deviceKindOptions, severityOptions } from './alarm-chips.tsx'
import { AlertText, kindOf, RecoverAt, RecoveryText, Threshold } from './alarm-rule-draws.tsx'
import { RulePreview } from './alarm-rule-preview.tsx'

const CHOICES = 500
const isLevel = (values: FormValues) => kindOf(values)?.shape === 'level'

function useContactOptions(customerId: number | undefined): readonly Option[] {
  const enabled = customerId !== undefined && can(contactListPermission)
  const query = useCall(
    getContactList,
    { limit: CHOICES, ...(customerId ? { customerId } : {}) },
    { enabled },
  )
  return (query.data?.list ?? []).map(({ id, name, email }) => ({
    value: String(id),
    label: `${name} · ${email}`,
  }))
}
function useChannelOptions(customerId: number | undefined): readonly Option[] {
  const enabled = customerId !== undefined
  const query = useCall(
    getAlarmChannelList,
    { limit: CHOICES, ...(customerId ? { customerId } : {}) },
    { enabled },
  )
  return (query.data?.list ?? []).map(({ id, name, kind }) => ({
    value: String(id),
    label: `${name} · ${t(`alarm:channel.kind.${kind}`)}`,
  }))
}

// Rendered by stable components: with a new component type the input would lose the focus while typing.
const Heading = ({ label }: Drawn) => (
  <Text component="h3" fw={600} mt="sm" pb={4} style={{ borderBottom: '1px solid var(--border)' }}>
    {label}
  </Text>
)
export const section = (name: string, label: Key): Field => ({ name, label, Draw: Heading })
const Words = ({ label }: Drawn) => (
  <Text size="xs" c="dimmed">
    {label} {placeholders.map((word) => `{${word}}`).join(' ')}
  </Text>
)

type RuleFieldOptions = {
  isNew: boolean
  customerId: number | undefined
  devices: readonly Option[]
}

/** Created once for each opening. */
export function ruleFields({ isNew, customerId, devices }: RuleFieldOptions): readonly (Field | string)[] {
  return [
    ...(isNew
      ? [
          {
            name: 'customerId',
            required: true,
            useOptions: useCustomerOptions,
            empties: ['groupIds', 'deviceIds', 'contactIds', 'channelIds'],
            when: isPlatformUser,
          } as const,
        ]
      : []),
    { name: 'name', required: true },
    section('s1', 'alarm:rule.condition'),
    ...(isNew
      ? [
          {
            name: 'kind',
            required: true,
            useOptions: deviceKindOptions,
          } as const,
        ]
      : []),
    { name: 'threshold', required: true, when: isLevel, Draw: Threshold, narrow: true },
    {
      name: 'recoverAt',
      when: (values) => isLevel(values) && !kindOf(values)?.timed,
      Draw: RecoverAt,
      narrow: true,
    },
    {
      name: 'windowMinutes',
      required: true,
      when: (values) => kindOf(values)?.windowed === true,
    },
    {
      name: 'forMinutes',
      hint: 'alarm:rule.forHint',
      when: (values) => isLevel(values) && !kindOf(values)?.timed,
    },
    {
      name: 'severity',
      required: true,
      useOptions: severityOptions,
    },
    section('s2', 'alarm:rule.scope'),
    {
      name: 'scope',
      required: true,
      useOptions: () => scopeOptions(textsIn('alarm:scope'), 'customer'),
    },
    {
      name: 'groupIds',
      hint: 'alarm:rule.groupsHint',
      required: true,
      when: (values) => values['scope'] === 'groups',
      Draw: ownedChoice(useOwnGroupOptions, customerId),
      useNames: () => useOwnGroupOptions(customerId),
    },
    {
      name: 'deviceIds',
      required: true,
      when: (values) => values['scope'] === 'devices',
      Draw: devicePicker(devices, customerId),
      useNames: () => devices,
    },
    {
      name: 'preview',
      label: 'alarm:preview.title',
      Draw: ({ values }: Drawn) => (
        <RulePreview values={values} customerId={customerId ?? (Number(values['customerId']) || undefined)} />
      ),
    },
    ...noticeFields(customerId),
  ]
}

/** Who is notified, when and how: the same for every rule, whatever it watches. */
export function noticeFields(customerId: number | undefined): readonly (Field | string)[] {
  return [
    section('s3', 'alarm:rule.notice'),
    {
      name: 'contactIds',
      Draw: ownedChoice(useContactOptions, customerId),
      useNames: () => useContactOptions(customerId),
    },
    'byEmail',
    { name: 'toUsers', hint: 'alarm:rule.toUsersHint' },
    {
      name: 'channelIds',
      Draw: ownedChoice(useChannelOptions, customerId),
      useNames: () => useChannelOptions(customerId),
    },
    {
      name: 'mode',
      required: true,
      choices: () => textsIn('alarm:mode'),
    },
    {
      name: 'intervalMinutes',
      required: true,
      when: (values) => values['mode'] === 'repeat',
    },
    section('s4', 'alarm:rule.quiet'),
    { name: 'quietFrom', hint: 'alarm:rule.quietHint' },
    'quietTo',
    {
      name: 'timeZone',
      required: true,
      useOptions: zoneOptions,
    },
    section('s5', 'alarm:rule.texts'),
    { name: 'alertText', Draw: AlertText },
    { name: 'recoveryText', Draw: RecoveryText },
    {
      name: 'words',
      label: 'alarm:rule.placeholders',
      Draw: Words,
    },
    'enabled',
  ]
}
