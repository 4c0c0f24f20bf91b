import { Text } from '@mantine/core'
import { getRemoteList } from '#schema/remote/remote-session'
import { t } from '../kit/i18n.ts'
import { ListView } from '../kit/list/list-view.tsx'
import { sessionActions, sessionColumns } from './session-columns.tsx'

const ofDevice = sessionColumns
  .filter(({ key }) => key !== 'deviceSn' && key !== 'deviceName')
  .map((column) => (column.key === 'kind' ? { ...column, card: 'title' as const } : column))

/** Sessions of one device, the newest first. */
export function RemoteSessions({ deviceId }: { deviceId: number }) {
  return (
    <ListView
      title={t('remote:sessions')}
      call={getRemoteList}
      rowKey="sessionId"
      body={{ deviceId }}
      columns={ofDevice}
      refreshS={5}
      prefix="remote"
      exportName="remote-sessions"
      rowActions={sessionActions}
      empty={() => (
        <Text p="md" c="dimmed">
          {t('remote:none')}
        </Text>
      )}
    />
  )
}
