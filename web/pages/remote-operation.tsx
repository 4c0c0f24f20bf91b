import { Group, SegmentedControl, Text, TextInput } from '@mantine/core'
import { IconExternalLink, IconPlugConnected, IconTerminal2, IconWorldWww } from '@tabler/icons-react'
import { useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { remoteRecordingPermission } from '#schema/remote/recording-pages'
import { isLanAddress, remoteLanPermission, remoteOperationPermission } from '#schema/remote/remote-access'
import { remoteOperationScreen } from '#schema/remote/remote-pages'
import parts from '../device/device.module.css'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { t } from '../kit/i18n.ts'
import { goTo } from '../kit/navigation.ts'
import { can } from '../kit/session.ts'
import { openWeb } from '../remote/open-web.ts'
import { type PageScheme, PortField, pageSchemes, portFor } from '../remote/port-field.tsx'
import { RecordingsOf } from '../remote/recordings-of.tsx'
import classes from '../remote/remote.module.css'
import { useRemoteDevice } from '../remote/remote-device.ts'
import { RemotePage } from '../remote/remote-page.tsx'
import { terminalPath, webPath } from '../remote/remote-paths.ts'
import { RemoteSessions } from '../remote/remote-sessions.tsx'
import { RemoteSteps } from '../remote/remote-steps.tsx'
import { useRemote } from '../remote/remote-use.ts'

export const words: readonly Word[] = ['remote', 'access', 'recording', 'device', 'device-state']

/** A web page of a machine in the LAN of the device. */
function LanHost({ about }: { about: ReturnType<typeof useRemoteDevice> }) {
  const remote = useRemote()
  const [scheme, setScheme] = useState<PageScheme>('http')
  const [host, setHost] = useState('')
  const [port, setPort] = useState<number | null>(null)
  const { session, isUp } = remote
  const wrong = host !== '' && !isLanAddress(host)
  const reason = about.blocked ?? (isLanAddress(host) ? null : t('remote:hint.host'))
  return (
    <Card title={t('remote:kind.lan')}>
      <Text size="sm">{t('remote:intro.lan')}</Text>
      <SegmentedControl
        mt="sm"
        size="xs"
        aria-label={t('remote:field.scheme')}
        data={[...pageSchemes]}
        value={scheme}
        onChange={(next) => setScheme(pageSchemes.find((known) => known === next) ?? 'http')}
      />
      <Group mt="sm" gap={8} align="flex-start" wrap="nowrap">
        <TextInput
          flex={1}
          miw={0}
          label={t('remote:field.host')}
          placeholder="192.168.1.10"
          value={host}
          maxLength={15}
          error={
            wrong
              ? t('kit:fault.sentence', {
                  field: t('remote:field.host'),
                  reason: t('form:shape.lanAddress'),
                })
              : null
          }
          onChange={({ currentTarget }) => setHost(currentTarget.value.trim())}
        />
        <PortField scheme={scheme} port={port} onChange={setPort} />
      </Group>
      <Group mt="sm" mb="sm" gap={8}>
        {isUp && session ? (
          <ActionButton
            icon={IconExternalLink}
            label={t('remote:openPage')}
            rank="primary"
            onPress={() => void openWeb(session)}
          />
        ) : null}
        {remote.isOpen ? (
          <ActionButton label={t('remote:close')} onPress={() => remote.close()} />
        ) : (
          <ActionButton
            icon={IconPlugConnected}
            label={t('remote:connect')}
            permission={remoteLanPermission}
            reason={reason}
            busy={remote.busy}
            onPress={() =>
              void remote.openLan({ deviceId: about.deviceId, scheme, host, port: portFor(scheme, port) })
            }
          />
        )}
      </Group>
      <RemoteSteps remote={remote} />
    </Card>
  )
}

/** [§2] The targets that can be reached through a device, and the open sessions. */
export function Page() {
  const about = useRemoteDevice(remoteOperationScreen)
  const { deviceId, sn, blocked, unreachable } = about
  return (
    <RemotePage screen={remoteOperationScreen} about={about}>
      {unreachable ? (
        <div className={parts['banner']} data-tone="offline" role="status">
          {unreachable}
        </div>
      ) : null}
      <div className={classes['choices']}>
        <Card title={t('remote:kind.terminal')}>
          <Text size="sm" mb="sm">
            {t('remote:intro.terminal')}
          </Text>
          <ActionButton
            icon={IconTerminal2}
            label={t('remote:to.terminal')}
            permission={remoteOperationPermission}
            reason={blocked}
            onPress={() => goTo(terminalPath(deviceId, sn))}
          />
        </Card>
        <Card title={t('remote:kind.web')}>
          <Text size="sm" mb="sm">
            {t('remote:intro.web')}
          </Text>
          <ActionButton
            icon={IconWorldWww}
            label={t('remote:to.web')}
            permission={remoteOperationPermission}
            reason={blocked}
            onPress={() => goTo(webPath(deviceId, sn))}
          />
        </Card>
        <LanHost about={about} />
      </div>
      <RemoteSessions deviceId={deviceId} />
      {can(remoteRecordingPermission) ? <RecordingsOf deviceId={deviceId} /> : null}
    </RemotePage>
  )
}
