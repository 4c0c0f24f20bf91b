import { Anchor, Stack, Text } from '@mantine/core'
import { getDevicePortal } from '#schema/portal/portal-device'
import { Card } from '../kit/card.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import { When } from '../kit/time.tsx'
import { DeliveryChip } from './advertisement-chips.tsx'
import classes from './portal.module.css'

const REFRESH_S = 30

/** What the device's captive portal shows today, by its own report. */
export function DevicePortal({ deviceId }: { deviceId: number }) {
  const read = useCall(getDevicePortal, { deviceId }, { refreshS: REFRESH_S })
  const { data } = read
  // Devices without any advertisement now or earlier.
  if (data && data.state === 'none' && data.today.length === 0) return null
  return (
    <Card
      title={t('advertisement:device.title')}
      side={data ? <DeliveryChip state={data.state} label={t('advertisement:device.inStep')} /> : null}
    >
      <ReadBar read={read} />
      {data ? (
        <Stack gap="sm">
          {data.error ? (
            <Text size="sm" c="dimmed">
              {t('advertisement:device.error')}: {data.error}
            </Text>
          ) : null}
          {data.state === 'unsupported' ? null : (
            <Text size="sm" c="dimmed">
              {data.reportedAt === null ? (
                t('advertisement:device.notReported')
              ) : (
                <>
                  {t(data.today.length > 0 ? 'advertisement:device.today' : 'advertisement:device.nothing')} ·{' '}
                  {t('advertisement:device.reportedAt')} <When at={data.reportedAt} />
                </>
              )}
            </Text>
          )}
          {data.today.map(({ id, name, imageUrl, caption, link, shown, clicked }) => (
            <div key={id} className={classes['shownOne']}>
              <img className={classes['thumb']} src={imageUrl} alt="" />
              <div>
                <Text fw={600}>{name}</Text>
                <Text size="sm">{caption}</Text>
                <Anchor size="sm" href={link} target="_blank" rel="noopener noreferrer">
                  {link}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {t('advertisement:device.counts', { shown: number(shown), clicked: number(clicked) })}
                </Text>
              </div>
            </div>
          ))}
        </Stack>
      ) : null}
    </Card>
  )
}
