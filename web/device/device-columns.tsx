/** The columns of the device list: those that an operator needs first, in that order, and optional ones. */
import { IconCopyOff } from '@tabler/icons-react'
import { presenceStrip } from '../history/presence-strip.tsx'
import { bytes, duration, number, UNKNOWN } from '../kit/format.ts'
import { Hint } from '../kit/hint.tsx'
import { t } from '../kit/i18n.ts'
import classes from '../kit/kit.module.css'
import type { Column } from '../kit/list/list-types.ts'
import { Mono } from '../kit/mono.tsx'
import { StatusChip } from '../kit/status-chip.tsx'
import { useNow, When } from '../kit/time.tsx'
import type { DeviceRow } from './device-options.ts'
import { stateAndAlarm } from './device-status.tsx'
import { simTones } from './sim-state.ts'

const STEP_MS = 10_000

const Lasting = ({ since }: { since: string }) => duration((useNow(STEP_MS) - Date.parse(since)) / 1000)

export const deviceColumns: readonly Column<DeviceRow>[] = [
  {
    key: 'state',
    title: 'device:column.state',
    width: 158,
    pinned: 'left',
    card: 'beside',
    render: stateAndAlarm,
    text: (row) => t(`device-state:${row.state}`),
  },
  {
    key: 'deviceName',
    title: 'device:column.deviceName',
    width: 162,
    pinned: 'left',
    card: 'title',
    render: (row) => (
      <div className={classes['side']}>
        <span className={classes['ellipsis']}>{row.deviceName}</span>
        {row.duplicateSuspectedAt ? (
          <Hint label={t('device:duplicate')}>
            <IconCopyOff size={16} stroke={1.5} color="var(--warning)" aria-label={t('device:duplicate')} />
          </Hint>
        ) : null}
      </div>
    ),
  },
  {
    key: 'deviceSn',
    title: 'device:column.serial',
    width: 112,
    render: (row) => <Mono value={row.deviceSn} />,
  },
  { key: 'groupName', title: 'device:column.groupName', width: 86 },
  {
    key: 'signalDbm',
    title: 'device:figure.signalDbm',
    width: 90,
    numeric: true,
    render: (row) => (row.signalDbm === null ? UNKNOWN : `${number(row.signalDbm)} dBm`),
  },
  {
    key: 'lastSeenAt',
    title: 'device:column.lastSeenAt',
    width: 104,
    render: (row) => <When at={row.lastSeenAt} zone={row.timeZone} />,
  },
  { key: 'firmware', title: 'device:column.firmware', width: 100 },
  {
    key: 'presence',
    title: 'device:column.presence',
    width: 96,
    render: presenceStrip,
    csv: false,
    extra: true,
  },
  { key: 'model', title: 'device:column.model', width: 76, extra: true },
  {
    key: 'ip',
    title: 'device:column.ip',
    width: 116,
    extra: true,
    render: (row) => <Mono value={row.ip} />,
  },
  { key: 'networkMode', title: 'device:column.networkMode', width: 100, extra: true },
  {
    key: 'trafficTodayBytes',
    title: 'device:column.trafficTodayBytes',
    width: 124,
    numeric: true,
    extra: true,
    render: (row) => bytes(row.trafficTodayBytes),
  },
  { key: 'customerName', title: 'device:column.customerName', width: 140, extra: true },
  { key: 'address', title: 'device:column.address', width: 200, extra: true },
  {
    key: 'onlineChangedAt',
    title: 'device:column.onlineFor',
    width: 120,
    extra: true,
    render: (row) => (row.online && row.onlineChangedAt ? <Lasting since={row.onlineChangedAt} /> : UNKNOWN),
  },
  {
    key: 'lastLoginAt',
    title: 'device:fact.lastLogin',
    width: 150,
    extra: true,
    render: (row) => <When at={row.lastLoginAt} zone={row.timeZone} />,
  },
  {
    key: 'lastLogoutAt',
    title: 'device:fact.lastLogout',
    width: 150,
    extra: true,
    render: (row) => <When at={row.lastLogoutAt} zone={row.timeZone} />,
  },
  { key: 'onlineCount', title: 'device:fact.onlineCount', width: 110, numeric: true, extra: true },
  { key: 'offlineCount', title: 'device:fact.offlineCount', width: 110, numeric: true, extra: true },
  { key: 'manufacturer', title: 'device:fact.manufacturer', width: 130, extra: true },
  {
    key: 'hardwareType',
    title: 'device:fact.hardware',
    width: 130,
    extra: true,
    render: (row) => [row.hardwareType, row.hardwareVersion].filter(Boolean).join(' ') || UNKNOWN,
  },
  { key: 'kernel', title: 'device:fact.kernel', width: 120, extra: true },
  {
    key: 'mac',
    title: 'device:column.mac',
    width: 160,
    extra: true,
    render: (row) => <Mono value={row.mac} />,
  },
  {
    key: 'imei',
    title: 'device:column.imei',
    width: 160,
    extra: true,
    render: (row) => <Mono value={row.imei} />,
  },
  {
    key: 'imsi',
    title: 'device:column.imsi',
    width: 160,
    extra: true,
    render: (row) => <Mono value={row.imsi} />,
  },
  {
    key: 'iccid',
    title: 'device:column.iccid',
    width: 190,
    extra: true,
    render: (row) => <Mono value={row.iccid} />,
  },
  { key: 'operator', title: 'device:network.operator', width: 120, extra: true },
  {
    key: 'simState',
    title: 'device:column.simState',
    width: 120,
    extra: true,
    render: (row) =>
      row.simState ? (
        <StatusChip tone={simTones[row.simState]} label={t(`device:sim.${row.simState}`)} />
      ) : (
        UNKNOWN
      ),
    text: (row) => (row.simState ? t(`device:sim.${row.simState}`) : ''),
  },
  { key: 'longitude', title: 'device:network.longitude', width: 110, numeric: true, extra: true },
  { key: 'latitude', title: 'device:network.latitude', width: 110, numeric: true, extra: true },
  {
    key: 'createdAt',
    title: 'device:fact.createdAt',
    width: 150,
    extra: true,
    render: (row) => <When at={row.createdAt} zone={row.timeZone} />,
  },
  { key: 'timeZone', title: 'device:fact.timeZone', width: 150, extra: true },
  { key: 'deviceId', title: 'device:column.deviceId', width: 100, numeric: true, extra: true },
]
