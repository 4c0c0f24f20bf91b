import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconArrowLeft, IconBan } from '@tabler/icons-react'
import { parseAsString, useQueryState } from 'nuqs'
import { commandStates } from '#schema/command/command'
import type { ReplyOf } from '#schema/kit/call'
import {
  cancelCommandBatch,
  endedOf,
  getCommandBatch,
  getCommandBatchDevices,
  getCommandBatchList,
  isOngoing,
  standsStill,
} from '#schema/task/command-batch'
import { commandTones } from '../command/command-tones.ts'
import { ActionButton } from '../kit/action-button.tsx'
import { ask } from '../kit/confirm.tsx'
import { Empty } from '../kit/empty.tsx'
import { Facts } from '../kit/facts.tsx'
import { number } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { Mono } from '../kit/mono.tsx'
import { useAction, useCall } from '../kit/query.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'
import classes from './command-batch.module.css'
import { BatchBar, BatchStates, LeftOutList } from './command-batch-parts.tsx'
import { BatchStopped } from './command-batch-stopped.tsx'

type Batch = ReplyOf<typeof getCommandBatch>
type Device = Row<typeof getCommandBatchDevices>
const LOOK_EVERY_S = 2

const errorText = ({ error }: { error: string | null }) =>
  error === null ? '' : tOr(`task:ended.${error}`, error)

const columns: readonly Column<Device>[] = [
  { key: 'deviceName', title: 'command-batch:device', width: 170, card: 'title', pinned: 'left' },
  {
    key: 'state',
    title: 'command:column.state',
    width: 130,
    card: 'beside',
    text: ({ state }) => t(`command:state.${state}`),
    render: ({ state }) => <StatusChip tone={commandTones[state]} label={t(`command:state.${state}`)} />,
  },
  { key: 'deviceSn', title: 'command-batch:sn', width: 150, render: (row) => <Mono value={row.deviceSn} /> },
  {
    key: 'sentAt',
    title: 'command:column.createdAt',
    width: 165,
    render: (row) => <When at={row.sentAt} absolute zone={row.timeZone} />,
  },
  {
    key: 'endedAt',
    title: 'command:column.endedAt',
    width: 165,
    render: (row) => <When at={row.endedAt} absolute zone={row.timeZone} />,
  },
  { key: 'error', title: 'command:column.error', text: errorText, render: errorText },
]
const filters: readonly Filter[] = [
  {
    key: 'state',
    label: 'command:column.state',
    width: 140,
    useOptions: () => commandStates.map((value) => ({ value, label: t(`command:state.${value}`) })),
  },
]
const PREFIX = 'bd'

function Stop({ batch }: { batch: Batch }) {
  const waiting = batch.counts.queued
  const action = useAction(cancelCommandBatch, {
    refreshes: [getCommandBatch, getCommandBatchDevices, getCommandBatchList],
    onDone: ({ cancelled }) => void toast('success', t('command-batch:stop.done', { count: cancelled })),
  })
  const press = async () => {
    const yes = await ask({
      title: t('command-batch:stop.title', { count: waiting }),
      text: t('command-batch:stop.text'),
      verb: t('command-batch:stop.verb'),
      dismiss: t('command-batch:stop.dismiss'),
      danger: true,
    })
    if (yes) action.start({ batchId: batch.batchId })
  }
  return (
    <ActionButton
      variant="default"
      icon={IconBan}
      label={t('command-batch:stop.verb')}
      reason={waiting > 0 ? null : t('command-batch:stop.nothing')}
      busy={action.busy}
      onPress={() => void press()}
    />
  )
}

export function BatchResult({ batchId, onList }: { batchId: string; onList: () => void }) {
  const [state, setState] = useQueryState(`${PREFIX}.state`, parseAsString.withDefault(''))
  const found = useCall(getCommandBatch, { batchId }, { refreshS: LOOK_EVERY_S })
  const batch = found.data
  const back = (
    <Button variant="subtle" size="compact-sm" leftSection={<IconArrowLeft size={16} />} onClick={onList}>
      {t('command-batch:all')}
    </Button>
  )
  if (!batch)
    return (
      <Stack>
        <div>{back}</div>
        {found.error ? <Empty kind="noPermission" /> : <Skeleton height={240} />}
      </Stack>
    )
  const { counts, errors } = batch
  const ongoing = isOngoing(batch)
  const name = tOr(`command:name.${batch.name}`, batch.name)
  return (
    <Stack gap="md">
      <Group justify="space-between">
        {back}
        <Stop batch={batch} />
      </Group>
      <Group gap="sm">
        <Text fw={600} size="lg">
          {t('command-batch:of', { name, count: counts.total })}
        </Text>
        <StatusChip
          tone={ongoing ? 'pending' : counts.done === counts.total ? 'online' : 'warning'}
          label={t('command-batch:ended', { ended: number(endedOf(counts)), total: number(counts.total) })}
        />
      </Group>
      {batch.stopped && standsStill(batch) ? <BatchStopped batch={batch} stopped={batch.stopped} /> : null}
      <BatchBar counts={counts} />
      <BatchStates counts={counts} chosen={state} onChoose={(next) => void setState(next || null)} />
      <Facts
        facts={[
          { label: t('command:column.createdAt'), value: <When at={batch.createdAt} absolute /> },
          { label: t('command:column.createdBy'), value: nameText(batch.createdBy) },
          { label: t('command-batch:matching'), value: number(batch.matching) },
          { label: t('command-batch:expiresAt'), value: <When at={batch.expiresAt} absolute /> },
        ]}
      />
      {errors.length > 0 ? (
        <div>
          <Text size="sm" fw={600}>
            {t('command-batch:errors')}
          </Text>
          <ul className={classes['why']}>
            {errors.map(({ error, count }) => (
              <li key={error}>
                {errorText({ error })}: {number(count)}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <LeftOutList leftOut={batch.leftOut} />
      <ListView
        call={getCommandBatchDevices}
        rowKey="commandId"
        body={{ batchId }}
        columns={columns}
        filters={filters}
        prefix={PREFIX}
        exportName="batch"
        refreshS={5}
        rowLink={(row) => `/device/particulars/0/${row.deviceId}`}
      />
    </Stack>
  )
}
