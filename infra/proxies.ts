/** Which peers may state the client's address: TRUSTED_PROXIES. */
import { BlockList, isIP } from 'node:net'

const kind = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
const loopback = ['127.0.0.0/8', '::1']

/** Addresses and networks (`10.0.0.0/8`, `loopback`), separated by commas. null if one of them is invalid. */
export function readProxies(text: string): BlockList | null {
  const list = new BlockList()
  const parts = text.split(',').map((part) => part.trim())
  for (const part of parts.filter(Boolean).flatMap((one) => (one === 'loopback' ? loopback : [one]))) {
    const [address = '', bits, more] = part.split('/')
    const most = isIP(address) === 6 ? 128 : 32
    if (isIP(address) === 0 || more !== undefined) return null
    if (bits === undefined) list.addAddress(address, kind(address))
    else if (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
      list.addSubnet(address, Number(bits), kind(address))
    else return null
  }
  return list
}

export const isAmong = (list: BlockList, address: string): boolean =>
  isIP(address) !== 0 && list.check(address, kind(address))

export const isLoopback = (address: string): boolean => isAmong(ownMachine, address)
const ownMachine = readProxies('loopback') ?? new BlockList()

/** Some proxies add the client's port: `198.51.100.7:40122`, `[2001:db8::7]:40122`. */
export function withoutPort(named: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(named) ?? []
  const address = bracketed ?? plain ?? named
  return isIP(address) === 0 ? named : address
}

/**
 * The client's address: the peer, or the last address named by a trusted peer, and so on backwards. Everything before
 * the first untrusted address was sent by that one and may be forged; so may anything that is no address.
 */
export function clientOf(list: BlockList, peer: string, forwardedFor: string | undefined): string {
  const named = (forwardedFor ?? '').split(',').map((part) => withoutPort(part.trim()))
  let client = peer
  while (named.length > 0 && isAmong(list, client)) {
    const next = named.pop() ?? ''
    if (isIP(next) === 0) break
    client = next
  }
  return client
}
