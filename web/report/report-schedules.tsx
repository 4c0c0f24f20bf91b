/** Scheduled reports: who gets this one by mail, and when. */

import { Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconCalendarTime, IconPencil, IconPlus, IconSend, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReportKind } from '#schema/report/report'
import { reportSchedulePermission } from '#schema/report/report'
import { deleteReportSchedule, getReportScheduleList, sendReportNow } from '#schema/report/report-schedule'
import classes from '../device/device.module.css'
import { ActionButton, ActionIconButton } from '../kit/action-button.tsx'
import { Empty } from '../kit/empty.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { moment } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { useAction, useCall } from '../kit/query.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { SpentBudgets } from '../platform/spent-budgets.tsx'
import { schedulesOf, unconfirmed } from './report-recipients.tsx'
import { type Schedule, ScheduleForm, weekdayName } from './report-schedule-form.tsx'
import type { ReportState } from './report-state.ts'

function StateChip({ item }: { item: Schedule }) {
  if (item.stopped)
    return (
      <StatusChip
        tone="warning"
        label={t('report-schedule:stoppedChip')}
        hint={t(`report-schedule:stopped.${item.stopped}`)}
      />
    )
  return item.enabled ? (
    <StatusChip tone="online" label={t('report-schedule:enabled')} />
  ) : (
    <StatusChip tone="offline" label={t('report-schedule:disabled')} />
  )
}

function whenText({ every, weekday, monthDay, at, zone }: Schedule): string {
  const day = every === 'week' ? weekdayName(weekday) : every === 'month' ? String(monthDay) : ''
  return t(`report-schedule:when.${every}`, { day, at, zone })
}

function Entry({ item, onEdit }: { item: Schedule; onEdit: () => void }) {
  const send = useAction(sendReportNow, {
    refreshes: [getReportScheduleList],
    success: t('report-schedule:requested'),
  })
  const waiting = unconfirmed(item.recipientStates)
  const of = [
    t(`report:range.${item.range}`),
    item.groupName,
    item.model,
    item.deviceSn,
    item.recipients.join(', '),
  ]
  return (
    <div className={classes['entry']} style={{ alignItems: 'flex-start' }}>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Group gap={8}>
          <Text fw={600}>{item.name}</Text>
          <StateChip item={item} />
          {item.heldUntil && item.enabled ? (
            <StatusChip
              tone="pending"
              label={t('report-schedule:heldChip')}
              hint={t('report-schedule:heldHint', { at: moment(item.heldUntil) })}
            />
          ) : null}
        </Group>
        <Text size="sm">{whenText(item)}</Text>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {of.filter(Boolean).join(' · ')}
        </Text>
        {waiting.length > 0 ? (
          <Text size="xs" c="var(--warning-text, var(--warning))" style={{ overflowWrap: 'anywhere' }}>
            {t('report-schedule:recipient.waitingFor', {
              emails: waiting.map(({ email }) => email).join(', '),
            })}
          </Text>
        ) : null}
        {item.stopped ? (
          <Text size="xs">{t(`report-schedule:stopped.${item.stopped}`)}</Text>
        ) : (
          <Text size="xs" c="dimmed">
            {[
              item.enabled ? t('report-schedule:next', { at: moment(item.nextRunAt) }) : '',
              item.lastRunAt ? t('report-schedule:last', { at: moment(item.lastRunAt) }) : '',
              nameText(item.owner),
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        )}
      </div>
      <ActionIconButton
        icon={IconSend}
        label={t('report-schedule:sendNow')}
        reason={item.stopped ? t('report-schedule:stoppedReason') : null}
        busy={send.busy}
        onPress={() => send.start({ id: item.id })}
      />
      <ActionIconButton icon={IconPencil} label={t('kit:edit')} onPress={onEdit} />
      <ActionIconButton
        icon={IconTrash}
        label={t('kit:delete')}
        danger
        onPress={() =>
          void deleteRow({
            call: deleteReportSchedule,
            body: { id: item.id },
            title: t('report-schedule:remove.title', { name: item.name }),
            text: t('report-schedule:remove.text'),
            done: t('report-schedule:remove.done', { name: item.name }),
            refreshes: [getReportScheduleList],
          })
        }
      />
    </div>
  )
}

type Props = { report: ReportKind; state: ReportState }

/** The button on a report's page, and the drawers behind it. */
export function ScheduleButton({ report, state }: Props) {
  const [opened, setOpened] = useState(false)
  const [editing, setEditing] = useState<{ row: Schedule | null; shown: boolean; turn: number } | null>(null)
  const list = useCall(getReportScheduleList, schedulesOf(report), { enabled: opened })
  const edit = (row: Schedule | null) => setEditing({ row, shown: true, turn: (editing?.turn ?? 0) + 1 })
  return (
    <>
      <ActionButton
        variant="default"
        icon={IconCalendarTime}
        label={t('report-schedule:title')}
        permission={reportSchedulePermission}
        onPress={() => setOpened(true)}
      />
      <Drawer opened={opened} onClose={() => setOpened(false)} title={t('report-schedule:title')} size={560}>
        <Stack gap="sm">
          <Text c="dimmed">{t('report-schedule:text')}</Text>
          <SpentBudgets texts={{ report: (said) => t('report-schedule:spent', said) }} enabled={opened} />
          <Group justify="flex-end">
            <Button leftSection={<IconPlus size={16} stroke={1.5} />} onClick={() => edit(null)}>
              {t('report-schedule:add')}
            </Button>
          </Group>
          {list.error ? <ErrorBar error={list.error} onRetry={() => void list.refetch()} /> : null}
          {list.isPending ? <Skeleton h={120} /> : null}
          {list.data?.total === 0 ? (
            <Empty title={t('report-schedule:none')} text={t('report-schedule:noneText')} />
          ) : null}
          {(list.data?.list ?? []).map((item) => (
            <Entry key={item.id} item={item} onEdit={() => edit(item)} />
          ))}
        </Stack>
      </Drawer>
      {editing ? (
        <ScheduleForm
          key={editing.turn}
          opened={editing.shown}
          onClose={() => setEditing({ ...editing, shown: false })}
          report={report}
          state={state}
          row={editing.row}
        />
      ) : null}
    </>
  )
}
