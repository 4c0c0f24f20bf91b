/** The logged-in connections by serial number. */
import type { Guard } from './guard.ts'
import { limits } from './limits.ts'
import type { DevicePeer } from './peer.ts'

const LAGGING_BYTES = 1024 * 1024

export type DeviceGuard = Guard & { peer: DevicePeer }
export const isDevice = (guard: Guard): guard is DeviceGuard => guard.peer?.kind === 'device'

export function openFleet() {
  const bySn = new Map<string, Set<Guard>>()
  const services = new Set<Guard>()
  const nobody: ReadonlySet<Guard> = new Set()
  const all = new Set<Guard>()
  return {
    all,
    services: services as ReadonlySet<Guard>,
    bySn: (sn: string): ReadonlySet<Guard> => bySn.get(sn) ?? nobody,
    of: (sn: string): Guard[] => [...(bySn.get(sn) ?? [])],
    devices: (): DeviceGuard[] => [...all].filter(isDevice),
    /** Whether a connection of the same device is far behind with reading. */
    lags: (guard: Guard): boolean => {
      if (!isDevice(guard)) return false
      for (const other of bySn.get(guard.peer.sn) ?? []) if (other.writableLength > LAGGING_BYTES) return true
      return false
    },
    /** Cost of a packet: 4, plus more for each filter of the device that its message is matched against. */
    weigh: (guard: Guard): number => {
      let weight = 4
      if (isDevice(guard))
        for (const other of bySn.get(guard.peer.sn) ?? []) weight += other.filters.size >> 1
      return weight
    },
    /** False if the device already has its four auxiliary connections. */
    hasRoom: (sn: string, clientId: string): boolean =>
      [...(bySn.get(sn) ?? [])].filter(
        (guard) => isDevice(guard) && !guard.peer.main && guard.clientId !== clientId,
      ).length < limits.auxiliaryConnections,
    enter: (guard: Guard): void => {
      all.add(guard)
      if (guard.peer?.kind === 'service') services.add(guard)
      const sn = guard.peer && 'sn' in guard.peer ? guard.peer.sn : null
      if (sn !== null) {
        const set = bySn.get(sn) ?? new Set()
        set.add(guard)
        bySn.set(sn, set)
      }
      guard.once('close', () => {
        all.delete(guard)
        services.delete(guard)
        const set = sn === null ? undefined : bySn.get(sn)
        set?.delete(guard)
        if (sn !== null && set?.size === 0) bySn.delete(sn)
      })
    },
  }
}
export type Fleet = ReturnType<typeof openFleet>
