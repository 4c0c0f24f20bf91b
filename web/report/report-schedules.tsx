/** Scheduled reports: recipients and times of this report's mails. */

import { Text } from '@mantine/core'
import { IconCalendarTime, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { ReportKind } from '#schema/report/report'
import { reportSchedulePermission } from '#schema/report/report'
import { deleteReportSchedule, getReportScheduleList, sendReportNow } from '#schema/report/report-schedule'
import { ActionButton, ActionIconButton } from '../kit/action-button.tsx'
import { Empty } from '../kit/empty.tsx'
import { moment, weekdayName } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import { Entry, EntryDrawer, useEntries } from '../kit/list/entry-drawer.tsx'
import { useAction } from '../kit/query.ts'
import { StatusChip } from '../kit/status-chip.tsx'
import { SpentBudgets } from '../platform/spent-budgets.tsx'
import { unconfirmed } from './report-recipients.tsx'
import { type Schedule, ScheduleForm } from './report-schedule-form.tsx'
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

function ScheduleEntry({ item, onEdit }: { item: Schedule; onEdit: () => void }) {
  const send = useAction(sendReportNow, {
    refreshes: [getReportScheduleList],
    success: t('report-schedule:requested'),
  })
  const waiting = unconfirmed(item.recipientStates)
  return (
    <Entry
      title={item.name}
      chips={
        <>
          <StateChip item={item} />
          {item.heldUntil && item.enabled ? (
            <StatusChip
              tone="pending"
              label={t('report-schedule:heldChip')}
              hint={t('report-schedule:heldHint', { at: moment(item.heldUntil) })}
            />
          ) : null}
        </>
      }
      above={<Text size="sm">{whenText(item)}</Text>}
      facts={[
        t(`report:range.${item.range}`),
        item.groupName,
        item.model,
        item.deviceSn,
        item.recipients.join(t('kit:comma')),
      ]}
      below={
        <>
          {waiting.length > 0 ? (
            <Text size="xs" c="var(--warning)" style={{ overflowWrap: 'anywhere' }}>
              {t('report-schedule:recipient.waitingFor', {
                emails: waiting.map(({ email }) => email).join(t('kit:comma')),
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
        </>
      }
    >
      <ActionIconButton
        icon={IconSend}
        label={t('report-schedule:sendNow')}
        reason={
          item.stopped
            ? t('report-schedule:stoppedReason')
            : waiting.length === item.recipientStates.length
              ? t('report-schedule:noneConfirmed')
              : null
        }
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
    </Entry>
  )
}

type Props = { report: ReportKind; state: ReportState }

/** The button on a report's page, and its drawers. */
export function ScheduleButton({ report, state }: Props) {
  const [opened, setOpened] = useState(false)
  const [editing, setEditing] = useState<{ row: Schedule | null; shown: boolean; turn: number } | null>(null)
  const list = useEntries(getReportScheduleList, { report }, opened)
  const edit = (row: Schedule | null) => setEditing({ row, shown: true, turn: (editing?.turn ?? 0) + 1 })
  return (
    <>
      <ActionButton
        icon={IconCalendarTime}
        label={t('report-schedule:title')}
        permission={reportSchedulePermission}
        onPress={() => setOpened(true)}
      />
      <EntryDrawer
        opened={opened}
        onClose={() => setOpened(false)}
        title={t('report-schedule:title')}
        text={t('report-schedule:text')}
        entries={list}
        create={{ label: t('report-schedule:add'), onPress: () => edit(null) }}
        empty={<Empty title={t('report-schedule:none')} text={t('report-schedule:noneText')} />}
        entry={(item) => <ScheduleEntry key={item.id} item={item} onEdit={() => edit(item)} />}
      >
        <SpentBudgets texts={{ report: (said) => t('report-schedule:spent', said) }} enabled={opened} />
      </EntryDrawer>
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
