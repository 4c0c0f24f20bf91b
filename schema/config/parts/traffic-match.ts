/** What rules and port forwards of the firewall match, and when two of them match the same. */
import { portsOf } from '#schema/kit/network-rules'
import { type Text, textOf } from '../bind.ts'
import type { RowBound } from '../bind-rows.ts'
import { ruled, ruledOrNone } from '../page-fields.ts'

export const protocol = ruled('protocol', 32)
export const ruleName = ruledOrNone('ruleName', 100)

/** Other words for the same. */
const FORMER: Readonly<Record<string, readonly string[]>> = { tcpudp: ['tcp', 'udp'], '*': ['all'] }

/** As the device reads them: in small letters, one protocol each. */
export const protocolsOf = (words: readonly string[]): string[] =>
  words.map((word) => word.toLowerCase()).flatMap((word) => FORMER[word] ?? [word])

const wordsIn = (found: Text | undefined) => protocolsOf(textOf(found).split(/\s+/).filter(Boolean))

/** Without the option, TCP and UDP. */
export const protocols: RowBound = {
  option: 'proto',
  get: (found) => (found === undefined ? ['tcp', 'udp'] : wordsIn(found)),
  put: (value) => protocolsOf(value as string[]).join(' ') || null,
}

export const policies = ['ACCEPT', 'REJECT', 'DROP'] as const
export type Policy = (typeof policies)[number]

/** Both cases are in use. */
export const policy = (option: string, initial: Policy): RowBound => ({
  option,
  get: (found) => policies.find((one) => one === textOf(found).toUpperCase()) ?? initial,
  put: String,
})

/** Ports mean something to these only. */
export const havePorts = (words: readonly string[]) =>
  words.length > 0 && protocolsOf(words).every((word) => ['tcp', 'udp'].includes(word))

/** firewall3 matches all other protocols, firewall4 ignores the `!` and matches this one. */
export const isIgnored = (words: readonly string[], abilities: ReadonlySet<string>) =>
  abilities.has('fw4') && words.some((word) => word.startsWith('!'))

/** The device takes these for IPv6 whatever else is said. */
export const areIpv6 = (words: readonly string[]) =>
  protocolsOf(words).some((word) => ['icmpv6', 'ipv6-icmp', '58'].includes(word))

export const isIpv6Match = (address: string) => address.includes(':')

const isAny = (words: readonly string[]) =>
  words.length === 0 || words.includes('all') || words.includes('any')

export const shareProtocol = (one: readonly string[], other: readonly string[]) => {
  const [first, second] = [protocolsOf(one), protocolsOf(other)]
  return isAny(first) || isAny(second) || first.some((word) => second.includes(word))
}

const ALL_PORTS = [1, 65_535] as const

/** '': all ports. */
export const sharePorts = (one: string, other: string): boolean => {
  const [first, last] = portsOf(one) ?? ALL_PORTS
  const [from, to] = portsOf(other) ?? ALL_PORTS
  return first <= to && from <= last
}
