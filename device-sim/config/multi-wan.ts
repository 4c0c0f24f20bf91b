/** Whether `mwan3` lets the device's own connections out over an uplink, as its configuration says. */
import type { UciDoc, UciSection } from '#schema/config/uci'
import { ipv4Number } from '#schema/kit/network-rules'
import { said } from './said.ts'
import { inNetwork } from './site.ts'

const words = (section: UciSection | undefined, option: string) =>
  said(section, option).split(' ').filter(Boolean)

/** Nothing answers there: networks for documentation, and none at all. */
const SILENT: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['192.0.2.0', 24],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
]
const answers = (target: string): boolean =>
  ipv4Number(target) === null
    ? !target.toLowerCase().startsWith('bad')
    : !SILENT.some(([network, prefix]) => inNetwork(target, network, prefix))

/** It is switched on, and enough of its ping targets answer. */
function isUp(uplink: UciSection | undefined): boolean {
  if (said(uplink, 'enabled') !== '1') return false
  const targets = words(uplink, 'track_ip')
  const needed = Number(said(uplink, 'reliability')) || 1
  return targets.length === 0 || targets.filter(answers).length >= needed
}

/** Of a connection by TCP over IPv4 to anywhere; rules about addresses or ports are about other traffic. */
const concerns = (rule: UciSection): boolean =>
  said(rule, 'family') !== 'ipv6' &&
  ['', 'all', 'tcp'].includes(said(rule, 'proto')) &&
  ['', '0.0.0.0/0'].includes(said(rule, 'dest_ip')) &&
  ['src_ip', 'src_port', 'dest_port', 'ipset'].every((option) => said(rule, option) === '')

/** Why the device does not reach the platform over this interface; null: it does. */
export function multiWanProblem(doc: UciDoc, uplink: string): string | null {
  const sections = doc['mwan3']?.sections ?? []
  const named = (type: string, name: string) => sections.find((one) => one.type === type && one.name === name)
  const rule = sections.find((one) => one.type === 'rule' && concerns(one))
  const name = said(rule, 'use_policy')
  if (!rule || name === 'default') return null
  if (name === 'unreachable' || name === 'blackhole') return `mwan3: ${rule.name} makes everything ${name}`
  const policy = named('policy', name)
  // Its rule is left out.
  if (!policy) return null
  const leads = words(policy, 'use_member').some(
    (member) => said(named('member', member), 'interface') === uplink && isUp(named('interface', uplink)),
  )
  return leads || said(policy, 'last_resort') === 'default' ? null : `mwan3: no member of ${name} is up`
}
