/** What devices may send, and which of it the broker handles itself. */
import { gather, gatherDeclared, mismatch } from '#infra/gather'
import { gone } from '#schema/device/gone'
import { isUplink, type Uplink, type UplinkClass } from '#schema/kit/message'
import { type BrokerUplink, isBrokerUplink } from './uplink.ts'

/** Whether the store keeps it. Other messages are answered or observed by a handler, and are plain MQTT without one. */
export const isKept = (uplink: Uplink): boolean => uplink.class === 'hot' || uplink.class === 'report'

type Named = Pick<Uplink, 'name' | 'class'>

/** Reports have their handlers in the workers; messages about a connection are handled by the ingest itself. */
export function uplinkFaults(declared: readonly Named[], handled: readonly string[]): string[] {
  const named = (...classes: UplinkClass[]) =>
    declared.filter((uplink) => classes.includes(uplink.class)).map(({ name }) => name)
  return [...mismatch(named('hot', 'session'), handled), ...mismatch(named('presence'), [gone.name])]
}

/** @throws if an uplink of the broker has no handler, or more than one. */
export async function readUplinks() {
  const declared = await gatherDeclared(isUplink)
  const handled = await gather<BrokerUplink>(new URL('./uplinks/', import.meta.url), isBrokerUplink)
  const wrong = uplinkFaults(
    declared,
    handled.map((entry) => entry.uplink.name),
  )
  if (wrong.length > 0) throw new Error(`broker/uplinks: ${wrong.join('; ')}`)
  return {
    declared,
    hot: handled.filter((entry) => entry.kind === 'hotUplink'),
    filed: handled.filter((entry) => entry.kind === 'filedUplink'),
    session: handled.find((entry) => entry.kind === 'sessionUplink'),
  }
}
