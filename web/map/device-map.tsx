import { Button, Text, useComputedColorScheme } from '@mantine/core'
import { IconLayoutSidebarRightCollapse, IconLayoutSidebarRightExpand } from '@tabler/icons-react'
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { useEffect, useRef, useState } from 'react'
import {
  getDeviceInfo,
  getDeviceMap,
  getMapSettings,
  getWeakSignals,
  MAP_REFRESH_S,
} from '#schema/device/device-map'
import { regionText } from '#schema/device/region'
import { Card } from '../kit/card.tsx'
import { ReadBar } from '../kit/error-bar.tsx'
import { number } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { useCall } from '../kit/query.ts'
import classes from './device-map.module.css'
import { DeviceMapCard } from './device-map-card.tsx'
import { DeviceMapList, type Located } from './device-map-list.tsx'
import { DeviceMapRegion } from './device-map-region.tsx'
import { DeviceMapTools } from './device-map-tools.tsx'
import { type InView, openMapWorld, type World } from './device-map-world.ts'
import mapClasses from './map.module.css'
import type { Peeked } from './map-popup.ts'
import type { Drawing } from './map-region.ts'
import { useMapType } from './map-type.ts'
import { FIRST_VIEW, viewOf, viewText } from './map-view.ts'

const LIST_HIDDEN = 'mapListHidden'
const layers = ['signal'] as const
/** View, selected device, region and layer are in the URL, so that a shared link shows the same. */
const parsers = {
  map: parseAsString.withDefault(''),
  device: parseAsInteger,
  region: parseAsString.withDefault(''),
  layer: parseAsStringLiteral(layers),
}

/** [§2 Dashboard map] */
export function DeviceMap() {
  const settings = useCall(getMapSettings, {}, { staleMs: Number.POSITIVE_INFINITY })
  const points = useCall(
    getDeviceMap,
    {},
    { refreshS: MAP_REFRESH_S, same: (last, next) => last.version === next.version },
  )
  const element = useRef<HTMLDivElement>(null)
  const world = useRef<World>(undefined)
  const [address, setAddress] = useQueryStates(parsers, { history: 'replace' })
  const { device, region, layer } = address
  const heat = layer === 'signal'
  const weak = useCall(getWeakSignals, {}, { enabled: heat, refreshS: MAP_REFRESH_S })
  const view = useRef(viewOf(address.map) ?? FIRST_VIEW)
  // A link may contain only the device.
  const toFind = useRef(address.map === '' ? device : null)
  // Only the first time, and only if the URL has no view.
  const toSearch = useRef(address.map === '' && device === null)
  const tell = useRef(setAddress)
  tell.current = setAddress
  const [peeked, setPeeked] = useState<Peeked | null>(null)
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  const [inView, setInView] = useState<InView | null>(null)
  const [hidden, setHidden] = useState(() => localStorage.getItem(LIST_HIDDEN) === '1')
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })

  const { shown: on, type, choose } = useMapType(settings.data)
  const data = points.data
  // Ends with the page, also when it is only hidden: the worker is terminated, and the view is remembered.
  useEffect(() => {
    if (!element.current || !on) return
    const opened = openMapWorld(element.current, on, view.current, {
      onView: (seen, at) => {
        view.current = at
        setInView(seen)
        void tell.current({ map: viewText(at) })
      },
      onPeeked: setPeeked,
      onDrawn: (drawn) => {
        setDrawing(null)
        void tell.current({ region: drawn && regionText(drawn) })
      },
    })
    world.current = opened
    return () => {
      world.current = undefined
      setPeeked(null)
      setDrawing(null)
      opened.close()
    }
  }, [on])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a newly opened map must be informed, too
  useEffect(() => {
    world.current?.select(device)
  }, [device, on])
  // biome-ignore lint/correctness/useExhaustiveDependencies: likewise
  useEffect(() => {
    world.current?.showRegion(region)
  }, [region, on])
  useEffect(() => {
    if (on) void world.current?.showHeat(heat ? (weak.data ?? null) : null)
  }, [heat, weak.data, on])
  const found = useCall(
    getDeviceInfo,
    { deviceId: device ?? 0 },
    { enabled: toFind.current !== null && device !== null },
  )
  useEffect(() => {
    const [one] = found.data?.list ?? []
    if (!one || one.deviceId !== toFind.current || !on) return
    toFind.current = null
    const { deviceLongitude: longitude, deviceLatitude: latitude } = one
    if (longitude !== null && latitude !== null) world.current?.locate({ longitude, latitude })
  }, [found.data, on])
  useEffect(() => {
    if (!data || !on) return
    void world.current?.load(data, toSearch.current)
    toSearch.current = false
  }, [data, on])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours depend on the scheme
  useEffect(() => {
    world.current?.recolour()
  }, [scheme])

  const select = (located: Located | null) => {
    void setAddress({ device: located?.deviceId ?? null })
    if (located) world.current?.locate(located)
  }
  const draw = (next: Drawing) => {
    void setAddress({ region: null })
    setDrawing(next)
    world.current?.draw(next)
  }
  const toggle = () => {
    localStorage.setItem(LIST_HIDDEN, hidden ? '0' : '1')
    setHidden(!hidden)
  }
  const Shape = hidden ? IconLayoutSidebarRightExpand : IconLayoutSidebarRightCollapse
  const failed = settings.error ? settings : heat && weak.error ? weak : points
  return (
    <Card
      title={t('device-map:map.title')}
      side={
        <span className={classes['side']}>
          <Text c="dimmed" fz="xs" fw={400} span>
            {data
              ? t('device-map:map.onMap', {
                  count: data.deviceIds.length,
                  shown: number(data.deviceIds.length),
                })
              : ' '}
            {' · '}
            {t('device-map:map.legendCluster')}
          </Text>
          <Button
            variant="default"
            size="compact-sm"
            aria-expanded={!hidden}
            leftSection={<Shape size={16} stroke={1.5} />}
            onClick={toggle}
          >
            {t(hidden ? 'device-map:map.showList' : 'device-map:map.hideList')}
          </Button>
        </span>
      }
    >
      <ReadBar read={failed} />
      <div className={classes['split']} data-list={!hidden}>
        <div className={classes['stage']}>
          <DeviceMapTools
            drawing={drawing}
            heat={heat}
            type={type}
            onType={choose}
            onDraw={draw}
            onWindow={() => {
              const shown = world.current?.windowRegion()
              if (shown) void setAddress({ region: regionText(shown) })
            }}
            onGiveUp={() => world.current?.giveUpDrawing()}
            onHeat={() => void setAddress({ layer: heat ? null : 'signal' })}
          />
          {region && !drawing ? (
            <DeviceMapRegion region={region} onClear={() => void setAddress({ region: null })} />
          ) : null}
          <section
            ref={element}
            className={`${mapClasses['map']} ${classes['map']}`}
            aria-label={t('device-map:map.label')}
          />
          {peeked ? (
            <DeviceMapCard
              peeked={peeked}
              onResized={() => world.current?.popupResized()}
              onLocate={(located) => {
                world.current?.closePopup()
                select(located)
              }}
            />
          ) : null}
        </div>
        {hidden ? null : (
          <DeviceMapList
            inView={inView}
            unplaced={data?.unplaced ?? null}
            selected={device}
            onSelect={select}
          />
        )}
      </div>
    </Card>
  )
}
