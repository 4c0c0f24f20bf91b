import { Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useOwnGroupOptions } from '../device/device-options.ts'
import { ActionButton, ActionIconButton } from '../kit/action-button.tsx'
import type { Drawn } from '../kit/form/form-model.ts'
import { t } from '../kit/i18n.ts'
import { customerOf } from '../people/owned-choice.tsx'

type Value = { groupId?: string; deviceSn?: string; value: string }
const CUSTOMER = 'customer'
const DEVICE = 'device'

const scopeOf = ({ groupId, deviceSn }: Value): string =>
  deviceSn === undefined ? (groupId ?? CUSTOMER) : DEVICE

/** The values of a variable, each with where it holds. @param ofRow its customer, if the form does not ask for it */
export const variableValues = (ofRow: number | undefined) =>
  function VariableValues({ name, label, hint, value, error, set, values }: Drawn) {
    const groups = useOwnGroupOptions(ofRow ?? customerOf(values))
    const rows = Array.isArray(value) ? (value as Value[]) : []
    const put = (index: number, next: Value) => set(rows.map((row, i) => (i === index ? next : row)))
    const moved = (row: Value, scope: string): Value => ({
      value: row.value,
      ...(scope === DEVICE ? { deviceSn: '' } : scope === CUSTOMER ? {} : { groupId: scope }),
    })
    return (
      <Stack gap="xs" data-path={name}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        {hint ? (
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        ) : null}
        {rows.map((row, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id; all values are in the form
          <Group key={i} gap="xs" align="flex-end" wrap="nowrap">
            <Stack gap={4} flex={1} miw={0}>
              <Select
                label={t('config-variable:scope')}
                data={[
                  { value: CUSTOMER, label: t('config-variable:wholeCustomer') },
                  { value: DEVICE, label: t('config-variable:ofDevice') },
                  ...groups,
                ]}
                value={scopeOf(row)}
                allowDeselect={false}
                searchable
                onChange={(scope) => scope && put(i, moved(row, scope))}
              />
              {row.deviceSn === undefined ? null : (
                <TextInput
                  label={t('config-variable:field.deviceSn')}
                  value={row.deviceSn}
                  autoComplete="off"
                  onChange={(event) => put(i, { ...row, deviceSn: event.currentTarget.value })}
                />
              )}
              <TextInput
                label={t('config-variable:field.value')}
                value={row.value}
                autoComplete="off"
                onChange={(event) => put(i, { ...row, value: event.currentTarget.value })}
              />
            </Stack>
            <ActionIconButton
              icon={IconTrash}
              label={t('config-variable:removeValue')}
              danger
              onPress={() => set(rows.filter((_, other) => other !== i))}
            />
          </Group>
        ))}
        {error ? (
          <Text size="xs" c="var(--critical)" role="alert">
            {error}
          </Text>
        ) : null}
        <ActionButton
          icon={IconPlus}
          label={t('config-variable:addValue')}
          onPress={() => set([...rows, { value: '' }])}
        />
      </Stack>
    )
  }
