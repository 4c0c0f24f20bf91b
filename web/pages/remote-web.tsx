import { Group, SegmentedControl, Text } from '@mantine/core'
import { IconExternalLink, IconPlugConnected } from '@tabler/icons-react'
import { useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import { remoteOperationPermission } from '#schema/remote/remote-access'
import { remoteWebScreen } from '#schema/remote/remote-pages'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { t } from '../kit/i18n.ts'
import { openWeb } from '../remote/open-web.ts'
import { type PageScheme, PortField, pageSchemes, portFor } from '../remote/port-field.tsx'
import { useRemoteDevice } from '../remote/remote-device.ts'
import { RemotePage } from '../remote/remote-page.tsx'
import { RemoteSteps } from '../remote/remote-steps.tsx'
import { useOwnSession, useRemote } from '../remote/remote-use.ts'

export const words: readonly Word[] = ['remote', 'access', 'device', 'device-state']

/** [§2] The web page of the device, in a window of its own. */
export function Page() {
  const about = useRemoteDevice(remoteWebScreen)
  const remote = useRemote()
  const [scheme, setScheme] = useState<PageScheme>('http')
  const [port, setPort] = useState<number | null>(null)
  const { deviceId, blocked } = about
  const { session, isUp } = remote
  useOwnSession('web', deviceId, remote)
  return (
    <RemotePage screen={remoteWebScreen} about={about} remote={remote}>
      <Card title={t('remote:connection')}>
        {session || remote.refusal ? (
          <RemoteSteps remote={remote} />
        ) : (
          <Text size="sm">{blocked ?? t('remote:intro.web')}</Text>
        )}
        <Group mt="md" gap={8} align="flex-end">
          {isUp && session ? (
            <ActionButton
              icon={IconExternalLink}
              label={t('remote:openPage')}
              rank="primary"
              onPress={() => void openWeb(session)}
            />
          ) : (
            <>
              <SegmentedControl
                size="xs"
                aria-label={t('remote:field.scheme')}
                data={[...pageSchemes]}
                value={scheme}
                onChange={(next) => setScheme(pageSchemes.find((known) => known === next) ?? 'http')}
              />
              <PortField scheme={scheme} port={port} onChange={setPort} />
              <ActionButton
                icon={IconPlugConnected}
                label={t('remote:connect')}
                rank="primary"
                permission={remoteOperationPermission}
                reason={blocked}
                busy={remote.busy || remote.isOpen}
                onPress={() =>
                  void remote.open({ deviceId, kind: 'web', scheme, port: portFor(scheme, port) })
                }
              />
            </>
          )}
        </Group>
      </Card>
    </RemotePage>
  )
}
