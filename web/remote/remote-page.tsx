import type { ReactNode } from 'react'
import type { Screen } from '#schema/kit/screen'
import classes from '../device/device.module.css'
import { deviceChip } from '../device/device-status.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { Mono } from '../kit/mono.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { AccessCard } from './access-card.tsx'
import { RemoteBar } from './remote-bar.tsx'
import type { useRemoteDevice } from './remote-device.ts'
import type { Remote } from './remote-use.ts'

type Props = {
  screen: Screen
  about: ReturnType<typeof useRemoteDevice>
  remote?: Remote
  actions?: ReactNode
  children: ReactNode
}

/** Title, device and time left; the same on all pages of remote operation. */
export function RemotePage({ screen, about, remote, actions, children }: Props) {
  const { device, deviceId, sn, read, access } = about
  return (
    <div className={classes['stack']}>
      <PageHeader
        title={screenTitle(screen)}
        beside={
          <>
            {device ? deviceChip(device) : null}
            <Mono value={device?.deviceSn ?? sn} />
          </>
        }
        line={device ? [device.deviceName, device.model, device.firmware].filter(Boolean).join(' · ') : null}
        actions={
          <>
            {remote ? <RemoteBar remote={remote} /> : null}
            {actions}
          </>
        }
      />
      <ReadBar read={read} />
      <AccessCard deviceId={deviceId} access={access} />
      {children}
    </div>
  )
}
