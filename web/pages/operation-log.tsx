import { Text } from '@mantine/core'
import { IconListDetails } from '@tabler/icons-react'
import { Suspense } from 'react'
import type { Word } from '#schema/kit/words.gen'
import {
  exportOperations,
  getOperationList,
  getWritingCalls,
  operationLogPermission,
  operationLogScreen,
  operationResults,
} from '#schema/platform/operation'
import { lazy } from '../kit/chunk.ts'
import { Empty } from '../kit/empty.tsx'
import { t, textsIn } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { opener } from '../kit/opener.ts'
import { useCall } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import { callName } from '../platform/call-name.ts'
import { logFilters } from '../platform/log-filters.ts'
import { OperationObject, objectText } from '../platform/operation-object.tsx'
import { type OperationRow, ResultChip, Who, whoText } from '../platform/operation-row.tsx'

export const words: readonly Word[] = ['operation']

const drawer = opener<number>()
const OperationDetails = lazy(() =>
  import('../platform/operation-details.tsx').then((module) => ({ default: module.OperationDetails })),
)

const columns: readonly Column<OperationRow>[] = [
  {
    key: 'at',
    title: 'operation:field.at',
    width: 165,
    pinned: 'left',
    render: (row) => <When at={row.at} absolute />,
  },
  {
    key: 'username',
    title: 'operation:field.who',
    width: 115,
    render: (row) => <Who row={row} />,
    text: whoText,
  },
  {
    key: 'call',
    title: 'operation:field.call',
    width: 225,
    card: 'title',
    render: (row) => (
      <Text span fw={600} title={row.call}>
        {callName(row.call)}
      </Text>
    ),
    text: (row) => callName(row.call),
  },
  {
    key: 'object',
    title: 'operation:field.object',
    width: 200,
    prose: true,
    render: (row) => <OperationObject row={row} />,
    text: objectText,
  },
  {
    key: 'result',
    title: 'operation:field.result',
    width: 110,
    card: 'beside',
    render: (row) => <ResultChip row={row} />,
    text: (row) => t(`operation:result.${row.result}`),
  },
  { key: 'ip', title: 'operation:field.ip', width: 140, render: (row) => <Mono value={row.ip} /> },
  { key: 'customerName', title: 'operation:field.customer', width: 105 },
  { key: 'code', title: 'operation:field.code', width: 80, numeric: true, extra: true },
]

function useCallOptions() {
  const calls = useCall(getWritingCalls, {}, { staleMs: 600_000 })
  return (calls.data?.list ?? []).map((value) => ({ value, label: callName(value) }))
}

const filters: readonly Filter[] = [
  ...logFilters,
  { key: 'call', label: 'operation:field.call', useOptions: useCallOptions, width: 150 },
  {
    key: 'objectKind',
    label: 'operation:field.objectKind',
    useOptions: () => Object.entries(textsIn('operation:kind')).map(([value, label]) => ({ value, label })),
    width: 140,
  },
  {
    key: 'result',
    label: 'operation:field.result',
    useOptions: () => operationResults.map((value) => ({ value, label: t(`operation:result.${value}`) })),
    width: 120,
  },
]

function Details() {
  const now = drawer.useOpened()
  return (
    <Suspense>
      {now ? (
        <OperationDetails key={now.turn} id={now.what} opened={now.shown} onClose={drawer.close} />
      ) : null}
    </Suspense>
  )
}

export const Page = listPage({
  screen: operationLogScreen,
  call: getOperationList,
  rowKey: 'id',
  columns,
  filters,
  searchPlaceholder: 'operation:searchPlaceholder',
  exportCall: exportOperations,
  exportWords: () => ({ callNames: textsIn('operation:call') }),
  exportPermission: operationLogPermission,
  exportName: 'operations',
  rowActions: (row) => [
    {
      key: 'details',
      label: t('operation:details'),
      icon: IconListDetails,
      run: () => drawer.show(row.id),
    },
  ],
  Actions: Details,
  empty: () => <Empty title={t('operation:none')} />,
})
