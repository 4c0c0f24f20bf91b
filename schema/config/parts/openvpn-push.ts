/** What an OpenVPN server pushes to its clients: routes and free lines, in one list of UCI. */
import { z } from 'zod'
import { ipv4Number, prefixOfNetmask } from '#schema/kit/network-rules'
import { shaped } from '#schema/kit/shape'
import type { Bound, Where } from '../bind.ts'
import { netmaskOf } from './interface.ts'

/** The init script puts it between quotes; OpenVPN takes at most 255 bytes of an option. */
export const pushLine = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .regex(shaped(/^[!#-~ ]*$/, 'pushLine'))

/** `10.8.0.0 255.255.255.0` as `10.8.0.0/24`; another notation is shown as nothing. */
export function asNetwork(said: string): string {
  const [address = '', netmask = ''] = said.split(/\s+/)
  const prefix = prefixOfNetmask(netmask)
  return ipv4Number(address) === null || prefix === null ? '' : `${address}/${prefix}`
}
export function asNetmask(network: string): string {
  const [address = '', prefix] = network.split('/')
  return `${address} ${netmaskOf(Number(prefix))}`
}

const ROUTE = /^route\s+(\S+\s+\S+)\s*$/
const routeIn = (item: string) => asNetwork(ROUTE.exec(item)?.[1] ?? '')
/** Routes with a gateway or a metric are lines. */
export const isRoute = (item: string): boolean => routeIn(item) !== ''

type Conversion = { readonly from: (item: string) => string; readonly to: (value: string) => string }

/** Routes and lines leave each other's items in their places. */
const pushedBound = (where: Where, isOwn: (item: string) => boolean, { from, to }: Conversion): Bound => ({
  where,
  option: 'push',
  get: (found) => [found ?? []].flat().filter(isOwn).map(from),
  put: (value, found) => {
    const waiting = (value as string[]).map(to)
    const kept = [found ?? []].flat().flatMap((item) => (isOwn(item) ? waiting.splice(0, 1) : [item]))
    const after = [...kept, ...waiting]
    return after.length > 0 ? after : null
  },
})

export const routesBound = (where: Where): Bound =>
  pushedBound(where, isRoute, { from: routeIn, to: (network) => `route ${asNetmask(network)}` })
export const linesBound = (where: Where): Bound =>
  pushedBound(where, (item) => !isRoute(item), { from: String, to: String })
