/** What a device's word on one of its items may change, whatever message brings it. */
import { kindNamed } from '#infra/task-kinds'
import {
  type BatchState,
  type DeviceFacts,
  endItem,
  go,
  type ItemFacts,
  isActive,
} from '../inbox/batch-state.ts'

/** The running item that a device speaks of; null: of another device, unknown, ended, or not sent to it. [threats 46] */
export function spokenOf(state: BatchState, device: DeviceFacts, id: string): ItemFacts | null {
  // A UUID may be written with capitals; PostgreSQL and we write it without.
  const item = state.items.get(id.toLowerCase())
  if (!item || item.deviceId !== device.id || item.outcome !== null) return null
  // Known only to a device that was sent it; about to be sent again, this word makes that needless.
  if (item.sending === 'none' && (item.offers === 0 || device.items.some(isActive))) return null
  return item
}

/** Asked, the device never had the item: it is sent again, under the same id. */
export function forgotten(state: BatchState, item: ItemFacts, at: Date): void {
  if (item.sending !== 'asking') return
  if (item.offers >= kindNamed(item.kind).sendsMax) {
    const detail = `offered ${item.offers} times, never remembered`
    endItem(state, item, at, { outcome: 'failed', failure: 'unknownError', detail })
    return
  }
  go(item, 'forget')
  state.dispatch = true
}
