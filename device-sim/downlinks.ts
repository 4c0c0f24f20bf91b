/** Handles each message from the platform; unknown ones are ignored [docs/protocol.md: Unknown]. */
import type { z } from 'zod'
import { command, inquire } from '#schema/command/command'
import { enrolled } from '#schema/device/enrol'
import { welcome } from '#schema/device/hello'
import type { Downlink } from '#schema/kit/message'
import { plan } from '#schema/monitor/collection'
import { cancel, offer, query } from '#schema/task/task'
import type { Installer } from './installer.ts'
import type { Orders } from './orders.ts'
import type { Part } from './world.ts'

export type Listening = Part & {
  readonly installer: Installer
  readonly orders: Orders
  welcomed(said: z.output<typeof welcome.payload>): void
  /**
   * Resolves when the secret is stored on disk; without one in the message, the one that the device proposed is stored.
   */
  enrolled(secret: string | undefined): Promise<void>
}

type Ear = {
  readonly message: Downlink
  readonly hear: (device: Listening, payload: never) => Promise<void> | void
}
const ear = <P extends z.ZodType>(
  message: Downlink<P>,
  hear: (device: Listening, payload: z.output<P>) => Promise<void> | void,
): Ear => ({ message, hear })

export const ears: readonly Ear[] = [
  ear(welcome, (device, said) => {
    device.welcomed(said)
    return device.installer.restore.confirm()
  }),
  ear(enrolled, (device, { secret, refusal }) => {
    if (refusal === undefined) return device.enrolled(secret)
    device.world.log.warn({ sn: device.sn, refusal }, 'a device was refused enrolment')
  }),
  ear(offer, (device, given) => device.installer.offered(given)),
  ear(query, (device, { item }) => device.installer.queried(item)),
  ear(cancel, (device, { item }) => device.installer.cancelled(item)),
  ear(command, (device, order) => device.orders.commanded(order)),
  ear(plan, (device, document) => device.collector.take(document)),
  ear(inquire, (device, { id }) => device.orders.inquired(id)),
]

const byName = new Map(ears.map((one) => [one.message.name, one]))

/** Resolves when the message may be acknowledged. Unknown names and malformed payloads are logged and dropped. */
export async function listen(device: Listening, name: string, body: Buffer): Promise<void> {
  const found = byName.get(name)
  if (!found) return
  let payload: unknown
  try {
    payload = JSON.parse(body.toString())
  } catch {
    payload = undefined
  }
  const parsed = found.message.payload.safeParse(payload)
  if (parsed.success) return found.hear(device, parsed.data as never)
  device.world.log.warn({ sn: device.sn, name }, 'a malformed message of the platform was dropped')
}
