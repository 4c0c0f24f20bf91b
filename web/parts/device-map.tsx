import { Button, Text, useComputedColorScheme } from '@mantine/core'
import { IconLayoutSidebarRightCollapse, IconLayoutSidebarRightExpand } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { getDeviceMap, getMapSettings, MAP_REFRESH_S } from '#schema/device-map'
import { Card } from '../kit/card.tsx'
import { ErrorBar } from '../kit/error-bar.tsx'
import { t } from '../kit/i18n.ts'
import mapClasses from '../kit/map.module.css'
import { FIRST_VIEW } from '../kit/map-canvas.ts'
import { useCall } from '../kit/query.ts'
import classes from './device-map.module.css'
import { DeviceMapList } from './device-map-list.tsx'
import { type InView, openWorld, type World } from './device-map-world.ts'

const LIST_HIDDEN = 'mapListHidden'
const NOTHING: InView = { ids: [], total: 0 }

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
  const view = useRef(FIRST_VIEW)
  const [inView, setInView] = useState(NOTHING)
  const [hidden, setHidden] = useState(() => localStorage.getItem(LIST_HIDDEN) === '1')
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })

  const on = settings.data
  const data = points.data
  // Ends with the page, also when it is only hidden: then the worker is gone, and the view is remembered.
  useEffect(() => {
    if (!element.current || !on) return
    const opened = openWorld(element.current, on, view.current, (seen, at) => {
      view.current = at
      setInView(seen)
    })
    world.current = opened
    return () => {
      world.current = undefined
      opened.close()
    }
  }, [on])
  useEffect(() => {
    if (data && on) void world.current?.load(data)
  }, [data, on])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme is what the colours come from
  useEffect(() => {
    world.current?.recolour()
  }, [scheme])

  const toggle = () => {
    localStorage.setItem(LIST_HIDDEN, hidden ? '0' : '1')
    setHidden(!hidden)
  }
  const Shape = hidden ? IconLayoutSidebarRightExpand : IconLayoutSidebarRightCollapse
  const error = points.error ?? settings.error
  return (
    <Card
      title={t('device-map:map.title')}
      side={
        <span className={classes['side']}>
          <Text c="dimmed" fz="xs" fw={400} span>
            {data ? t('device-map:map.onMap', { count: data.deviceIds.length }) : ' '}
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
      {error ? <ErrorBar error={error} onRetry={() => void points.refetch()} /> : null}
      <div className={classes['split']} data-list={!hidden}>
        <section
          ref={element}
          className={`${mapClasses['map']} ${classes['map']}`}
          aria-label={t('device-map:map.label')}
        />
        {hidden ? null : (
          <DeviceMapList
            inView={inView}
            unplaced={data?.unplaced ?? null}
            onLocate={(place) => world.current?.locate(place)}
          />
        )}
      </div>
    </Card>
  )
}
