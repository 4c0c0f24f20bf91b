/** The local network of a configuration: address, pool, reservations, radio networks. */
import { flag, saidBy, textOf } from '#schema/config/bind'
import type { UciDoc, UciSection } from '#schema/config/uci'
import { durationS, ipv4Number } from '#schema/kit/network-rules'
import { perDocument } from './per-document.ts'
import { said } from './said.ts'
import { addressOf, netmaskOf } from './uplink.ts'

const sectionsOf = (doc: UciDoc, name: string, type: string): readonly UciSection[] =>
  doc[name]?.sections.filter((section) => section.type === type) ?? []

const isOn = (section: UciSection | undefined, option: string, initial: boolean): boolean =>
  flag({ package: '', type: '' }, option, initial).get(section && saidBy(section, option)) === true

const ipv4Text = (number: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')

/** A restored or edited file may say more than facts can: one value beyond its bounds would make all of them invalid. */
const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed()
const within = (value: number, from: number, to: number): number | undefined =>
  Number.isInteger(value) && value >= from && value <= to ? value : undefined
const LEASE_MAX_S = 31_536_000

export const lanOf = perDocument((doc) => {
  const { ip, prefix } = addressOf(doc['network']?.sections.find(({ name }) => name === 'lan'))
  const pool = sectionsOf(doc, 'dhcp', 'dhcp').find((section) => said(section, 'interface') === 'lan')
  const start = Number(said(pool, 'start') || 100)
  const limit = Number(said(pool, 'limit') || 150)
  const size = 2 ** (32 - prefix)
  const net = Math.floor((ipv4Number(ip) ?? 0) / size) * size
  const reserved = new Map(
    sectionsOf(doc, 'dhcp', 'host').flatMap((host) =>
      said(host, 'mac')
        .split(' ')
        .map((mac) => [mac.toUpperCase(), { ip: said(host, 'ip'), name: said(host, 'name') }] as const),
    ),
  )
  /** The n-th address of the pool, from 0; undefined: it is exhausted. */
  const nth = (n: number) => (n < limit && start + n < size - 1 ? ipv4Text(net + start + n) : undefined)
  return {
    ip,
    netmask: netmaskOf(prefix),
    dhcp: pool !== undefined && !isOn(pool, 'ignore', false),
    from: nth(0),
    to: ipv4Text(net + Math.min(start + limit - 1, size - 2)),
    leaseS: within(durationS(said(pool, 'leasetime') || '12h') ?? 0, 1, LEASE_MAX_S),
    reserved,
    nth,
  }
})

const securities: Readonly<Record<string, string>> = {
  none: 'open',
  owe: 'OWE',
  psk: 'WPA-PSK',
  psk2: 'WPA2-PSK',
  'psk-mixed': 'WPA/WPA2-PSK',
  sae: 'WPA3-SAE',
  'sae-mixed': 'WPA2/WPA3',
  wpa2: 'WPA2-EAP',
  wpa3: 'WPA3-EAP',
}
const bands: Readonly<Record<string, '2.4 GHz' | '5 GHz' | '6 GHz'>> = {
  '2g': '2.4 GHz',
  '5g': '5 GHz',
  '6g': '6 GHz',
}
/** The result of the driver's survey. */
const bestChannel = { '2.4 GHz': 11, '5 GHz': 149, '6 GHz': 37 } as const

/** The networks that it offers. */
export const accessPoints = perDocument((doc) =>
  sectionsOf(doc, 'wireless', 'wifi-iface')
    .filter((section) => said(section, 'mode') === 'ap')
    .map((section) => {
      const radio = sectionsOf(doc, 'wireless', 'wifi-device').find(
        ({ name }) => name === said(section, 'device'),
      )
      const band = bands[said(radio, 'band')] ?? '2.4 GHz'
      const [encryption = ''] = said(section, 'encryption').split('+')
      return {
        ssid: cut(said(section, 'ssid'), 32),
        on: !isOn(section, 'disabled', false) && !isOn(radio, 'disabled', false),
        band,
        channel: within(Number(said(radio, 'channel')), 1, 233) ?? bestChannel[band],
        security: securities[encryption] ?? cut(encryption || 'open', 32),
      }
    }),
)

const portIn = (section: UciSection | undefined, option: string): number | undefined => {
  const first = textOf(section && saidBy(section, option)).split(' ')[0] ?? ''
  return within(Number(first.split(':').at(-1)), 1, 65_535)
}

/** The services that accept logins, with their ports. */
export const remoteOf = perDocument((doc) => {
  const first = (name: string, type = name) => sectionsOf(doc, name, type)[0]
  const web = first('uhttpd')
  const port = portIn(web, 'listen_http') ?? portIn(web, 'listen_https')
  const ssh = first('dropbear')
  const telnet = first('telnet')
  const edge = first('n2n', 'edge')
  return {
    web: { enabled: port !== undefined, port: port ?? 80 },
    ssh: { enabled: ssh !== undefined && isOn(ssh, 'enable', true), port: portIn(ssh, 'Port') ?? 22 },
    telnet: { enabled: isOn(telnet, 'enabled', false), port: portIn(telnet, 'port') ?? 23 },
    n2n: { enabled: isOn(edge, 'enabled', false), address: cut(said(edge, 'ipaddr'), 64) || undefined },
  }
})

export const hostName = (doc: UciDoc): string => said(sectionsOf(doc, 'system', 'system')[0], 'hostname')
export const zoneName = (doc: UciDoc): string => said(sectionsOf(doc, 'system', 'system')[0], 'zonename')
export const ntpOn = (doc: UciDoc): boolean =>
  isOn(sectionsOf(doc, 'system', 'timeserver')[0], 'enabled', true)
export const ntpServer = (doc: UciDoc): string =>
  said(sectionsOf(doc, 'system', 'timeserver')[0], 'server').split(' ')[0] ?? ''

/** Sections of a service that are switched on. */
export const enabledIn = (doc: UciDoc, name: string, type: string): boolean =>
  sectionsOf(doc, name, type).some((section) => isOn(section, 'enabled', false))
/** A serial port that is in use. */
export const serialOn = (doc: UciDoc): boolean =>
  sectionsOf(doc, 'serial', 'port').some((section) => !['', 'off'].includes(said(section, 'mode')))
