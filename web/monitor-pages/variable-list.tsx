import { Text } from '@mantine/core'
import { IconPencilBolt } from '@tabler/icons-react'
import type { Word } from '#schema/kit/words.gen'
import { variableWritePermission } from '#schema/monitor/commands/write-variable'
import { variableScreen } from '#schema/monitor/variable-pages'
import { getVariableValues, valueStates } from '#schema/monitor/variable-values'
import { commandBlockedReason } from '../command/commands.ts'
import { Empty } from '../kit/empty.tsx'
import { t } from '../kit/i18n.ts'
import { listPage } from '../kit/list/list-page.tsx'
import type { Column, Filter } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { When } from '../kit/time.tsx'
import { LiveMark } from '../monitor/live-mark.tsx'
import { placeFilters } from '../monitor/place-filters.ts'
import { terminalFilter } from '../monitor/terminal-filter.tsx'
import { unitText } from '../monitor/variable-columns.tsx'
import {
  QualityChip,
  qualityText,
  TrendCell,
  type Value,
  ValueCell,
  valueCell,
} from '../monitor/variable-value.tsx'
import { VariableWrite, writing } from '../monitor/variable-write.tsx'

export const words: readonly Word[] = ['variable', 'project', 'variable-write', 'command', 'device']

const columns: readonly Column<Value>[] = [
  { key: 'name', title: 'variable:field.name', width: 170, pinned: 'left', card: 'title' },
  {
    key: 'value',
    title: 'variable:field.value',
    width: 140,
    numeric: true,
    card: 'beside',
    render: (row) => <ValueCell row={row} />,
    text: valueCell,
  },
  { key: 'terminalName', title: 'variable:field.terminalName', width: 200 },
  {
    key: 'trend',
    title: 'variable:field.trend',
    width: 130,
    csv: false,
    card: 'none',
    render: (row) => <TrendCell row={row} />,
  },
  {
    key: 'unit',
    title: 'variable:field.unit',
    width: 80,
    extra: true,
    csv: true,
    text: ({ unit }) => unitText(unit),
  },
  {
    key: 'quality',
    title: 'variable:field.quality',
    width: 150,
    render: (row) => <QualityChip row={row} />,
    text: qualityText,
  },
  {
    key: 'at',
    title: 'variable:field.at',
    width: 130,
    render: (row) => <When at={row.at} zone={row.timeZone} />,
  },
  {
    key: 'deviceSn',
    title: 'variable:field.deviceSn',
    width: 150,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  {
    key: 'access',
    title: 'variable:field.access',
    width: 130,
    extra: true,
    render: (row) => <Text span>{t(`variable:access.${row.access}`)}</Text>,
    text: (row) => t(`variable:access.${row.access}`),
  },
]

const filters: readonly Filter[] = [
  ...placeFilters,
  terminalFilter,
  {
    key: 'state',
    label: 'variable:field.state',
    width: 140,
    useOptions: () => valueStates.map((value) => ({ value, label: t(`variable:state.${value}`) })),
  },
]

export const Page = listPage({
  screen: variableScreen,
  call: getVariableValues,
  rowKey: ({ terminalId, slot }) => `${terminalId}/${slot}`,
  columns,
  filters,
  searchPlaceholder: 'variable:search',
  exportName: 'variables',
  refreshS: 5,
  rowActions: (row) => [
    {
      key: 'write',
      label: t('variable-write:action'),
      icon: IconPencilBolt,
      permission: variableWritePermission,
      reason:
        row.access === 'read'
          ? t('variable-write:readOnly')
          : commandBlockedReason({ online: row.deviceOnline }, ''),
      run: () => writing.show(row),
    },
  ],
  Actions: () => (
    <>
      <LiveMark />
      <VariableWrite />
    </>
  ),
  empty: () => <Empty title={t('variable:first.title')} text={t('variable:first.text')} />,
})
