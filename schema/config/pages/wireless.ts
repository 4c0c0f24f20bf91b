/** Radios and the networks that they offer. Networks that a radio joins as a client belong to the page `repeater`. */
import { z } from 'zod'
import { field } from '#schema/kit/field'
import { hasRoom, isChannelOf } from '#schema/kit/network-rules'
import { shaped } from '#schema/kit/shape'
import {
  choice,
  flag,
  inverted,
  list,
  number,
  packageOf,
  saidBy,
  type Text,
  text,
  textOf,
  wordsIn,
} from '../bind.ts'
import { inRow, ROW_ID, type RowBound, type Rows, readRows, rowWhere } from '../bind-rows.ts'
import { configPage, type PageFault } from '../config-page.ts'
import { exact, exactOrNone, macText, plainName, rowKey, secretText } from '../page-fields.ts'
import type { UciDoc, UciSection } from '../uci.ts'

const bands = ['2g', '5g', '6g'] as const
type Band = (typeof bands)[number]
const bases = ['NOHT', 'HT20', 'HT40', 'VHT20', 'VHT40', 'VHT80', 'VHT160'] as const
const newer = ['HE20', 'HE40', 'HE80', 'HE160', 'EHT20', 'EHT40', 'EHT80', 'EHT160', 'EHT320'] as const
const widths = [...bases, ...newer] as const

/** `other`: what this page does not know (802.1X); it stays as it is. */
const securities = ['none', 'owe', 'psk', 'psk2', 'psk-mixed', 'sae', 'sae-mixed', 'other'] as const
const keyed = ['psk', 'psk2', 'psk-mixed', 'sae', 'sae-mixed']

/** Whether the clients in the list are the only ones, or are refused. */
const macFilters = ['disable', 'allow', 'deny'] as const

/** `auto`: as the security asks for. */
const protections = ['auto', '0', '1', '2'] as const
/** Without protected management frames these do not work. */
const PROTECTED = ['sae', 'owe']

const on = { when: { enabled: [true] } }

const radio = z.object({
  [ROW_ID]: field(rowKey[ROW_ID], { names: 'radio' }),
  band: field(z.enum(bands), { fixed: true }),
  enabled: z.boolean().default(true),
  channel: field(
    z
      .string()
      .trim()
      .regex(shaped(/^(auto|\d{1,3})$/, 'channel'))
      .default('auto'),
    on,
  ),
  width: field(z.enum(widths).default('NOHT'), on),
  country: field(
    z
      .union([
        z.literal(''),
        z
          .string()
          .trim()
          .regex(shaped(/^([A-Z]{2}|00)$/, 'countryCode')),
      ])
      .default(''),
    on,
  ),
  // Newer devices take 0 for "as much as is allowed".
  power: field(z.int().min(1).max(36).nullable().default(null), { ...on, unit: 'dBm' }),
})

const network = z.object({
  ...rowKey,
  enabled: z.boolean().default(true),
  radio: field(plainName(32).min(1), { refersTo: 'radio' }),
  ssid: exact('ssid', 32),
  security: z.enum(securities).default('psk2'),
  key: field(secretText(exactOrNone('wifiKey', 64)), { when: { security: keyed }, needed: true }),
  // WPA of the first kind has none.
  protection: field(z.enum(protections).default('auto'), {
    when: { security: [...keyed.filter((one) => one !== 'psk'), 'owe'] },
  }),
  hidden: z.boolean().default(false),
  isolate: z.boolean().default(false),
  macFilter: z.enum(macFilters).default('disable'),
  macs: field(z.array(macText).max(64).default([]), { when: { macFilter: ['allow', 'deny'] }, needed: true }),
  networks: field(z.array(plainName(32)).max(8).default([]), { refersTo: 'interface' }),
})

const body = z.object({
  radios: field(z.array(radio).max(8).default([]), { fixed: true }),
  networks: z.array(network).max(32).default([]),
})
type Values = z.output<typeof body>
type Radio = z.output<typeof radio>

const legacy: Readonly<Record<string, Band>> = { '11b': '2g', '11g': '2g', '11a': '5g' }
const bandOf = (said: string): Band => bands.find((band) => band === said) ?? legacy[said] ?? '2g'

/** `hwmode` before 21.02. */
function bandBound(doc: UciDoc): RowBound {
  const old = packageOf(doc, 'wireless').sections.some((section) => saidBy(section, 'hwmode') !== undefined)
  const put = (value: unknown) => (old ? (value === '2g' ? '11g' : '11a') : String(value))
  return { option: old ? 'hwmode' : 'band', get: (found) => bandOf(textOf(found)), put }
}

/** `psk2+ccmp`: the cipher behind the plus sign is kept while the security does not change. */
const security: RowBound = {
  option: 'encryption',
  get: (found: Text | undefined) => {
    const [base = ''] = textOf(found).split('+')
    return base === '' ? 'none' : (securities.find((one) => one === base) ?? 'other')
  },
  put: String,
}

/** Without the option there is none: newer devices start no radio for any other word than `allow` and `deny`. */
const macFilter: RowBound = {
  ...inRow(choice(rowWhere, 'macfilter', macFilters, 'disable')),
  put: (value) => (value === 'disable' ? null : String(value)),
}

const protection: RowBound = {
  option: 'ieee80211w',
  get: (found) => protections.find((one) => one === textOf(found)) ?? 'auto',
  put: (value) => (value === 'auto' ? null : String(value)),
}

/** Older files say on which side the second channel is: `HT40+`. */
const widthBound: RowBound = {
  option: 'htmode',
  get: (found) => widths.find((one) => one === textOf(found).replace(/[+-]$/, '')) ?? 'NOHT',
  put: String,
}

/** Radios take both cases. */
const country: RowBound = {
  option: 'country',
  get: (found) => textOf(found).toUpperCase(),
  put: (value) => (value ? String(value) : null),
}

const radiosOf = (doc: UciDoc): Rows => ({
  package: 'wireless',
  type: 'wifi-device',
  fields: {
    band: bandBound(doc),
    enabled: inRow(inverted(rowWhere, 'disabled', true)),
    channel: inRow(text(rowWhere, 'channel', 'auto')),
    width: widthBound,
    country,
    power: inRow(number(rowWhere, 'txpower')),
  },
})

const said = (section: UciSection, option: string) => textOf(saidBy(section, option))

/** The key of WEP is the number of one of its keys. */
const isAccessPoint = (section: UciSection) =>
  ['', 'ap'].includes(said(section, 'mode')) && !said(section, 'encryption').startsWith('wep')

const networks: Rows = {
  package: 'wireless',
  type: 'wifi-iface',
  only: isAccessPoint,
  added: { mode: 'ap' },
  fields: {
    enabled: inRow(inverted(rowWhere, 'disabled', true)),
    radio: inRow(text(rowWhere, 'device')),
    ssid: inRow(text(rowWhere, 'ssid')),
    security,
    key: inRow(text(rowWhere, 'key')),
    protection,
    hidden: inRow(flag(rowWhere, 'hidden')),
    isolate: inRow(flag(rowWhere, 'isolate')),
    macFilter,
    macs: inRow(list(rowWhere, 'maclist')),
    networks: inRow(wordsIn(rowWhere, 'network')),
  },
}

const bounds = (doc: UciDoc) => ({ radios: radiosOf(doc), networks })

/** 802.11n and, for one mode, 802.11ax and be exist at 2.4 GHz, up to 40 MHz; at 6 GHz only ax and be. */
function hasWidth(band: Band, width: (typeof widths)[number]): boolean {
  if (band === '2g') return /^(NOHT|(HT|HE|EHT)(20|40))$/.test(width)
  return band === '5g' ? width !== 'EHT320' : /^E?HE?T?\d+$/.test(width) && !/^HT/.test(width)
}

/** `NOHT` has 20. */
const mhzOf = (width: string) => Number(width.replace(/^[A-Z]+/, '')) || 20

/** Radios are hardware: none is added, removed or moved to another band from here. */
function faultsOfRadios(radios: readonly Radio[], doc: UciDoc): PageFault[] {
  const there = new Map((readRows(doc, radiosOf(doc)) as Radio[]).map((one) => [one.id, one]))
  const known = radios.filter(({ id }) => there.has(id))
  if (known.length !== radios.length || known.length !== there.size)
    return [{ path: 'radios', text: 'wireless:fault.radios' }]
  const [country = ''] = radios.filter((one) => one.enabled && one.country !== '').map((one) => one.country)
  return radios.flatMap(({ id, band, enabled, channel, width, country: own }, i): PageFault[] => {
    if (band !== there.get(id)?.band) return [{ path: `radios.${i}.band`, text: 'wireless:fault.band' }]
    if (!enabled) return []
    return [
      ...(isChannelOf(band, channel)
        ? []
        : [{ path: `radios.${i}.channel`, text: 'wireless:fault.channel' } as const]),
      ...(hasWidth(band, width)
        ? []
        : [{ path: `radios.${i}.width`, text: 'wireless:fault.width' } as const]),
      ...(isChannelOf(band, channel) && hasWidth(band, width) && !hasRoom(band, channel, mhzOf(width))
        ? [{ path: `radios.${i}.width`, text: 'wireless:fault.room', params: { channel } } as const]
        : []),
      // hostapd takes no digits: the radio would not start.
      ...(own === '00'
        ? [{ path: `radios.${i}.country`, text: 'wireless:fault.countryWorld' } as const]
        : []),
      // The system has one for all of its radios, that of the last which is set up.
      ...(own !== '' && own !== country
        ? [{ path: `radios.${i}.country`, text: 'wireless:fault.countries', params: { country } } as const]
        : []),
    ]
  })
}

const HEX_KEY = /^[0-9A-Fa-f]{64}$/

/** The others are not permitted in this band: the radio would not start. */
const AT_6_GHZ = ['owe', 'sae', 'other']

function faultsOfNetworks({ radios, networks: rows }: Values, doc: UciDoc): PageFault[] {
  const bandsOf = new Map(radios.map(({ id, band }) => [id, band]))
  const others = new Set(
    (readRows(doc, networks) as Values['networks'])
      .filter((one) => one.security === 'other')
      .map(({ id }) => id),
  )
  const seen = new Set<string>()
  return rows.flatMap((row, i): PageFault[] => {
    const at = (name: string) => `networks.${i}.${name}`
    const ssid = `${row.radio} ${row.ssid}`
    const doubled = row.enabled && seen.size === seen.add(ssid).size
    return [
      ...(doubled ? [{ path: at('ssid'), text: 'wireless:fault.ssidTwice' } as const] : []),
      ...(row.security === 'other' && !others.has(row.id)
        ? [{ path: at('security'), text: 'wireless:fault.other' } as const]
        : []),
      ...(row.enabled && bandsOf.get(row.radio) === '6g' && !AT_6_GHZ.includes(row.security)
        ? [{ path: at('security'), text: 'wireless:fault.sixGHz' } as const]
        : []),
      ...(row.security.startsWith('sae') && HEX_KEY.test(row.key)
        ? [{ path: at('key'), text: 'wireless:fault.saeKey' } as const]
        : []),
      ...(PROTECTED.includes(row.security) && ['0', '1'].includes(row.protection)
        ? [{ path: at('protection'), text: 'wireless:fault.unprotected' } as const]
        : []),
      // Nobody could connect.
      ...(row.macFilter === 'allow' && row.macs.length === 0
        ? [{ path: at('macs'), text: 'wireless:fault.noMacs' } as const]
        : []),
    ]
  })
}

export const wireless = configPage({
  name: 'wireless',
  group: 'network',
  place: 40,
  icon: 'wifi',
  packages: ['wireless'],
  carriedBy: 'stock',
  needs: ['wifi'],
  trial: 'radio',
  body,
  bounds,
  check: (values, doc) => [...faultsOfRadios(values.radios, doc), ...faultsOfNetworks(values, doc)],
})
