/**
 * Which machines behind its devices a customer or a group allows as targets: one rule per line,
 * `192.168.1.0/24:80,443,8000-8100`. An address without a prefix length is one machine, a rule without ports allows all
 * ports, and `none` allows nothing.
 */
import { ipv4, isLanAddress } from './remote-access.ts'

const RULES_MAX = 50
const NONE = 'none'

type Rule = { net: number; bits: number; ports: readonly (readonly [from: number, to: number])[] | null }

const inNet = (address: number, net: number, bits: number) =>
  Math.floor(address / 2 ** (32 - bits)) === Math.floor(net / 2 ** (32 - bits))

const textOf = (address: number) =>
  [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.')

function portsOf(text: string): Rule['ports'] {
  const ports = text.split(',').map((part) => {
    const found = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(part)
    const from = Number(found?.[1])
    return [from, Number(found?.[2] ?? from)] as const
  })
  return ports.every(([from, to]) => from >= 1 && to <= 65_535 && from <= to) ? ports : null
}

function ruleOf(line: string): Rule | null {
  const found = /^([\d.]+)(?:\/(\d{1,2}))?(?::([\d,-]+))?$/.exec(line)
  const net = ipv4(found?.[1] ?? '')
  const bits = Number(found?.[2] ?? 32)
  if (!found || net === null || bits < 8 || bits > 32) return null
  const size = 2 ** (32 - bits)
  const first = Math.floor(net / size) * size
  // A network that contains any non-LAN address is refused instead of reduced, so that the rule as written is what
  // applies.
  if (!isLanAddress(textOf(first)) || !isLanAddress(textOf(first + size - 1))) return null
  const ports = found[3] === undefined ? null : portsOf(found[3])
  return found[3] !== undefined && ports === null ? null : { net, bits, ports }
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

export function isTargetPolicy(text: string): boolean {
  const lines = linesOf(text)
  if (lines.length === 1 && lines[0] === NONE) return true
  return lines.length <= RULES_MAX && lines.every((line) => ruleOf(line) !== null)
}

/** @param policy null or empty: any machine in a LAN, any port */
export function allowsTarget(policy: string | null, { host, port }: { host: string; port: number }): boolean {
  const address = ipv4(host)
  if (address === null || !isLanAddress(host)) return false
  const lines = linesOf(policy ?? '')
  if (lines.length === 0) return true
  return lines.some((line) => {
    const rule = ruleOf(line)
    if (!rule || !inNet(address, rule.net, rule.bits)) return false
    return rule.ports === null || rule.ports.some(([from, to]) => port >= from && port <= to)
  })
}
