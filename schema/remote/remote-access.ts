/** Permissions of remote operation, and the targets of sessions. */

import { permission } from '../kit/permission.ts'

/** [§6] Function 90: required for every call, socket and page of remote operation. */
export const remoteOperationPermission = permission({
  id: 90,
  name: 'remoteOperation',
  role: 'operator',
  under: 'device-detail',
})
/** A separate permission for other machines behind the device. */
export const remoteLanPermission = permission({
  id: 9001,
  name: 'remoteLan',
  role: 'customerAdmin',
  under: 'device-detail',
})
export const remoteForcePermission = permission({
  id: 9002,
  name: 'remoteForce',
  role: 'customerAdmin',
  under: 'device-detail',
})

/** Watching another user's open terminal. */
export const remoteWatchPermission = permission({
  id: 9005,
  name: 'remoteWatch',
  role: 'customerAdmin',
  under: 'remote-session',
})

/**
 * The device's own shell, its own web page, a web page of a machine in its LAN, or TCP connections from the user's own
 * machine to a port of either.
 */
export const remoteKinds = ['terminal', 'web', 'lan', 'forward'] as const
export type RemoteKind = (typeof remoteKinds)[number]

export const isPageKind = (kind: RemoteKind) => kind === 'web' || kind === 'lan'

export const remoteSchemes = ['ssh', 'http', 'https', 'tcp'] as const
export type RemoteScheme = (typeof remoteSchemes)[number]

export type RemoteTarget = { readonly scheme: RemoteScheme; readonly host: string; readonly port: number }

/** The device's own loopback address. */
const SELF = '127.0.0.1'
const ports = { ssh: 22, http: 80, https: 443, tcp: 22 } as const

/** Whether a session's target is a machine other than the device. */
export const isBehind = ({ host }: { host: string }) => host !== SELF

/** The default target of a session. */
export const targetOf = (
  kind: RemoteKind,
  scheme: RemoteScheme,
  host = SELF,
  port?: number,
): RemoteTarget => ({
  scheme: kind === 'terminal' ? 'ssh' : scheme,
  host: kind === 'lan' || kind === 'forward' ? host : SELF,
  port: port ?? ports[kind === 'terminal' ? 'ssh' : scheme],
})

/** IPv4 networks of sites; no names, so that the device's resolver has no influence. */
const privateNets: readonly [net: string, bits: number][] = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
]

/** As a number; null if it is not an IPv4 address in its usual form. */
export function ipv4(text: string): number | null {
  const found = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/.exec(text)
  const octets = found?.slice(1).map(Number) ?? []
  if (octets.length !== 4 || octets.some((octet) => octet > 255)) return null
  return octets.reduce((sum, octet) => sum * 256 + octet, 0)
}

/** Whether an address can be a machine in a LAN: private IPv4, never loopback, link-local or multicast. */
export function isLanAddress(text: string): boolean {
  const address = ipv4(text)
  if (address === null) return false
  return privateNets.some(([net, bits]) => {
    const size = 2 ** (32 - bits)
    return Math.floor(address / size) === Math.floor((ipv4(net) ?? 0) / size)
  })
}
