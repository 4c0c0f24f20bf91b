import type { RemoteKind, RemoteScheme } from '#schema/remote/remote-access'

/** What the process that holds a tunnel knows of its session. */
export type TunnelSession = {
  id: string
  sn: string
  deviceId: number
  /** The device's owner when it was opened. */
  customerId: number
  userId: number
  kind: RemoteKind
  scheme: RemoteScheme
  host: string
  port: number
  /** What the device says to be its address in its LAN: hostile text. */
  lanAddress: string | null
  /** The name of its origin (ticket.ts). */
  label: string
}
