import { Button, Skeleton, Tabs } from '@mantine/core'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { type ComponentType, memo, Suspense, useDeferredValue, useEffect, useRef, useState } from 'react'
import { getDeviceDetail } from '#schema/device/device'
import { deviceDetailScreen, deviceListScreen } from '#schema/device/device-pages'
import type { Word } from '#schema/kit/words.gen'
import { AlarmMark, alarmsOf } from '../alarm/alarm-mark.tsx'
import { alarmsAt } from '../alarm/alarms-at.ts'
import { CommandBanner } from '../command/command-banner.tsx'
import classes from '../device/device.module.css'
import { type Device, DeviceActions } from '../device/device-actions.tsx'
import { ActiveTask } from '../device/device-active-task.tsx'
import { DeviceOverview } from '../device/device-overview.tsx'
import { ClockChip, deviceChip, OfflineBanner } from '../device/device-status.tsx'
import { DeviceLife } from '../history/device-life.tsx'
import { NO_PERMISSION } from '../kit/api.ts'
import { lazy } from '../kit/chunk.ts'
import { Dotted } from '../kit/dotted.tsx'
import { Empty } from '../kit/empty.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { viewerZone } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { Mono } from '../kit/mono.tsx'
import { goTo } from '../kit/navigation.ts'
import { usePage, usePageTitle } from '../kit/page/page.tsx'
import { PageHeader } from '../kit/page/page-header.tsx'
import { screenTitle } from '../kit/page/screen-title.ts'
import { askAhead, useCall } from '../kit/query.ts'
import { useSlow } from '../kit/slow.ts'
import { DeviceZone, When } from '../kit/time.tsx'

export const words: readonly Word[] = [
  'advertisement',
  'command-many',
  'alarm',
  'device',
  'report',
  'detail',
  'command',
  'task',
  'device-map',
  'unusual',
  'device-state',
  'severity',
  'rollout',
  'config-file',
  'sms-message',
]

const REFRESH_S = 10
const tabs = ['overview', 'network', 'configuration', 'services', 'remote', 'history', 'logs'] as const
type Tab = (typeof tabs)[number]

/** Unknown, deleted or another customer's device: the same message for all three. */
const NoDevice = () => (
  <>
    <PageHeader title={screenTitle(deviceDetailScreen)} />
    <Empty
      kind="noPermission"
      title={t('device:gone.title')}
      text={t('device:gone.text')}
      action={
        <Button variant="default" onClick={() => goTo(deviceListScreen.path)}>
          {t('device:gone.back')}
        </Button>
      }
    />
  </>
)

type Shows = Promise<{ default: ComponentType<{ device: Device }> }>
/** The overview is part of the page; the other tabs are loaded when they are opened, or the pointer or focus is near. */
const loads = {
  network: () => import('../device/device-network.tsx').then((m) => ({ default: m.DeviceNetwork })),
  configuration: () =>
    import('../device/device-configuration.tsx').then((m) => ({ default: m.DeviceConfiguration })),
  services: () => import('../device/device-services.tsx').then((m) => ({ default: m.DeviceServices })),
  remote: () => import('../device/device-remote.tsx').then((m) => ({ default: m.DeviceRemote })),
  history: () => import('../history/device-history.tsx').then((m) => ({ default: m.DeviceHistory })),
  logs: () => import('../history/device-logs.tsx').then((m) => ({ default: m.DeviceLogs })),
} as const satisfies Partial<Record<Tab, () => Shows>>
const contents = {
  overview: DeviceOverview,
  network: lazy(loads.network),
  configuration: lazy(loads.configuration),
  services: lazy(loads.services),
  remote: lazy(loads.remote),
  history: lazy(loads.history),
  logs: lazy(loads.logs),
} as const satisfies Record<Tab, ComponentType<{ device: Device }>>
/** A failure is shown when the tab is opened, which loads it again. */
const loadTabs = () => {
  for (const load of Object.values(loads)) load().catch(() => undefined)
}

/** Not drawn again while another tab is chosen. */
const Content = memo(function Content({ tab, device }: { tab: Tab; device: Device }) {
  const Shown = contents[tab]
  const content = <Shown device={device} />
  if (tab !== 'history') return content
  return (
    <div className={classes['stack']}>
      {device.activeTask ? <ActiveTask task={device.activeTask} /> : null}
      {content}
    </div>
  )
})

const isId = (id: number) => Number.isSafeInteger(id) && id > 0

Page.ahead = (_search: string, { did }: Readonly<Record<string, string | undefined>>) => {
  if (isId(Number(did))) askAhead(getDeviceDetail, { deviceId: Number(did), zone: viewerZone() })
}

export function Page() {
  const { params } = usePage()
  const deviceId = Number(params['did'])
  const possible = isId(deviceId)
  const [gone, setGone] = useState(false)
  const detail = useCall(
    getDeviceDetail,
    { deviceId, zone: viewerZone() },
    { enabled: possible && !gone, refreshS: gone ? 0 : REFRESH_S },
  )
  // Further requests would be refused again, with a warning each time.
  if (!gone && detail.error?.code === NO_PERMISSION) setGone(true)
  const slow = useSlow(detail.isPending)
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(tabs).withDefault('overview'))
  // The tab is marked at once; what it holds may take longer than a frame.
  const drawn = useDeferredValue(tab)
  const device = detail.data
  const strip = useRef<HTMLDivElement>(null)
  // The URL may select a tab that does not fit a narrow window.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab, or when tabs are first rendered
  useEffect(() => {
    const seen = () =>
      strip.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
    seen()
    // The window was resized, or a phone was turned.
    window.addEventListener('resize', seen)
    return () => window.removeEventListener('resize', seen)
  }, [tab, device === undefined])
  usePageTitle(device?.deviceName)
  if (gone || !possible) return <NoDevice />
  if (!device)
    return (
      <div className={classes['waiting']}>
        <ReadBar read={detail} />
        {slow && !detail.error ? <Skeleton h={420} /> : null}
      </div>
    )
  return (
    <DeviceZone value={device.timeZone}>
      <Tabs
        value={tab}
        onChange={(next) => void setTab(tabs.find((known) => known === next) ?? 'overview')}
        keepMounted={false}
      >
        <div className={classes['sticky']}>
          <PageHeader
            title={device.deviceName}
            beside={
              <>
                {deviceChip(device)}
                <AlarmMark severity={device.alarmSeverity} count={device.alarmCount} to={alarmsOf(device)} />
                <ClockChip device={device} />
                <Mono value={device.deviceSn} />
              </>
            }
            line={
              <Dotted
                parts={[
                  device.groupName,
                  device.model,
                  device.firmware,
                  device.ip,
                  device.lastSeenAt ? (
                    <>
                      {t('device:column.lastSeenAt')} <When at={device.lastSeenAt} />
                    </>
                  ) : null,
                ]}
              />
            }
            actions={<DeviceActions device={device} />}
          />
          <Tabs.List
            className={classes['tabs'] ?? ''}
            ref={strip}
            onPointerEnter={loadTabs}
            onFocus={loadTabs}
          >
            {tabs.map((name) => (
              <Tabs.Tab key={name} value={name} rightSection={<AlarmMark {...alarmsAt(device, name)} />}>
                {t(`device:tab.${name}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </div>
        <ReadBar read={detail} />
        <DeviceLife device={device} />
        {device.online ? null : <OfflineBanner device={device} />}
        <CommandBanner deviceId={deviceId} />
        <Tabs.Panel value={tab}>
          {/* Opened by a link, until it is loaded; otherwise the tab before it stays. */}
          <Suspense>
            <Content tab={drawn} device={device} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </DeviceZone>
  )
}
