import { Anchor, Drawer, Group } from '@mantine/core'
import { type BatchRow, getCommandBatchList, standsStill } from '#schema/task/command-batch'
import { Empty } from '../kit/empty.tsx'
import { number } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import type { Column } from '../kit/list/list-types.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { BatchBar, countsText } from './command-batch-parts.tsx'
import { BatchResult } from './command-batch-result.tsx'

export const batchName = ({ name, counts }: Pick<BatchRow, 'name' | 'counts'>) =>
  t('command-batch:of', { name: tOr(`command:name.${name}`, name), count: counts.total })

const columnsOf = (show: (batchId: string) => void): readonly Column<BatchRow>[] => [
  {
    key: 'name',
    title: 'command:column.name',
    width: 260,
    card: 'title',
    pinned: 'left',
    text: (row) =>
      standsStill(row) ? `${batchName(row)} (${t('command-batch:stoppedChip')})` : batchName(row),
    render: (row) => (
      <Group gap={8} wrap="nowrap">
        <Anchor component="button" type="button" size="sm" onClick={() => show(row.batchId)}>
          {batchName(row)}
        </Anchor>
        {standsStill(row) ? <StatusChip tone="critical" label={t('command-batch:stoppedChip')} /> : null}
      </Group>
    ),
  },
  {
    key: 'counts',
    title: 'command-batch:outcome',
    width: 240,
    text: ({ counts }) => countsText(counts),
    render: ({ counts }) => <BatchBar counts={counts} />,
  },
  {
    key: 'done',
    title: 'command:state.done',
    width: 90,
    numeric: true,
    text: ({ counts }) => counts.done,
    render: ({ counts }) => `${number(counts.done)} / ${number(counts.total)}`,
  },
  {
    key: 'createdAt',
    title: 'command:column.createdAt',
    width: 170,
    render: (row) => <When at={row.createdAt} absolute />,
  },
  { key: 'createdBy', title: 'command:column.createdBy', width: 130 },
]

type Props = { batch: string; onShow: (batch: string | null) => void }

export function BatchDrawer({ batch, onShow }: Props) {
  const list = batch === 'list'
  return (
    <Drawer opened onClose={() => onShow(null)} title={t('command-batch:title')} size={960}>
      {list ? (
        <ListView
          call={getCommandBatchList}
          rowKey="batchId"
          columns={columnsOf(onShow)}
          prefix="batches"
          exportName="batches"
          refreshS={5}
          empty={() => <Empty title={t('command-batch:empty')} text={t('command-batch:emptyText')} />}
        />
      ) : (
        <BatchResult batchId={batch} onList={() => onShow('list')} />
      )}
    </Drawer>
  )
}
