import { Alert, Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { getMapSettings } from '#schema/device/device-map'
import { placeDevice } from '#schema/device/device-place'
import type { EditConflict } from '#schema/kit/edition'
import { ActionButton } from '../kit/action-button.tsx'
import { Modal } from '../kit/dialog.tsx'
import { ConflictNote } from '../kit/form/conflict-note.tsx'
import { conflictOf } from '../kit/form/edit-conflict.ts'
import { UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { reportError, useAction, useCall } from '../kit/query.ts'
import classes from '../map/device-map.module.css'
import mapClasses from '../map/map.module.css'
import { createMap, L } from '../map/map-canvas.ts'
import { fromMap, type Place, toMap } from '../map/map-datum.ts'
import { openMapIndex } from '../map/map-index.ts'
import { FIRST_VIEW } from '../map/map-view.ts'
import type { OneDevice } from './chosen-devices.ts'
import { deviceReads } from './device-reads.ts'

/** Zoom for a town, if there is a starting position. */
const TOWN_ZOOM = 12
/** Without tiles a town is an empty area: at this zoom coastlines are visible. */
const LAND_ZOOM = 6
const DIGITS = 6
const PIN = 28

const rounded = ({ longitude, latitude }: Place): Place => ({
  // Beyond the date line the map continues counting: 190° is -170°.
  longitude: Number((((((longitude + 180) % 360) + 360) % 360) - 180).toFixed(DIGITS)),
  latitude: Number(latitude.toFixed(DIGITS)),
})
const icon = () =>
  L.divIcon({
    className: mapClasses['mark'] ?? '',
    iconSize: [PIN, PIN],
    html: `<svg width="${PIN}" height="${PIN}" aria-hidden="true"><circle cx="14" cy="14" r="9" stroke-width="4" class="${mapClasses['pin']}"/></svg>`,
  })

/** The pin that another user has set meanwhile. */
function pinOf({ longitude, latitude }: EditConflict['now']): Place | null {
  return typeof longitude === 'number' && typeof latitude === 'number' ? { longitude, latitude } : null
}
const placeText = ({ longitude, latitude }: Place) => `${longitude}, ${latitude}`

type PickerProps = { place: Place | null; onPick: (place: Place) => void; label: string }

/** A map with one pin: click or drag to place it. */
function PinPicker({ place, onPick, label }: PickerProps) {
  const settings = useCall(getMapSettings, {}, { staleMs: Number.POSITIVE_INFINITY }).data
  const [element, setElement] = useState<HTMLDivElement | null>(null)
  const pin = useRef<{ put: (at: Place | null) => void }>(undefined)
  const start = useRef(place)
  const picked = useRef(onPick)
  picked.current = onPick
  useEffect(() => {
    if (!element || !settings) return
    const first = start.current
    const drawn = first ? toMap(first, settings.datum) : null
    const index = openMapIndex()
    const zoom = settings.tileUrl === null ? LAND_ZOOM : TOWN_ZOOM
    const canvas = createMap(element, settings, index, drawn ? { ...drawn, zoom } : FIRST_VIEW)
    const pick = ({ lat, lng }: L.LatLng) =>
      picked.current(rounded(fromMap({ longitude: lng, latitude: lat }, settings.datum)))
    let marker: L.Marker | null = null
    pin.current = {
      put: (at) => {
        marker?.remove()
        marker = null
        if (!at) return
        const { latitude, longitude } = toMap(at, settings.datum)
        marker = L.marker([latitude, longitude], { icon: icon(), draggable: true, autoPan: true })
        marker.on('dragend', () => {
          if (marker) pick(marker.getLatLng())
        })
        marker.addTo(canvas.map)
        marker.getElement()?.setAttribute('aria-label', label)
      },
    }
    pin.current.put(first)
    canvas.map.on('click', ({ latlng }) => pick(latlng))
    return () => {
      pin.current = undefined
      canvas.remove()
      index.close()
    }
  }, [element, settings, label])
  useEffect(() => {
    start.current = place
    pin.current?.put(place)
  }, [place])
  return <div ref={setElement} className={`${mapClasses['map']} ${classes['placeMap']}`} />
}

type Props = { opened: boolean; onClose: () => void; device: OneDevice }

/** Text while a number is being typed: `12.` or `-`. */
type Typed = { longitude: number | string; latitude: number | string }
const NOWHERE: Typed = { longitude: '', latitude: '' }

/** null: one without the other, which is no position yet and never 0°. */
function placeOf({ longitude, latitude }: Typed): Place | null {
  if (longitude === '' || latitude === '') return null
  const place = { longitude: Number(longitude), latitude: Number(latitude) }
  return Number.isNaN(place.longitude + place.latitude) ? null : place
}

export function DevicePlace({ opened, onClose, device }: Props) {
  const { deviceId, deviceName, longitude, latitude } = device
  const known = longitude !== null && latitude !== null ? { longitude, latitude } : null
  const [typed, setTyped] = useState<Typed>(known ?? NOWHERE)
  const place = placeOf(typed)
  const [edition, setEdition] = useState(device.pinEdition)
  const [conflict, setConflict] = useState<EditConflict | null>(null)
  const pin = { refreshes: deviceReads, onDone: onClose, quiet: true }
  const save = useAction(placeDevice, { ...pin, success: t('device-map:place.saved') })
  const clear = useAction(placeDevice, { ...pin, success: t('device-map:place.cleared') })
  const send = async (action: typeof save, position: Place | null) => {
    try {
      await action.run({ deviceId, position, edition })
    } catch (error) {
      const other = conflictOf(error)
      if (other) setConflict(other)
      else reportError(error)
    }
  }
  const theirs = conflict ? pinOf(conflict.now) : null
  const goOn = (next: Place | null) => {
    if (!conflict) return
    setEdition(conflict.edition)
    setConflict(null)
    setTyped(next ?? NOWHERE)
  }
  const field = (key: 'longitude' | 'latitude', most: number) => (
    <NumberInput
      label={t(`device-map:place.${key}`)}
      min={-most}
      max={most}
      // Swapped by mistake, as 121 degrees north, they are refused: brought into bounds, they would be another place.
      clampBehavior="none"
      decimalScale={DIGITS}
      value={typed[key]}
      onChange={(value) => setTyped({ ...typed, [key]: value })}
    />
  )
  const inRange = place !== null && Math.abs(place.longitude) <= 180 && Math.abs(place.latitude) <= 90
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="xl"
      title={t('device-map:place.title', { name: deviceName })}
    >
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          {t('device-map:place.text')}
        </Text>
        {conflict ? (
          <ConflictNote
            who={conflict}
            differences={[
              {
                name: 'position',
                label: t('device-map:place.pin'),
                theirs: theirs ? placeText(theirs) : UNKNOWN,
                mine: place ? placeText(place) : UNKNOWN,
              },
            ]}
            onMine={() => goOn(place)}
            onTheirs={() => goOn(theirs)}
          />
        ) : null}
        <PinPicker place={inRange ? place : null} onPick={setTyped} label={deviceName} />
        <Group grow>
          {field('longitude', 180)}
          {field('latitude', 90)}
        </Group>
        {place && !inRange ? <Alert color="red">{t('device-map:place.range')}</Alert> : null}
        <Group justify="space-between">
          <ActionButton
            label={t('device-map:place.clear')}
            reason={known === null ? t('device-map:place.noneYet') : null}
            busy={clear.busy}
            onPress={() => void send(clear, null)}
          />
          <Group gap={8} ml="auto">
            <Button variant="default" onClick={onClose}>
              {t('kit:cancel')}
            </Button>
            <ActionButton
              rank="primary"
              label={t('device-map:place.save')}
              reason={inRange ? null : t('device-map:place.needPoint')}
              busy={save.busy}
              onPress={() => {
                if (place) void send(save, place)
              }}
            />
          </Group>
        </Group>
      </Stack>
    </Modal>
  )
}
