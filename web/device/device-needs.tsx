import { Text } from '@mantine/core'
import {
  IconAdjustmentsExclamation,
  IconAlertTriangle,
  IconArrowsShuffle,
  IconClockExclamation,
  IconKeyOff,
  IconRefreshAlert,
} from '@tabler/icons-react'
import { type DeviceNeed, getDeviceNeeds } from '#schema/device/device-need'
import { deviceListScreen } from '#schema/device/device-pages'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { SummaryCard, SummaryRow } from '../kit/page/summary.tsx'
import { useCall } from '../kit/query.ts'

const REFRESH_S = 60

const icons = {
  revoked: IconKeyOff,
  flapping: IconArrowsShuffle,
  failedTwice: IconRefreshAlert,
  configuration: IconAdjustmentsExclamation,
  clockWrong: IconClockExclamation,
  warned: IconAlertTriangle,
} satisfies Record<DeviceNeed, unknown>

/** Devices that need a person, for the home page: each reason leads to the list of its devices. */
export function DeviceNeeds() {
  const query = useCall(getDeviceNeeds, {}, { refreshS: REFRESH_S })
  const needs = query.data?.list.filter(({ count }) => count > 0) ?? []
  return (
    <SummaryCard title={t('dashboard:needs.title')} queries={[query]}>
      {needs.length === 0 ? <Text c="dimmed">{t('dashboard:needs.none')}</Text> : null}
      {needs.map(({ need, count, first }) => {
        const Shape = icons[need]
        return (
          <SummaryRow
            key={need}
            to={`${deviceListScreen.path}?need=${need}`}
            mark={<Shape size={18} stroke={1.5} color="var(--warning)" aria-hidden />}
            label={t(`device:need.${need}`)}
            note={first.map(({ deviceName }) => deviceName).join(t('kit:comma'))}
            value={number(count)}
          />
        )
      })}
    </SummaryCard>
  )
}
