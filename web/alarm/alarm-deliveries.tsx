import { Code, Stack, Text } from '@mantine/core'
import { IconEye, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import {
  alarmChannelsPermission,
  getDeliveryList,
  noticeKinds,
  redeliver,
  shownDeliveryStates,
} from '#schema/alarm/alarm-channel'
import { request } from '../kit/api.ts'
import { Drawer } from '../kit/dialog.tsx'
import { Empty } from '../kit/empty.tsx'
import { Facts } from '../kit/facts.tsx'
import { number } from '../kit/format.ts'
import { t, tOr } from '../kit/i18n.ts'
import type { Column, Filter, Row } from '../kit/list/list-types.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { queryClient, reportError } from '../kit/query.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { toast } from '../kit/toast.tsx'
import { SpentBudgets } from '../platform/spent-budgets.tsx'

type Delivery = Row<typeof getDeliveryList>
const tones: Record<Delivery['state'], Tone> = {
  draft: 'pending',
  sending: 'pending',
  sent: 'online',
  failed: 'critical',
  kept: 'offline',
}
const wayText = ({ way }: Delivery) => (way ? t(`alarm:way.${way}`) : t('alarm:delivery.wayGone'))
const answerText = (row: Delivery) =>
  (row.way === 'email' ? row.error : row.error && tOr(`alarm:delivery.error.${row.error}`, row.error)) ??
  (row.responseStatus === null ? '' : `HTTP ${row.responseStatus}`)

const columns: readonly Column<Delivery>[] = [
  {
    key: 'createdAt',
    title: 'alarm:delivery.at',
    width: 165,
    card: 'title',
    render: (row) => <When at={row.createdAt} absolute />,
  },
  {
    key: 'state',
    title: 'alarm:delivery.state',
    width: 122,
    card: 'beside',
    render: (row) => <StatusChip tone={tones[row.state]} label={t(`alarm:delivery.is.${row.state}`)} />,
    text: (row) => t(`alarm:delivery.is.${row.state}`),
  },
  { key: 'way', title: 'alarm:delivery.way', width: 105, render: wayText, text: wayText },
  { key: 'recipient', title: 'alarm:delivery.to', width: 160 },
  { key: 'subject', title: 'alarm:delivery.subject', width: 200 },
  { key: 'answer', title: 'alarm:delivery.answer', width: 170, render: answerText, text: answerText },
  { key: 'attempts', title: 'alarm:delivery.attempts', width: 95, numeric: true },
]
const filters: readonly Filter[] = [
  {
    key: 'state',
    label: 'alarm:delivery.state',
    width: 130,
    useOptions: () => shownDeliveryStates.map((value) => ({ value, label: t(`alarm:delivery.is.${value}`) })),
  },
  {
    key: 'noticeKind',
    label: 'alarm:delivery.notice',
    width: 130,
    useOptions: () => noticeKinds.map((value) => ({ value, label: t(`alarm:notice.${value}`) })),
  },
]

async function again(row: Delivery) {
  try {
    await request(redeliver, { deliveryId: row.id })
    void queryClient.invalidateQueries({ queryKey: [getDeliveryList.name] })
    void toast('success', t('alarm:delivery.queued'))
  } catch (error) {
    reportError(error)
  }
}

function Detail({ row }: { row: Delivery }) {
  return (
    <Stack gap="sm">
      <Facts
        facts={[
          { label: t('alarm:delivery.notice'), value: t(`alarm:notice.${row.noticeKind}`) },
          { label: t('alarm:delivery.way'), value: wayText(row) },
          { label: t('alarm:delivery.to'), value: row.recipient },
          { label: t('alarm:delivery.sentAt'), value: <When at={row.sentAt} absolute /> },
          { label: t('alarm:delivery.took'), value: row.tookMs === null ? '–' : `${number(row.tookMs)} ms` },
          { label: 'webhook-id', value: row.noticeId },
        ]}
      />
      <Text size="sm" fw={600}>
        {row.subject}
      </Text>
      <Code block style={{ whiteSpace: 'pre-wrap' }}>
        {row.text}
      </Code>
      <Text size="sm" fw={600}>
        {t('alarm:delivery.answer')}
      </Text>
      <Code block style={{ whiteSpace: 'pre-wrap' }}>
        {[answerText(row), row.responseText].filter(Boolean).join('\n') || '–'}
      </Code>
    </Stack>
  )
}

/** The notices sent, with the responses; a delivery can be sent again. */
export function AlarmDeliveries({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [seen, setSeen] = useState<Delivery | null>(null)
  return (
    <>
      <Drawer opened={opened} onClose={onClose} title={t('alarm:delivery.title')} size={1180}>
        {opened ? (
          <>
            <SpentBudgets
              texts={{
                alarm: (said) => t('alarm:spent.alarm', said),
                notice: (said) => t('alarm:spent.notice', said),
              }}
              enabled={opened}
            />
            <ListView
              call={getDeliveryList}
              rowKey="id"
              columns={columns}
              filters={filters}
              prefix="log"
              searchPlaceholder="alarm:delivery.search"
              exportName="notices"
              empty={() => (
                <Empty title={t('alarm:delivery.none.title')} text={t('alarm:delivery.none.text')} />
              )}
              refreshS={10}
              rowActions={(row) => [
                { key: 'see', label: t('alarm:delivery.see'), icon: IconEye, run: () => setSeen(row) },
                {
                  key: 'again',
                  label: t('alarm:delivery.again'),
                  icon: IconRefresh,
                  permission: alarmChannelsPermission,
                  reason:
                    row.way === null
                      ? t('alarm:delivery.wayGone')
                      : row.state === 'draft' || row.state === 'sending'
                        ? t('alarm:delivery.pending')
                        : null,
                  run: () => void again(row),
                },
              ]}
            />
          </>
        ) : null}
      </Drawer>
      <Drawer opened={seen !== null} onClose={() => setSeen(null)} title={t('alarm:delivery.see')} size={480}>
        {seen ? <Detail row={seen} /> : null}
      </Drawer>
    </>
  )
}
