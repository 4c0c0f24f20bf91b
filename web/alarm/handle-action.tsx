/** The dialog that handles alarms, for lists: their row actions are no components, and cannot hold it. */
import { IconClipboardCheck } from '@tabler/icons-react'
import { useState, useSyncExternalStore } from 'react'
import { alarmHandlePermission } from '#schema/alarm/alarm'
import { t } from '../kit/i18n.ts'
import { doerText } from '../kit/known-name.ts'
import type { BulkAction, RowAction } from '../kit/list/list-types.ts'
import type { AlarmRow } from './alarm-chips.tsx'
import { HandleDialog } from './alarm-handle.tsx'

type Asked = { rows: readonly AlarmRow[]; after?: () => void }
let asked: Asked = { rows: [] }
const watchers = new Set<() => void>()
function handle(next: Asked) {
  asked = next
  for (const watcher of watchers) watcher()
}
const watch = (watcher: () => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
/** The dialog is in the header, where hooks may be used. */
export function HandleAction() {
  const { rows, after } = useSyncExternalStore(watch, () => asked)
  useState(() => handle({ rows: [] }))
  return <HandleDialog rows={rows} onClose={() => handle({ rows: [] })} {...(after && { onDone: after })} />
}

export const handleSelected: BulkAction<AlarmRow> = {
  key: 'handle',
  label: 'alarm:handle.verb',
  icon: IconClipboardCheck,
  permission: alarmHandlePermission,
  excluded: (row) => (row.handledAt ? 'alarm:handle.done' : null),
  run: (rows, selection) => {
    handle({ rows, after: () => selection.clear() })
  },
}

export const handleRow = (row: AlarmRow): RowAction => ({
  key: 'handle',
  label: t('alarm:handle.verb'),
  icon: IconClipboardCheck,
  permission: alarmHandlePermission,
  reason: row.handledAt ? t('alarm:handle.already', { name: doerText(row.handledBy) }) : null,
  run: () => handle({ rows: [row] }),
})
