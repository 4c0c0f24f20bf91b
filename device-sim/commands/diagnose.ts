/**
 * A simulated network with fixed rules: `.invalid` does not exist, 192.0.2.0/24 is silent, everything else responds.
 */
import { isIP } from 'node:net'
import { lookUp, ping, traceroute } from '#schema/device/commands/diagnose'
import { obeys } from '../command.ts'
import { share } from '../random.ts'
import type { Part } from '../world.ts'

const round = (value: number) => Math.round(value * 10) / 10
const addressOf = (name: string): string | null => {
  if (isIP(name)) return name
  if (name.endsWith('.invalid')) return null
  const octet = (at: number) => 1 + Math.floor(share('dns', name, at) * 253)
  return `${20 + (octet(0) % 180)}.${octet(1)}.${octet(2)}.${octet(3)}`
}
const isSilent = (address: string) => address.startsWith('192.0.2.') || address.startsWith('2001:db8')
const farMs = ({ identity }: Part, address: string) =>
  (identity.model.radio ? 25 : 4) + share('far', address) * 60
const wait = ({ world, power }: Part, seconds: number) =>
  world.wheel.sleep((seconds * 1000) / world.speed, power)

export const obeyPing = obeys(ping, async (part, { target, count }) => {
  const address = addressOf(target)
  if (address === null) throw new Error(`bad address '${target}'`)
  await wait(part, count)
  const times = isSilent(address)
    ? []
    : Array.from({ length: count }, () => round(farMs(part, address) * part.dice.between(0.9, 1.4)))
  const lost = count - times.length
  return {
    address,
    sent: count,
    received: times.length,
    ...(times.length > 0 && {
      minMs: Math.min(...times),
      avgMs: round(times.reduce((sum, one) => sum + one, 0) / times.length),
      maxMs: Math.max(...times),
    }),
    output: [
      `PING ${target} (${address}): 56 data bytes`,
      ...times.map((time, i) => `64 bytes from ${address}: seq=${i} ttl=52 time=${time} ms`),
      `--- ${target} ping statistics ---`,
      `${count} packets transmitted, ${times.length} packets received, ${Math.round((lost / count) * 100)}% packet loss`,
    ],
  }
})

export const obeyTraceroute = obeys(traceroute, async (part, { target, maxHops }) => {
  const address = addressOf(target)
  if (address === null) throw new Error(`bad address '${target}'`)
  const silent = isSilent(address)
  const length = silent ? maxHops : Math.min(maxHops, 5 + Math.floor(share('hops', address) * 8))
  await wait(part, length / 3)
  const far = farMs(part, address)
  const hops = Array.from({ length }, (_, i) => {
    const hop = i + 1
    const last = hop === length && !silent
    const quiet = !last && (silent ? hop > 3 : share('quiet', address, hop) > 0.8)
    if (quiet) return { hop }
    return {
      hop,
      address: last ? address : `10.64.${hop}.${1 + Math.floor(share('hop', address, hop) * 250)}`,
      ms: round(((far * hop) / length) * part.dice.between(0.9, 1.3)),
    }
  })
  return {
    hops,
    reached: hops.at(-1)?.address === address,
    output: [
      `traceroute to ${target} (${address}), ${maxHops} hops max`,
      ...hops.map(({ hop, address: at, ms }) => (at ? `${hop}  ${at}  ${ms} ms` : `${hop}  *`)),
    ],
  }
})

export const obeyLookUp = obeys(lookUp, async (part, { name, type, server }) => {
  await wait(part, 0.2)
  const asked = server ?? '10.64.0.1'
  const tookMs = round(part.dice.between(8, 60))
  const address = addressOf(name)
  const shown = (status: 'ok' | 'noSuchName' | 'noRecords' | 'timedOut', records: string[]) => ({
    server: asked,
    status,
    records,
    ...(status !== 'timedOut' && { tookMs }),
    output: [`Server: ${asked}`, ...records.map((record) => `${name}  ${type}  ${record}`)],
  })
  if (isSilent(asked)) return shown('timedOut', [])
  if (address === null) return shown('noSuchName', [])
  if (type === 'A') return shown('ok', [address])
  if (type === 'NS') return shown('ok', [`ns1.${name}`, `ns2.${name}`])
  if (type === 'MX') return shown('ok', [`10 mail.${name}`])
  return shown('noRecords', [])
})
