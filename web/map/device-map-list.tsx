import { Pagination, Tabs, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconCurrentLocation, IconMapPinPlus, IconSearch } from '@tabler/icons-react'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { type ReactNode, useState } from 'react'
import { type Severity, severities } from '#schema/alarm/alarm-kind'
import { getDeviceList } from '#schema/device/device'
import { getDeviceInfo } from '#schema/device/device-map'
import { deviceEditPermission } from '#schema/device/device-pages'
import type { DeviceState } from '#schema/device/device-state'
import { SEARCH_MAX } from '#schema/kit/list'
import { severityLooks } from '../alarm/severity-look.ts'
import { openDeviceDialog } from '../device/device-dialogs.tsx'
import { detailLink } from '../device/device-options.ts'
import { stateTone } from '../device/device-state.tsx'
import { ActionIconButton } from '../kit/action-button.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { SEARCH_PAUSE_MS } from '../kit/list/list-state.ts'
import { lastPage, useLastPage } from '../kit/list/page-number.ts'
import { PageLink } from '../kit/page-link.tsx'
import { useCall } from '../kit/query.ts'
import classes from './device-map.module.css'
import type { InView } from './device-map-world.ts'

/** [§2] */
const PAGE = 20
const NOT_YET: InView = { devices: [], total: 0 }

type RowProps = {
  device: {
    deviceId: number
    groupId: number
    name: string
    sn: string
    state: DeviceState
    severity: Severity | null
  }
  children: ReactNode
}
const Row = ({ device, children }: RowProps) => (
  <li>
    <span className={classes['what']}>
      <PageLink to={detailLink(device)}>{device.name}</PageLink>
      <span className={classes['sub']}>
        <span style={{ color: `var(--${stateTone(device.state)})` }}>
          {t(`device-state:${device.state}`)}
        </span>
        {device.severity === null ? null : (
          <span style={{ color: `var(--${severityLooks[device.severity].tone})` }}>
            {' · '}
            {t('device-map:map.alarm', { severity: t(`severity:${device.severity}`) })}
          </span>
        )}
        {' · '}
        {device.sn}
      </span>
    </span>
    {children}
  </li>
)

export type Located = { deviceId: number; longitude: number; latitude: number }
/** `inView` is null until the map has rendered its devices. */
type InViewProps = {
  inView: InView | null
  selected: number | null
  onSelect: (located: Located | null) => void
}

function DevicesInView({ inView, selected, onSelect }: InViewProps) {
  const { devices, total } = inView ?? NOT_YET
  const ids = devices.map(({ id }) => id)
  const known = useCall(
    getDeviceInfo,
    { deviceIds: ids },
    { enabled: ids.length > 0, keepPrevious: true, staleMs: 30_000 },
  )
  if (inView === null) return null
  if (total === 0) return <p className={classes['note']}>{t('device-map:map.nothingInView')}</p>
  const shown = new Map(devices.map((one) => [one.id, one]))
  return (
    <ul className={classes['rows']}>
      {(known.data?.list ?? [])
        .filter(({ deviceId }) => shown.has(deviceId))
        .map(({ deviceId, deviceName, deviceSn, deviceLongitude, deviceLatitude }) => (
          <Row
            key={deviceId}
            device={{
              deviceId,
              groupId: 0,
              name: deviceName,
              sn: deviceSn,
              state: shown.get(deviceId)?.state ?? 'neverSeen',
              severity: severities[(shown.get(deviceId)?.alarm ?? 0) - 1] ?? null,
            }}
          >
            {/* A plain button: the list is re-rendered with every move of the map, and tooltips would make that slow. */}
            <button
              type="button"
              className={classes['locate']}
              aria-pressed={deviceId === selected}
              title={t('device-map:map.locate')}
              aria-label={t('device-map:map.locate')}
              onClick={() => {
                if (deviceId === selected) onSelect(null)
                else if (deviceLongitude !== null && deviceLatitude !== null)
                  onSelect({ deviceId, longitude: deviceLongitude, latitude: deviceLatitude })
              }}
            >
              <IconCurrentLocation size={16} stroke={1.5} />
            </button>
          </Row>
        ))}
      {total > ids.length ? (
        <li className={classes['note']}>{t('device-map:map.more', { count: number(total - ids.length) })}</li>
      ) : null}
    </ul>
  )
}

function Unplaced() {
  const [text, setText] = useState('')
  const [page, setPage] = useState(1)
  const [search] = useDebouncedValue(text.trim(), SEARCH_PAUSE_MS)
  const devices = useCall(
    getDeviceList,
    { position: 'unknown', limit: PAGE, offset: page, ...(search ? { search } : {}) },
    { keepPrevious: true },
  )
  const { list = [], total = 0 } = devices.data ?? {}
  useLastPage(
    devices.isPlaceholderData ? undefined : devices.data?.list,
    { offset: page, limit: PAGE, total },
    setPage,
  )
  return (
    <>
      <TextInput
        mt={8}
        type="search"
        aria-label={t('device-map:map.search')}
        placeholder={t('device-map:map.search')}
        leftSection={<IconSearch size={16} stroke={1.5} />}
        maxLength={SEARCH_MAX}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setPage(1)
        }}
      />
      {devices.data && total === 0 ? (
        <p className={classes['note']}>{t(search ? 'list:noMatch' : 'device-map:map.allPlaced')}</p>
      ) : (
        <ul className={classes['rows']}>
          {list.map((device) => (
            <Row
              key={device.deviceId}
              device={{
                ...device,
                name: device.deviceName,
                sn: device.deviceSn,
                severity: device.alarmSeverity,
              }}
            >
              <ActionIconButton
                label={t('device-map:map.place')}
                icon={IconMapPinPlus}
                permission={deviceEditPermission}
                onPress={() => openDeviceDialog({ kind: 'place', device })}
              />
            </Row>
          ))}
        </ul>
      )}
      {total > PAGE ? (
        <Pagination
          size="sm"
          mt={8}
          value={page}
          onChange={setPage}
          total={lastPage(total, PAGE)}
          siblings={0}
          getControlProps={(control) => ({
            'aria-label': t(`list:page.${control === 'next' ? 'next' : 'previous'}`),
          })}
        />
      ) : null}
    </>
  )
}

type Props = InViewProps & { unplaced: number | null }
const tabs = ['view', 'unplaced'] as const

/** The list next to the map: the devices in view, and those without a position. */
export function DeviceMapList({ unplaced, ...props }: Props) {
  const { inView } = props
  const [tab, setTab] = useQueryState('list', parseAsStringLiteral(tabs).withDefault('view'))
  return (
    <Tabs
      value={tab}
      onChange={(next) => void setTab(tabs.find((known) => known === next) ?? 'view')}
      keepMounted={false}
      className={classes['list']}
    >
      <Tabs.List>
        <Tabs.Tab value="view">{`${t('device-map:map.inView')} ${number(inView?.total)}`}</Tabs.Tab>
        <Tabs.Tab value="unplaced">{`${t('device-map:map.unplaced')} ${number(unplaced)}`}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="view" className={classes['rows']}>
        <DevicesInView {...props} />
      </Tabs.Panel>
      <Tabs.Panel value="unplaced" className={classes['rows']}>
        <Unplaced />
      </Tabs.Panel>
    </Tabs>
  )
}
