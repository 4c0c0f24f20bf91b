import { Text } from '@mantine/core'
import { getRecordingList } from '#schema/remote/recording'
import { remoteRecordingScreen } from '#schema/remote/recording-pages'
import { t } from '../kit/i18n.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { recordingActions, recordingColumns, replayPath } from './recording-columns.tsx'

const ofDevice = recordingColumns.filter(({ key }) => key !== 'deviceSn' && key !== 'deviceName')

/** Recordings of one device, the newest first. */
export function RecordingsOf({ deviceId }: { deviceId: number }) {
  return (
    <ListView
      title={screenTitle(remoteRecordingScreen)}
      call={getRecordingList}
      rowKey="recordingId"
      rowLink={(row) => replayPath(row.recordingId)}
      body={{ deviceId }}
      columns={ofDevice}
      searchable={false}
      refreshS={10}
      prefix="recording"
      exportName="recordings"
      rowActions={recordingActions}
      empty={() => (
        <Text p="md" c="dimmed">
          {t('recording:none')}
        </Text>
      )}
    />
  )
}
