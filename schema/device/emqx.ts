/**
 * HTTP requests of an EMQX 5 to the platform: the bodies sent by its configuration in docs/operations.md, and the
 * decisions that need no database; pure. Fields that are not declared here are ignored.
 */
import { z } from 'zod'
import { auxiliaryOwner } from './auxiliary.ts'
import { ENROL_USER_PREFIX } from './enrol.ts'
import { serialNumber } from './hello.ts'
import { devicePublishes, deviceSubscribes, enrollingPublishes, enrollingSubscribes } from './own-topics.ts'
import type { OfflineReason } from './presence.ts'

/** EMQX writes `undefined` if a client has sent none. */
const text = z.string().max(1024).catch('')

export const emqxLogin = z.object({ clientid: text, username: text, password: text })
export const emqxAction = z.object({
  clientid: text,
  username: text,
  topic: z.string().max(65_535),
  action: z.enum(['publish', 'subscribe']),
})
const atMs = z.number().int().min(0).max(8_640_000_000_000)
export const emqxEvent = z.discriminatedUnion('event', [
  z.object({
    event: z.literal('client.connected'),
    clientid: text,
    username: text,
    peername: text,
    connected_at: atMs,
  }),
  z.object({
    event: z.literal('client.disconnected'),
    clientid: text,
    username: text,
    peername: text,
    connected_at: atMs,
    disconnected_at: atMs,
    reason: text,
  }),
])
export type EmqxEvent = z.output<typeof emqxEvent>

const TAG = /^[A-Za-z0-9_-]{1,16}$/
export const isSerial = (name: string): boolean => serialNumber.safeParse(name).success

/** Whether the client id belongs to the user name: `{sn}`, or `{sn}:{tag}` of an auxiliary connection. */
export function isOwnId(sn: string, clientId: string): boolean {
  const [first, tag, rest] = clientId.split(':')
  return first === sn && rest === undefined && (tag === undefined || TAG.test(tag))
}

/** The serial number that logs in: an auxiliary connection may have its own user name. */
export const serialOf = ({ username, clientid }: { username: string; clientid: string }): string =>
  (username === clientid ? auxiliaryOwner(username) : null) ?? username

/** The same rules as in our own broker; client ids were bound to user names at login. */
export function emqxAllows({ clientid, username, topic, action }: z.output<typeof emqxAction>): boolean {
  if (username.startsWith(ENROL_USER_PREFIX)) {
    if (!isSerial(clientid)) return false
    return action === 'publish' ? enrollingPublishes(clientid, topic) : enrollingSubscribes(clientid, topic)
  }
  const sn = serialOf({ username, clientid })
  if (!isSerial(sn) || !isOwnId(sn, clientid)) return false
  return action === 'publish' ? devicePublishes(sn, topic) : deviceSubscribes(sn, topic)
}

const reasons: Readonly<Record<string, OfflineReason>> = {
  normal: 'disconnected',
  keepalive_timeout: 'keepalive',
  takenover: 'takenOver',
  discarded: 'takenOver',
  kicked: 'revoked',
}
/** EMQX has many reasons; these are the ones that the platform distinguishes. */
export const offlineReasonOf = (reason: string): OfflineReason => reasons[reason] ?? 'socketClosed'

/** `203.0.113.7:50123`, `[2001:db8::1]:50123` or `2001:db8::1:50123` → the address. */
export function addressOf(peername: string): string | null {
  const end = peername.lastIndexOf(':')
  const address = peername.slice(0, end).replace(/^\[|\]$/g, '')
  return end > 0 && /^[0-9A-Fa-f.:]{2,45}$/.test(address) ? address : null
}
