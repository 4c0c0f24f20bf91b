/** The site of a device: what its network operator provides, and how its owner has set it up. */
import { ipv4Number } from '#schema/kit/network-rules'
import type { Identity } from '../fleet.ts'
import { digits, share } from '../random.ts'

/** `configured`: false as it leaves the factory. */
export type Site = { readonly identity: Identity; readonly seed: number; readonly configured: boolean }

export const lanNet = ({ identity, seed, configured }: Site): string =>
  `192.168.${configured ? 10 + Math.floor(share(seed, identity.sn, 'lan') * 200) : 1}`

export const wifiKey = ({ identity, seed }: Site): string =>
  `shop-${digits(10, seed, identity.sn, 'wifiKey')}`

/** The operator's network: the address that DHCP or the modem gets there, and the only gateway that answers. */
export function uplinkOf({ sn }: Pick<Identity, 'sn'>) {
  const number = Number(sn.slice(-6)) || 1
  const net = `10.${64 + ((number >> 16) & 63)}`
  return {
    ip: `${net}.${(number >> 8) & 255}.${number & 255}`,
    netmask: '255.255.0.0',
    gateway: `${net}.0.1`,
    dns: [`${net}.0.1`, '223.5.5.5'],
  } as const
}

/** Both in the network that begins with `address`. */
export const inNetwork = (one: string, address: string, prefix: number): boolean => {
  const [a, b] = [ipv4Number(one), ipv4Number(address)]
  return a !== null && b !== null && Math.floor(a / 2 ** (32 - prefix)) === Math.floor(b / 2 ** (32 - prefix))
}
