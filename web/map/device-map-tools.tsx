import { Button, Menu } from '@mantine/core'
import {
  IconFlame,
  IconLasso,
  IconMap,
  IconPolygon,
  IconRectangle,
  IconViewportWide,
  IconX,
} from '@tabler/icons-react'
import { t } from '../kit/i18n.ts'
import classes from './device-map.module.css'
import type { Drawing } from './map-region.ts'
import type { MapType } from './map-type.ts'

type Props = {
  drawing: Drawing | null
  heat: boolean
  /** null: there is one base layer only. */
  type: MapType | null
  onType: (type: MapType) => void
  onDraw: (drawing: Drawing) => void
  onWindow: () => void
  onGiveUp: () => void
  onHeat: () => void
}

/** Above the map: selecting a region, the layer of weak signal, and the base layer. */
export function DeviceMapTools({ drawing, heat, type, onType, onDraw, onWindow, onGiveUp, onHeat }: Props) {
  return (
    <div className={classes['tools']}>
      {drawing ? (
        <>
          <span className={classes['hint']} role="status">
            {t(`device-map:region.how.${drawing}`)}
          </span>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconX size={16} stroke={1.5} />}
            onClick={onGiveUp}
          >
            {t('kit:cancel')}
          </Button>
        </>
      ) : (
        <>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button variant="default" size="compact-sm" leftSection={<IconLasso size={16} stroke={1.5} />}>
                {t('device-map:region.select')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item
                leftSection={<IconRectangle size={16} stroke={1.5} />}
                onClick={() => onDraw('rectangle')}
              >
                {t('device-map:region.rectangle')}
              </Menu.Item>
              <Menu.Item
                leftSection={<IconPolygon size={16} stroke={1.5} />}
                onClick={() => onDraw('polygon')}
              >
                {t('device-map:region.polygon')}
              </Menu.Item>
              <Menu.Item leftSection={<IconViewportWide size={16} stroke={1.5} />} onClick={onWindow}>
                {t('device-map:region.window')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
          <Button
            variant={heat ? 'light' : 'default'}
            size="compact-sm"
            aria-pressed={heat}
            leftSection={<IconFlame size={16} stroke={1.5} />}
            onClick={onHeat}
          >
            {t('device-map:map.weakSignal')}
          </Button>
          {type === null ? null : (
            <Button
              variant={type === 'tiles' ? 'light' : 'default'}
              size="compact-sm"
              aria-pressed={type === 'tiles'}
              leftSection={<IconMap size={16} stroke={1.5} />}
              onClick={() => onType(type === 'tiles' ? 'plain' : 'tiles')}
            >
              {t('device-map:map.streets')}
            </Button>
          )}
        </>
      )}
    </div>
  )
}
