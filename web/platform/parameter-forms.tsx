import { Text } from '@mantine/core'
import {
  addParameter,
  type getParameterList as Call,
  getParameterList,
  getParameterUse,
  modifyParameter,
  setParameter,
} from '#schema/platform/parameter'
import { FormDrawer } from '../kit/form/form-drawer.tsx'
import type { Field } from '../kit/form/form-model.ts'
import { bytes } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import type { Row } from '../kit/list/list-types.ts'
import { useCall } from '../kit/query.ts'

export type ParameterRow = Row<typeof Call>

const extraFields: readonly (Field | string)[] = [
  { name: 'nameZh', required: true },
  { name: 'nameEn', required: true },
  { name: 'value', required: true },
  'description',
]

type Props = { opened: boolean; onClose: () => void; customerId: number | undefined }

export function AddParameter({ opened, onClose, customerId }: Props) {
  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      title={t('parameter:add.title')}
      verb={t('parameter:add.title')}
      call={addParameter}
      fields={extraFields}
      fixed={customerId ? { customerId } : {}}
      refreshes={[getParameterList]}
      success={t('parameter:add.done')}
    >
      <Text c="dimmed" size="sm">
        {t('parameter:extraHint')}
      </Text>
    </FormDrawer>
  )
}

function EditExtra({ row, opened, onClose }: Omit<Props, 'customerId'> & { row: ParameterRow }) {
  const { nameZh, nameEn, value, description } = row
  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      title={row.name}
      verb={t('parameter:edit.save')}
      call={modifyParameter}
      fields={extraFields}
      fixed={{ id: row.id }}
      initial={{ nameZh, nameEn, value, description }}
      edits
      edition={row.edition}
      refreshes={[getParameterList]}
      success={t('parameter:edit.done')}
    />
  )
}

function Use({ of }: { of: NonNullable<ParameterRow['key']> }) {
  const { data } = useCall(getParameterUse, { key: of })
  if (!data || data.bytes === null) return null
  return (
    <Text c="dimmed" size="sm">
      {t('parameter:edit.use', { bytes: bytes(data.bytes) })}
    </Text>
  )
}

export function EditParameter({ row, opened, onClose, customerId }: Props & { row: ParameterRow }) {
  if (row.key === null || row.min === null || row.max === null)
    return <EditExtra row={row} opened={opened} onClose={onClose} />
  return (
    <FormDrawer
      opened={opened}
      onClose={onClose}
      title={row.name}
      verb={t('parameter:edit.save')}
      call={setParameter}
      fields={[
        {
          name: 'value',
          required: true,
          min: row.min,
          max: row.max,
          unit: unitOf(row),
        },
      ]}
      fixed={{ key: row.key, ...(customerId ? { customerId } : {}) }}
      initial={{ value: Number(row.value) }}
      edits
      edition={row.edition}
      refreshes={[getParameterList]}
      success={t('parameter:edit.done')}
    >
      <Text>{row.description}</Text>
      <Text c="dimmed" size="sm">
        {t('parameter:edit.bounds', {
          min: row.min,
          max: row.max,
          unit: unitOf(row),
          initial: row.initial ?? '',
        })}
        {' · '}
        {t(customerId ? 'parameter:edit.forCustomer' : 'parameter:edit.forAll')}
      </Text>
      {opened && row.unit === 'days' ? <Use of={row.key} /> : null}
    </FormDrawer>
  )
}

export const unitOf = (row: Pick<ParameterRow, 'unit'>) =>
  row.unit ? t(`parameter:unit.${row.unit as 'hours'}`) : ''
