/** Parts of an interface of the package `network` that several pages have. */
import { ipv4Number, isIpv4, isIpv4Network, prefixOfNetmask } from '#schema/kit/network-rules'
import {
  type Bound,
  saidBy,
  sectionOf,
  type Text,
  text,
  textOf,
  type Where,
  withOption,
  withSection,
} from '../bind.ts'
import type { UciDoc } from '../uci.ts'

export const netmaskOf = (prefix: number): string =>
  [24, 16, 8, 0].map((shift) => Math.floor((2 ** 32 - 2 ** (32 - prefix)) / 2 ** shift) % 256).join('.')

/** All addresses of the option: a list, or one text with several. */
const listOf = (found: Text | undefined): readonly string[] =>
  typeof found === 'string' ? found.split(/\s+/).filter(Boolean) : (found ?? [])

const first = (found: Text | undefined) => listOf(found)[0] ?? ''

/** The netmask of `192.168.1.1/24`; '' if the address has none. */
function maskInAddress(doc: UciDoc, where: Where): string {
  const [, bits] = first(saidBy(sectionOf(doc, where), 'ipaddr')).split('/')
  return bits !== undefined && /^\d+$/.test(bits) ? netmaskOf(Number(bits)) : ''
}

/** The address and netmask of an interface, also if they are written as `192.168.1.1/24` or as a list, whose further addresses are kept. */
export function addressOf(doc: UciDoc, where: Where): { address: Bound; netmask: Bound } {
  const address = text(where, 'ipaddr')
  const netmask = text(where, 'netmask')
  return {
    address: {
      ...address,
      get: (found) => first(found).split('/')[0] ?? '',
      put: (value, found) => {
        const further = listOf(found).slice(1)
        return value && further.length > 0 ? [String(value), ...further] : address.put(value)
      },
    },
    netmask: { ...netmask, get: (found) => textOf(found) || maskInAddress(doc, where) },
  }
}

/**
 * For `finish`: the device ignores the option `netmask` for an address that is written with its own `/24`. When one of the two was changed, the
 * address is written without, and the netmask as an option.
 */
export function keepNetmask(doc: UciDoc, where: Where, netmask: string | undefined, before: UciDoc): UciDoc {
  const shown = (of: UciDoc) => {
    const bounds = addressOf(of, where)
    const section = sectionOf(of, where)
    return [
      bounds.address.get(saidBy(section, 'ipaddr')),
      bounds.netmask.get(saidBy(section, 'netmask')),
    ].join('/')
  }
  const [address, ...further] = listOf(saidBy(sectionOf(doc, where), 'ipaddr'))
  if (!netmask || address === undefined || shown(doc) === shown(before)) return doc
  const plain = address.split('/')[0] ?? ''
  return withSection(doc, where, (section) =>
    withOption(
      withOption(section, 'ipaddr', further.length > 0 ? [plain, ...further] : plain),
      'netmask',
      netmask,
    ),
  )
}

/** The network of an address as a number; null: one of them is no address. */
export function maskOf(address: string, netmask: string): number | null {
  const number = ipv4Number(address)
  const prefix = prefixOfNetmask(netmask)
  return number === null || prefix === null ? null : Math.floor(number / 2 ** (32 - prefix))
}

/** `192.168.8.1/24` of an interface with one address; '' if it has none. */
export function networkOf(doc: UciDoc, where: Where): string {
  const section = sectionOf(doc, where)
  const { address, netmask } = addressOf(doc, where)
  const prefix = prefixOfNetmask(String(netmask.get(saidBy(section, 'netmask'))))
  const own = String(address.get(saidBy(section, 'ipaddr')))
  return isIpv4(own) && prefix !== null ? `${own}/${prefix}` : ''
}

/** Networks of all further addresses of an interface; a list may give each its own prefix, and those without one have the netmask. */
export function furtherNetworksOf(doc: UciDoc, where: Where): string[] {
  const section = sectionOf(doc, where)
  const [, ...further] = listOf(saidBy(section, 'ipaddr'))
  const netmask = prefixOfNetmask(textOf(saidBy(section, 'netmask')))
  return further.flatMap((one) => {
    const [own = '', bits = String(netmask ?? '')] = one.split('/')
    const network = `${own}/${bits}`
    return isIpv4Network(network) ? [network] : []
  })
}

/** Whether two networks such as `10.8.0.0/24` share addresses; one that is none shares nothing. */
export function overlap(one: string, other: string): boolean {
  if (!isIpv4Network(one) || !isIpv4Network(other)) return false
  const [[first = '', bits], [second = '', others]] = [one.split('/'), other.split('/')]
  const size = 2 ** (32 - Math.min(Number(bits), Number(others)))
  return Math.floor((ipv4Number(first) ?? 0) / size) === Math.floor((ipv4Number(second) ?? 0) / size)
}

/** Since 21.02 MAC address and MTU belong to the `config device` of the interface's `device`; before, to the interface. */
export function deviceSection(doc: UciDoc, where: Where): Where {
  const device = textOf(saidBy(sectionOf(doc, where), 'device'))
  return device === '' ? where : { package: where.package, type: 'device', match: { name: device } }
}
