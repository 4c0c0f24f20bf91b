import { Button, Group } from '@mantine/core'
import { IconCurrentLocation, IconReport } from '@tabler/icons-react'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import { Link } from 'react-router'
import { getMapDevice } from '#schema/device/device-map'
import { AlarmMark, alarmsOf } from '../alarm/alarm-mark.tsx'
import { detailLink } from '../device/device-options.ts'
import { DeviceState } from '../device/device-state.tsx'
import { number, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { Mono } from '../kit/mono.tsx'
import { PageLink } from '../kit/page-link.tsx'
import { useCall } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import classes from './device-map.module.css'
import type { Located } from './device-map-list.tsx'
import type { Peeked } from './map-popup.ts'

type Props = { peeked: Peeked; onLocate: (located: Located) => void; onResized: () => void }

/** What the popup says about a device, rendered into the map. */
export function DeviceMapCard({ peeked: { deviceId, element }, onLocate, onResized }: Props) {
  const { data, error } = useCall(getMapDevice, { deviceId }, { staleMs: 10_000 })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the popup hangs above its device at its full height
  useEffect(onResized, [data, error])
  const content = () => {
    if (error) return <p className={classes['note']}>{t('device-map:map.cardFailed')}</p>
    if (data === undefined) return <p className={classes['note']}>…</p>
    if (data === null) return <p className={classes['note']}>{t('device-map:map.cardGone')}</p>
    const { longitude, latitude } = data
    const page = detailLink(data)
    return (
      <>
        <PageLink to={page} className={classes['cardName']}>
          {data.deviceName}
        </PageLink>
        <Mono value={data.deviceSn} />
        {data.address ? <span className={classes['sub']}>{data.address}</span> : null}
        <Group gap={6} my={6}>
          <DeviceState device={data} />
          <AlarmMark severity={data.alarmSeverity} count={data.alarmCount} to={alarmsOf(data)} />
        </Group>
        <dl className={classes['cardFacts']}>
          <dt>{t('device-map:map.signal')}</dt>
          <dd className="tabular">{data.signalDbm === null ? UNKNOWN : `${number(data.signalDbm)} dBm`}</dd>
          <dt>{t('device-map:map.lastSeen')}</dt>
          <dd>{data.lastSeenAt === null ? UNKNOWN : <When at={data.lastSeenAt} />}</dd>
        </dl>
        <Group gap={8} mt={8}>
          {page ? (
            <Button
              component={Link}
              to={page}
              variant="default"
              size="compact-sm"
              leftSection={<IconReport size={16} stroke={1.5} />}
            >
              {t('device-map:map.open')}
            </Button>
          ) : null}
          {longitude === null || latitude === null ? null : (
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<IconCurrentLocation size={16} stroke={1.5} />}
              onClick={() => onLocate({ deviceId, longitude, latitude })}
            >
              {t('device-map:map.zoomTo')}
            </Button>
          )}
        </Group>
      </>
    )
  }
  return createPortal(<div className={classes['card']}>{content()}</div>, element)
}
