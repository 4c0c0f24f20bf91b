import { Button } from '@mantine/core'
import { IconRestore } from '@tabler/icons-react'
import { deviceRestorePermission, restoreDevices } from '#schema/device/unusual'
import classes from '../device/device.module.css'
import type { Device } from '../device/device-actions.tsx'
import { detailLink } from '../device/device-options.ts'
import { deviceReads } from '../device/device-reads.ts'
import { t } from '../kit/i18n.ts'
import { PageLink } from '../kit/page-link.tsx'
import { useAction } from '../kit/query.ts'
import { can } from '../kit/session.ts'
import { When } from '../kit/time.tsx'

/** Deletion with its reason, and hardware swaps in both directions. */
export function DeviceLife({ device }: { device: Device }) {
  const { deviceId, groupId, replaces, replacedBy, deletedAt, deletedReason } = device
  const restore = useAction(restoreDevices, {
    refreshes: deviceReads,
    success: t('unusual:restore.done', { count: 1 }),
  })
  const link = (to: { deviceId: number; deviceSn: string }) => (
    <PageLink to={detailLink({ groupId, deviceId: to.deviceId })}>{to.deviceSn}</PageLink>
  )
  return (
    <>
      {deletedAt ? (
        <div className={classes['banner']} data-tone="critical" role="status">
          <strong>{t('unusual:life.deleted')}</strong>
          <When at={deletedAt} />
          {deletedReason ? <span>{t('unusual:life.because', { reason: deletedReason })}</span> : null}
          {can(deviceRestorePermission) ? (
            <Button
              size="compact-sm"
              variant="default"
              loading={restore.busy}
              leftSection={<IconRestore size={16} stroke={1.5} />}
              onClick={() => restore.start({ dids: [deviceId] })}
            >
              {t('unusual:restore.verb')}
            </Button>
          ) : null}
        </div>
      ) : null}
      {replaces || replacedBy ? (
        <div className={classes['banner']} role="note">
          {replaces ? (
            <span>
              {t('unusual:life.replaces')} {link(replaces)}
            </span>
          ) : null}
          {replacedBy ? (
            <span>
              {t('unusual:life.replacedBy')} {link(replacedBy)}
            </span>
          ) : null}
        </div>
      ) : null}
    </>
  )
}
