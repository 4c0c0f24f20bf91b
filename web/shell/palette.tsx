import { deviceDetailScreen, deviceListPermission } from '#schema/device/device-pages'
import { screenTitle } from '../kit/page/screen-title.ts'
import '@mantine/spotlight/styles.css'
import { Group } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight'
import { IconFileText, IconHistory, IconRouter, IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { getDeviceList } from '#schema/device/device'
import { AlarmMark } from '../alarm/alarm-mark.tsx'
import { DeviceState } from '../device/device-state.tsx'
import { t } from '../kit/i18n.ts'
import { me } from '../kit/me.ts'
import { useCall } from '../kit/query.ts'
import { can, holdsScreen } from '../kit/session.ts'
import { tabTitle } from './page-host.tsx'
import { permittedActions } from './palette-actions.ts'
import { useMeant } from './palette-meant.tsx'
import { openTabs } from './tab-store.ts'
import { HOME } from './tabs.ts'

const [store, spotlight] = createSpotlight()
export const openSpotlight = spotlight.open

const SHORTEST_FRAGMENT = 2
const DEVICES_SHOWN = 8
const RECENT_SHOWN = 5

/** Spotlight selects the first entry while typing, but devices are found a moment later: Enter must open them too. */
function selectFirst() {
  const list = document.getElementById(store.getState().listId)
  const first = list?.querySelector('[data-action]')
  if (!first || list?.querySelector('[data-selected]')) return
  first.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: 0 }))
}

/**
 * ⌘K: sentences ("reboot tokyo"), pages and actions by name, devices by any fragment of serial number, name, IMEI,
 * ICCID, MAC or IP.
 */
export function Palette({ typed: typedBefore }: { typed: () => string }) {
  const navigate = useNavigate()
  const [query, setQuery] = useState('')
  const takeTyped = useEffectEvent(() => setQuery(typedBefore()))
  useEffect(() => takeTyped(), [])
  const [fragment] = useDebouncedValue(query.trim(), 200)
  // Each device found leads to its page.
  const searching =
    can(deviceListPermission) && holdsScreen(deviceDetailScreen) && fragment.length >= SHORTEST_FRAGMENT
  const devices = useCall(
    getDeviceList,
    { search: fragment, nearest: true, limit: DEVICES_SHOWN },
    { enabled: searching, keepPrevious: true },
  )
  const { management, monitor } = me().menus
  const offered = useMemo(
    () => [{ name: 'dashboard', path: HOME.key }, ...management.sonId, ...monitor.sonId],
    [management, monitor],
  )
  const paths = useMemo(() => offered.map(({ path }) => path), [offered])
  const meant = useMeant(fragment, paths)
  const matches = (label: string) => label.toLowerCase().includes(query.trim().toLowerCase())
  const pages = offered
    .map(({ name, path }) => ({ label: screenTitle({ name }), path }))
    .filter(({ label }) => matches(label))
  const actions = permittedActions(paths).filter(({ label }) => matches(t(label)))
  // Initially shows the visited pages, the latest first. The home page is listed among the pages.
  const visited = openTabs().filter(({ key }) => key !== HOME.key && key !== location.pathname)
  const recent = query.trim() === '' ? visited.reverse().slice(0, RECENT_SHOWN) : []
  const groups: SpotlightActionGroupData[] = [
    {
      group: t('palette:meant.title'),
      actions: (query.trim() === '' ? [] : meant).map(({ address, ...shown }) => ({
        ...shown,
        onClick: () => void navigate(address),
      })),
    },
    {
      group: t('palette:recent'),
      actions: recent.map((tab) => ({
        id: `recent-${tab.key}`,
        label: tabTitle(tab),
        leftSection: <IconHistory size={18} stroke={1.5} />,
        onClick: () => void navigate(tab.key + tab.search),
      })),
    },
    {
      group: t('palette:pages'),
      actions: pages.map(({ label, path }) => ({
        id: path,
        label,
        leftSection: <IconFileText size={18} stroke={1.5} />,
        onClick: () => void navigate(path),
      })),
    },
    {
      group: t('palette:actions'),
      actions: actions.map(({ key, label, address, icon: Shape }) => ({
        id: `do-${key}`,
        label: t(label),
        leftSection: <Shape size={18} stroke={1.5} />,
        onClick: () => void navigate(address),
      })),
    },
    {
      group: t('palette:devices'),
      actions: (searching ? (devices.data?.list ?? []) : []).map((device) => ({
        id: `device-${device.deviceId}`,
        label: device.deviceName,
        description: [device.deviceSn, device.groupName, device.ip].filter(Boolean).join(' · '),
        leftSection: <IconRouter size={18} stroke={1.5} />,
        rightSection: (
          <Group gap={4} wrap="nowrap">
            <AlarmMark severity={device.alarmSeverity} count={device.alarmCount} />
            <DeviceState device={device} />
          </Group>
        ),
        onClick: () => void navigate(`/device/particulars/${device.groupId}/${device.deviceId}`),
      })),
    },
  ]
  const typed = query.trim() !== ''
  useEffect(() => {
    if (typed) selectFirst()
  })
  return (
    <Spotlight
      store={store}
      actions={groups.filter(({ actions }) => actions.length > 0)}
      query={query}
      onQueryChange={setQuery}
      // The server matches devices by fields that are not shown; filtering again would drop them.
      filter={(_query, actions) => actions}
      shortcut={null}
      scrollable
      maxHeight={420}
      // The input must not move when what is found becomes longer or shorter.
      centered={false}
      yOffset="8dvh"
      nothingFound={devices.isFetching ? t('kit:loading') : t('list:noMatch')}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.5} />,
        placeholder: t('palette:placeholder'),
        'aria-label': t('palette:placeholder'),
      }}
    />
  )
}
