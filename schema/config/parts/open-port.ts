/** Ports of the device itself that a zone can reach: a port forward on them would hide the service. */
import { packageOf, saidBy, textOf } from '../bind.ts'
import type { UciDoc, UciSection } from '../uci.ts'
import { wordsOf } from '../zone.ts'
import { protocols } from './traffic-match.ts'

export type OpenPort = {
  readonly zone: string
  readonly name: string
  readonly protocols: readonly string[]
  readonly ports: string
}

const said = (section: UciSection, option: string) => textOf(saidBy(section, option))
const isOff = (section: UciSection, option: string) =>
  ['0', 'off', 'false', 'no', 'disabled'].includes(said(section, option).toLowerCase())
const sections = (doc: UciDoc, name: string, type: string) =>
  packageOf(doc, name).sections.filter((section) => section.type === type)

/** Rules that allow access to the device itself: with a source zone, without a destination zone. */
const byRules = (doc: UciDoc): OpenPort[] =>
  sections(doc, 'firewall', 'rule')
    .filter((rule) => said(rule, 'target').toUpperCase() === 'ACCEPT' && !isOff(rule, 'enabled'))
    .filter((rule) => said(rule, 'src') !== '' && said(rule, 'dest') === '')
    .flatMap((rule) =>
      wordsOf(rule, 'dest_port').map((ports) => ({
        zone: said(rule, 'src'),
        name: said(rule, 'name') || ports,
        protocols: protocols.get(saidBy(rule, 'proto')) as string[],
        ports,
      })),
    )

type Service = Omit<OpenPort, 'zone'>
const portOf = (listen: string) => /(?:^|\D)(\d{1,5})$/.exec(listen)?.[1] ?? ''

function services(doc: UciDoc): Service[] {
  const tcp = ['tcp']
  const web = sections(doc, 'uhttpd', 'uhttpd').flatMap((section) =>
    [...wordsOf(section, 'listen_http'), ...wordsOf(section, 'listen_https')].map(portOf),
  )
  const shell = sections(doc, 'dropbear', 'dropbear')
    .filter((section) => !isOff(section, 'enable'))
    .map((section) => said(section, 'Port') || '22')
  return [
    ...web.map((ports) => ({ name: 'uhttpd', protocols: tcp, ports })),
    ...shell.map((ports) => ({ name: 'dropbear', protocols: tcp, ports })),
  ].filter(({ ports }) => ports !== '')
}

/** A zone that accepts input reaches all services; one that does not say follows the defaults. */
function byZones(doc: UciDoc): OpenPort[] {
  const [defaults] = sections(doc, 'firewall', 'defaults')
  const inputOf = (zone: UciSection) => said(zone, 'input') || (defaults ? said(defaults, 'input') : '')
  return sections(doc, 'firewall', 'zone')
    .filter((zone) => inputOf(zone).toUpperCase() === 'ACCEPT')
    .flatMap((zone) => services(doc).map((service) => ({ ...service, zone: said(zone, 'name') })))
}

export const openPorts = (doc: UciDoc): OpenPort[] => [...byRules(doc), ...byZones(doc)]
