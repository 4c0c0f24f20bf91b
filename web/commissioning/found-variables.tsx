/** Adds recognized variables to a collection template. */
import { ActionIcon, Table, Text, TextInput } from '@mantine/core'
import { IconTemplate, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { getTemplateList, templateListScreen } from '#schema/monitor/collection-template'
import type { RegisterType } from '#schema/monitor/fields'
import type { LibraryVariable } from '#schema/monitor/library/library-template'
import { importTemplate } from '#schema/monitor/template-import'
import { templateEditPermission } from '#schema/monitor/variable-pages'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { WholeField } from '../kit/form/whole-field.tsx'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { useAction } from '../kit/query.ts'
import type { Chosen } from './register-views.tsx'

export type Recognised = Chosen & {
  key: string
  table: RegisterType
  name: string
  unit: string
  precision: number
  /** What is known of it beyond its place and type. */
  facts?: Partial<
    Pick<LibraryVariable, 'powerAddress' | 'noValue' | 'functionType' | 'access' | 'cycleS' | 'deadband'>
  >
}

type Props = {
  variables: readonly Recognised[]
  set: (variables: readonly Recognised[]) => void
  customerId: number | undefined
}

export function FoundVariables({ variables, set, customerId }: Props) {
  const [name, setName] = useState('')
  const put = (key: string, more: Partial<Recognised>) =>
    set(variables.map((one) => (one.key === key ? { ...one, ...more } : one)))
  const nameless = variables.some((one) => one.name.trim() === '' || one.unit.trim() === '')
  const reason =
    variables.length === 0
      ? t('commissioning:found.none')
      : name.trim() === '' || nameless
        ? t('commissioning:found.nameless')
        : null
  const action = useAction(importTemplate, {
    refreshes: [getTemplateList],
    success: t('commissioning:found.made', { name: name.trim() }),
    onDone: ({ id }) => {
      set([])
      goTo(`${templateListScreen.path}/${id}`)
    },
  })
  const make = () =>
    action.start({
      name: name.trim(),
      type: 'other',
      ...(customerId === undefined ? {} : { customerId }),
      variables: variables.map(({ key: _, table, type, order, name: said, unit, facts, ...one }) => ({
        ...facts,
        ...one,
        name: said.trim(),
        unit: unit.trim(),
        registerType: table,
        dataType: type,
        byteOrder: order,
        reportType: 'both',
      })),
    })
  return (
    <Card title={t('commissioning:found.title')}>
      {variables.length === 0 ? (
        <Text c="dimmed">{t('commissioning:found.hint')}</Text>
      ) : (
        <Table.ScrollContainer minWidth={640}>
          <Table>
            <Table.Tbody>
              {variables.map((one) => (
                <Table.Tr key={one.key}>
                  <Table.Td>
                    {`${t(`variable:registerType.${one.table}`)} ${one.address}`}
                    <Text size="sm" c="dimmed">{`${one.type} ${one.order} × ${one.factor}`}</Text>
                  </Table.Td>
                  <Table.Td>
                    <TextInput
                      aria-label={t('variable:field.name')}
                      placeholder={t('variable:field.name')}
                      value={one.name}
                      onChange={(event) => put(one.key, { name: event.currentTarget.value })}
                    />
                  </Table.Td>
                  <Table.Td>
                    <TextInput
                      aria-label={t('variable:field.unit')}
                      placeholder={t('variable:field.unit')}
                      w={90}
                      value={one.unit}
                      onChange={(event) => put(one.key, { unit: event.currentTarget.value })}
                    />
                  </Table.Td>
                  <Table.Td>
                    <WholeField
                      aria-label={t('variable:field.precision')}
                      w={80}
                      min={0}
                      max={10}
                      value={one.precision}
                      onChange={(precision) => put(one.key, { precision })}
                    />
                  </Table.Td>
                  <Table.Td>
                    <ActionIcon
                      variant="subtle"
                      aria-label={t('commissioning:found.remove', { address: one.address })}
                      onClick={() => set(variables.filter(({ key }) => key !== one.key))}
                    >
                      <IconTrash size={16} />
                    </ActionIcon>
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <div style={{ display: 'flex', gap: 12, alignItems: 'end', marginTop: 12, flexWrap: 'wrap' }}>
        <TextInput
          label={t('commissioning:found.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <ActionButton
          icon={IconTemplate}
          label={t('commissioning:found.make')}
          permission={templateEditPermission}
          reason={reason}
          busy={action.busy}
          onPress={make}
        />
      </div>
    </Card>
  )
}
