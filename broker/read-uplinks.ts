/** What devices may send, and which of it the broker handles itself. */
import { gather, gatherDeclared, mismatch } from '#infra/gather'
import { isUplink, type Uplink } from '#schema/kit/message'
import { type BrokerUplink, isBrokerUplink } from './uplink.ts'

/** Whether the store keeps it. Other messages are answered or observed by a handler, and are plain MQTT without one. */
export const isKept = (uplink: Uplink): boolean => uplink.class === 'hot' || uplink.class === 'report'

/** @throws if an uplink of the broker has no handler, or more than one. */
export async function readUplinks() {
  const declared = await gatherDeclared(isUplink)
  const handled = await gather<BrokerUplink>(new URL('./uplinks/', import.meta.url), isBrokerUplink)
  const own = declared.filter((uplink) => uplink.class === 'hot' || uplink.class === 'session')
  const wrong = mismatch(
    own.map((uplink) => uplink.name),
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
