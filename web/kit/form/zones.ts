/** Time zones for choice: each by one name, the present one. */
import { viewerZone } from '../format.ts'
import type { Option } from '../list/list-types.ts'

/**
 * Chromium lists these zones, and reports the viewer's own, by names that the IANA database gave up years ago: whoever searches for
 * Kolkata would find nothing, and what routers report as their zone would not be in the list.
 */
const renamed: Readonly<Record<string, string>> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

/** For a zone that was stored, or reported: the name by which it is in the list. */
export const presentZone = (zone: string): string => renamed[zone] ?? zone

/** The viewer's, as a first proposal. */
export const ownZone = (): string => presentZone(viewerZone())

/** A device's own zone as a proposal; the viewer's, if it reports none or one that is in no list. */
export const zoneOfDevice = (zone: string | null): string =>
  zoneOptions().find(({ value }) => zone !== null && value === presentZone(zone))?.value ?? ownZone()

/** The viewer's zone first. Browsers know UTC, and sometimes the viewer's zone, without listing them. */
export const zoneOptions = (): readonly Option[] =>
  [...new Set([ownZone(), 'UTC', ...Intl.supportedValuesOf('timeZone').map(presentZone).toSorted()])].map(
    (value) => ({ value, label: value }),
  )
