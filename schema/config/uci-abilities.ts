/**
 * The abilities that a router needs for a UCI text, derived from its content: pages write their options accordingly.
 */
import type { Ability } from './ability.ts'
import type { UciDoc, UciSection } from './uci.ts'

type Sign = { package: string; type?: string; option?: string; value?: string }

const signs: readonly (readonly [Ability, Sign])[] = [
  ['swconfig', { package: 'network', type: 'switch' }],
  ['wifi', { package: 'wireless' }],
  ['mobile', { package: 'network', option: 'proto', value: 'qmi' }],
  ['mobile', { package: 'network', option: 'proto', value: 'modemmanager' }],
  ['qmi', { package: 'network', option: 'proto', value: 'qmi' }],
  ['modemmanager', { package: 'network', option: 'proto', value: 'modemmanager' }],
  ['mwan3', { package: 'mwan3' }],
  ['openvpn', { package: 'openvpn' }],
  ['openvpn', { package: 'network', option: 'proto', value: 'openvpn' }],
  ['openvpnNetifd', { package: 'network', option: 'proto', value: 'openvpn' }],
  ['n2n', { package: 'n2n' }],
  ['ser2net', { package: 'ser2net' }],
  ['mbusd', { package: 'mbusd' }],
  ['serial', { package: 'ser2net' }],
  ['serial', { package: 'mbusd' }],
  ['gpio', { package: 'system', type: 'gpio_switch' }],
  ['relayd', { package: 'network', option: 'proto', value: 'relay' }],
  ['watchcat', { package: 'watchcat' }],
  ['serialAgent', { package: 'serial' }],
  ['serial', { package: 'serial' }],
  ['simSwitch', { package: 'simswitch' }],
  ['sms', { package: 'sms' }],
  ['sensors', { package: 'sensors' }],
  ['sshKeys', { package: 'sshkeys' }],
]

const shows = ({ type, options }: UciSection, sign: Sign) =>
  (sign.type === undefined || type === sign.type) &&
  (sign.option === undefined ||
    options.some(({ name, value }) => name === sign.option && value === sign.value))

/** Without a switch of its own the network is DSA; the firewall is that of today. */
export function abilitiesOf(doc: UciDoc): ReadonlySet<string> {
  const found = signs.flatMap(([ability, sign]) =>
    doc[sign.package]?.sections.some((section) => shows(section, sign)) ? [ability] : [],
  )
  return new Set<Ability>([...found, 'fw4', ...(found.includes('swconfig') ? [] : (['dsa'] as const))])
}
