/** What a device's message about one of its items may change, whichever message it is. */

import { kindNamed } from '#infra/task-kinds'
import { endReason } from '#schema/task/end-reason'
import {
  type BatchState,
  type DeviceFacts,
  endItem,
  go,
  type ItemFacts,
  isActive,
} from '../inbox/batch-state.ts'

/**
 * The running item that a device refers to; null if it belongs to another device, is unknown, has ended, or
 * was not sent to it. [threats 46]
 */
export function reportedItem(state: BatchState, device: DeviceFacts, id: string): ItemFacts | null {
  // A UUID may be written in upper case; PostgreSQL and we write it in lower case.
  const item = state.items.get(id.toLowerCase())
  if (!item || item.deviceId !== device.id || item.outcome !== null) return null
  // It has proved itself: what it still says about the item is old.
  if (item.sending === 'soaking') return null
  // Only a device that was sent the item knows it; if it is about to be sent again, this message makes that
  // unnecessary.
  if (item.sending === 'none' && (item.offers === 0 || device.items.some(isActive))) return null
  return item
}

/** Asked, the device says that it never had the item: it is sent again with the same id. */
export function resend(state: BatchState, item: ItemFacts, at: Date): void {
  if (item.sending !== 'asking') return
  if (item.offers >= kindNamed(item.kind).sendsMax) {
    const detail = endReason(`neverReceived:${item.offers}`)
    endItem(state, item, at, { outcome: 'failed', failure: 'unknownError', detail })
    return
  }
  go(item, 'forget')
  state.dispatch = true
}
