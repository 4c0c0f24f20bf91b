import { Badge, Group, Text } from '@mantine/core'
import { IconEdit, IconPlus, IconRestore, IconTrash } from '@tabler/icons-react'
import { Suspense } from 'react'
import type { Word } from '#schema/kit/words.gen'
import {
  deleteParameter,
  getParameterList,
  parameterEditPermission,
  parameterScreen,
  setParameter,
} from '#schema/platform/parameter'
import { ActionButton } from '../kit/action-button.tsx'
import { request } from '../kit/api.ts'
import { lazy } from '../kit/chunk.ts'
import { ask } from '../kit/confirm.tsx'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter, ListContext } from '../kit/list/list-types.ts'
import { opener } from '../kit/opener.ts'
import { queryClient, reportError } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'
import { isPlatformUser, useCustomerOptions } from '../people/people-options.ts'
import type { ParameterRow } from '../platform/parameter-forms.tsx'

export const words: readonly Word[] = ['parameter']

const shownValue = (row: ParameterRow) =>
  row.unit ? `${row.value} ${t(`parameter:unit.${row.unit as 'hours'}`)}` : row.value
const sourceText = (row: ParameterRow) =>
  row.key === null ? t('parameter:extra') : t(`parameter:source.${row.source}`)
const rangeText = (row: ParameterRow) => (row.min === null ? '' : `${row.min} – ${row.max}`)

const columns: readonly Column<ParameterRow>[] = [
  {
    key: 'name',
    title: 'parameter:field.name',
    width: 200,
    card: 'title',
    render: (row) => (
      <Text span fw={600}>
        {row.name}
      </Text>
    ),
  },
  { key: 'value', title: 'parameter:field.value', width: 100, render: shownValue, text: shownValue },
  {
    key: 'source',
    title: 'parameter:field.source',
    width: 95,
    card: 'beside',
    text: sourceText,
    render: (row) => (
      <Badge variant="light" color={row.source === 'initial' ? 'gray' : 'brand'}>
        {sourceText(row)}
      </Badge>
    ),
  },
  { key: 'range', title: 'parameter:field.range', width: 105, render: rangeText, text: rangeText },
  {
    key: 'description',
    title: 'parameter:field.description',
    width: 240,
    prose: true,
    render: (row) => <span title={row.description}>{row.description}</span>,
  },
  {
    key: 'updatedAt',
    title: 'parameter:field.updatedAt',
    width: 165,
    extra: true,
    render: (row) => <When at={row.updatedAt} absolute />,
  },
  { key: 'updatedBy', title: 'parameter:field.updatedBy', width: 110, extra: true },
  { key: 'nameZh', title: 'parameter:field.nameZh', width: 180, extra: true },
  { key: 'nameEn', title: 'parameter:field.nameEn', width: 200, extra: true },
]

const filters: readonly Filter[] = [
  {
    key: 'customerId',
    label: 'parameter:field.customer',
    useOptions: useCustomerOptions,
    when: isPlatformUser,
  },
]

const drawer = opener<'add' | ParameterRow>()

const customerOf = (filter: ListContext['filter']) => Number(filter['customerId']) || undefined
const shownCustomer = () => Number(new URLSearchParams(location.search).get('customerId')) || undefined

const refresh = () => void queryClient.invalidateQueries({ queryKey: [getParameterList.name] })

async function reset(row: ParameterRow) {
  const customerId = shownCustomer()
  const text = t('parameter:reset.text', { name: row.name, value: shownValue(row) })
  if (!row.key) return
  if (!(await ask({ title: t('parameter:reset.title'), text, verb: t('parameter:reset.verb') }))) return
  try {
    await request(setParameter, { key: row.key, value: null, ...(customerId ? { customerId } : {}) })
    refresh()
    void toast('success', t('parameter:edit.done'))
  } catch (error) {
    reportError(error)
  }
}

async function remove(row: ParameterRow) {
  const text = t('parameter:remove.text', { name: row.name })
  const verb = t('parameter:remove.verb')
  if (!row.id || !(await ask({ title: t('parameter:remove.title'), text, verb, danger: true }))) return
  try {
    await request(deleteParameter, { id: row.id })
    refresh()
    void toast('success', t('parameter:remove.done'))
  } catch (error) {
    reportError(error)
  }
}

const forms = () => import('../platform/parameter-forms.tsx')
const AddParameter = lazy(() => forms().then((module) => ({ default: module.AddParameter })))
const EditParameter = lazy(() => forms().then((module) => ({ default: module.EditParameter })))

function Actions({ filter }: ListContext) {
  const now = drawer.useOpened()
  const customerId = customerOf(filter)
  const form = { opened: now?.shown ?? false, onClose: drawer.close, customerId }
  return (
    <Group gap={8}>
      <ActionButton
        rank="primary"
        icon={IconPlus}
        label={t('parameter:add.title')}
        permission={parameterEditPermission}
        onPress={() => drawer.show('add')}
      />
      <Suspense>
        {now === null ? null : now.what === 'add' ? (
          <AddParameter key={now.turn} {...form} />
        ) : (
          <EditParameter key={now.turn} row={now.what} {...form} />
        )}
      </Suspense>
    </Group>
  )
}

/** Shared parameters can be changed only while no customer is selected. */
const whyNotHere = (row: ParameterRow) =>
  row.key !== null && !row.perCustomer && shownCustomer() ? t('parameter:edit.shared') : null

export const Page = listPage({
  screen: parameterScreen,
  call: getParameterList,
  rowKey: 'rowKey',
  columns,
  filters,
  searchPlaceholder: 'parameter:searchPlaceholder',
  exportName: 'parameters',
  rowActions: (row) => [
    {
      key: 'edit',
      label: t('parameter:edit.verb'),
      icon: IconEdit,
      permission: parameterEditPermission,
      reason: whyNotHere(row),
      run: () => drawer.show(row),
    },
    row.key === null
      ? {
          key: 'remove',
          label: t('parameter:remove.verb'),
          icon: IconTrash,
          permission: parameterEditPermission,
          danger: true,
          run: () => void remove(row),
        }
      : {
          key: 'reset',
          label: t('parameter:reset.verb'),
          icon: IconRestore,
          permission: parameterEditPermission,
          reason:
            row.source === (shownCustomer() ? 'customer' : 'platform') ? null : t('parameter:reset.notSet'),
          run: () => void reset(row),
        },
  ],
  Actions,
})
