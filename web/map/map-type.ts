/** [§3 Client-side stored values] `mapType`: the base layer that the user chose; it is cleared with the rest at the login. */
import { useMemo, useState } from 'react'
import type { MapSettings } from './map-canvas.ts'

const NAME = 'mapType'
export const mapTypes = ['tiles', 'plain'] as const
/** tiles: those of the operator; plain: the layer that comes with the console. */
export type MapType = (typeof mapTypes)[number]

/** Without tiles of the operator there is nothing to choose: `type` is null. */
export function useMapType(settings: MapSettings | undefined) {
  const [stored, setStored] = useState(() => localStorage.getItem(NAME))
  const type: MapType = mapTypes.find((one) => one === stored) ?? 'tiles'
  const shown = useMemo(
    () => settings && (type === 'tiles' ? settings : { ...settings, tileUrl: null, attribution: '' }),
    [settings, type],
  )
  const choose = (next: MapType) => {
    localStorage.setItem(NAME, next)
    setStored(next)
  }
  return { shown, type: settings?.tileUrl ? type : null, choose }
}
