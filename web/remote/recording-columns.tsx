import { IconCircleCheck, IconDownload, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import type { ReplyOf } from '#schema/kit/call'
import { deleteRecording, downloadRecording, getRecordingList } from '#schema/remote/recording'
import { remoteRecordingDeletePermission } from '#schema/remote/recording-pages'
import { bytes, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { deleteRow } from '../kit/list/delete-row.ts'
import type { Column, RowAction } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { goTo } from '../kit/navigation.ts'
import { reportError } from '../kit/query.ts'
import { StatusChip, type Tone } from '../kit/status-chip.tsx'
import { When } from '../kit/time.tsx'
import { download } from '../kit/transfer.ts'
import { playTime } from './cast.ts'

type Row = ReplyOf<typeof getRecordingList>['list'][number]

const tones: Record<Row['state'], Tone> = {
  recording: 'online',
  ended: 'offline',
  full: 'warning',
  failed: 'critical',
}

export const replayPath = (recordingId: string) => `/device/recordings/${recordingId}`

export const recordingColumns: readonly Column<Row>[] = [
  {
    key: 'startedAt',
    title: 'recording:field.startedAt',
    width: 165,
    card: 'title',
    render: (row) => <When at={row.startedAt} absolute />,
  },
  {
    key: 'deviceSn',
    title: 'recording:field.device',
    width: 130,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  { key: 'deviceName', title: 'device:column.deviceName', width: 170, prose: true },
  { key: 'createdBy', title: 'recording:field.createdBy', width: 110 },
  { key: 'account', title: 'recording:field.account', width: 100 },
  {
    key: 'durationMs',
    title: 'recording:field.duration',
    width: 90,
    numeric: true,
    render: (row) => playTime(row.durationMs / 1000),
    text: (row) => playTime(row.durationMs / 1000),
  },
  {
    key: 'sizeBytes',
    title: 'recording:field.size',
    width: 100,
    numeric: true,
    render: (row) => bytes(row.sizeBytes),
  },
  {
    key: 'state',
    title: 'recording:field.state',
    width: 130,
    card: 'beside',
    render: (row) => (
      <StatusChip
        tone={tones[row.state]}
        // A complete recording is neutral, but not something offline.
        {...(row.state === 'ended' ? { Shape: IconCircleCheck } : {})}
        label={t(`recording:state.${row.state}`)}
        hint={t(`recording:stateHint.${row.state}`)}
      />
    ),
    text: (row) => t(`recording:state.${row.state}`),
  },
]

export const saveRecording = (row: Pick<Row, 'recordingId' | 'deviceSn' | 'startedAt'>) =>
  download(
    downloadRecording,
    { recordingId: row.recordingId },
    `${row.deviceSn}-${row.startedAt.slice(0, 19).replaceAll(':', '')}.cast`,
  ).catch(reportError)

export const recordingActions = (row: Row): RowAction[] => [
  {
    key: 'replay',
    label: t('recording:replay'),
    icon: IconPlayerPlay,
    run: () => goTo(replayPath(row.recordingId)),
  },
  {
    key: 'download',
    label: t('recording:download'),
    icon: IconDownload,
    run: () => void saveRecording(row),
  },
  {
    key: 'delete',
    label: t('kit:delete'),
    icon: IconTrash,
    danger: true,
    permission: remoteRecordingDeletePermission,
    reason: row.state === 'recording' ? t('recording:open') : null,
    run: () =>
      void deleteRow({
        call: deleteRecording,
        body: { recordingId: row.recordingId },
        title: t('recording:remove.title'),
        text: t('recording:remove.text', { device: row.deviceSn, who: nameText(row.createdBy) ?? UNKNOWN }),
        done: t('recording:remove.done'),
        refreshes: [getRecordingList],
      }),
  },
]
