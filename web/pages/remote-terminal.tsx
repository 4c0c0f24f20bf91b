import { Skeleton, Text } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import type { Word } from '#schema/kit/words.gen'
import type { RecordingPolicy } from '#schema/remote/recording-policy'
import { remoteOperationPermission } from '#schema/remote/remote-access'
import { remoteTerminalScreen } from '#schema/remote/remote-pages'
import { ActionButton } from '../kit/action-button.tsx'
import { Card } from '../kit/card.tsx'
import { lazy } from '../kit/chunk.ts'
import { t } from '../kit/i18n.ts'
import { useRemoteDevice } from '../remote/remote-device.ts'
import { RemotePage } from '../remote/remote-page.tsx'
import { endText, RemoteSteps } from '../remote/remote-steps.tsx'
import { useOwnSession, useRemote } from '../remote/remote-use.ts'

export const words: readonly Word[] = ['remote', 'access', 'snippet', 'device', 'device-state']

const TerminalDesk = lazy(() =>
  import('../remote/terminal-desk.tsx').then((module) => ({ default: module.TerminalDesk })),
)

const FilePane = lazy(() =>
  import('../remote/file-pane.tsx').then((module) => ({ default: module.FilePane })),
)

/** [§2] A shell of the device in the browser. */
export function Page() {
  const about = useRemoteDevice(remoteTerminalScreen)
  const remote = useRemote()
  const { deviceId, blocked } = about
  const { session, isUp } = remote
  const { shells, takeOver } = useOwnSession('terminal', deviceId, remote)
  // The terminals stay with what they have shown when their session ends.
  const [shown, setShown] = useState<{ sessionId: string; recording: RecordingPolicy } | null>(null)
  if (isUp && session && shown?.sessionId !== session.sessionId)
    setShown({ sessionId: session.sessionId, recording: session.recording })
  const open = () => void remote.open({ deviceId, kind: 'terminal' })
  /** The session of the terminals: nothing above them moves while it is opened again, and they say themselves why it ended. */
  const isBack = shown !== null && session?.sessionId === shown.sessionId && remote.refusal === null
  const steps =
    isUp || (isBack && !remote.isOpen) ? null : (
      <Card title={t('remote:connection')}>
        {session || remote.refusal ? (
          <RemoteSteps remote={remote} />
        ) : takeOver ? (
          <>
            <Text size="sm" mb="sm">
              {t('remote:elsewhere')}
            </Text>
            <ActionButton label={t('remote:here')} onPress={takeOver} />
          </>
        ) : (
          (blocked ?? t('remote:intro.terminal'))
        )}
      </Card>
    )
  return (
    <RemotePage
      screen={remoteTerminalScreen}
      about={about}
      remote={remote}
      actions={
        remote.isOpen ? null : (
          <ActionButton
            icon={IconPlugConnected}
            label={t('remote:connect')}
            rank="primary"
            permission={remoteOperationPermission}
            reason={blocked}
            busy={remote.busy}
            onPress={open}
          />
        )
      }
    >
      {isBack ? null : steps}
      {shown === null ? null : (
        <Suspense fallback={<Skeleton h={420} />}>
          <TerminalDesk
            {...shown}
            deviceId={deviceId}
            shells={shells}
            ended={isBack && session ? endText(session) : ''}
            again={open}
          />
          {isUp && session ? <FilePane key={session.sessionId} sessionId={session.sessionId} /> : null}
        </Suspense>
      )}
      {isBack ? steps : null}
    </RemotePage>
  )
}
