import { applyReport, countedStep, OFFERS_MAX, progress } from '#schema/task/task'
import {
  type BatchState,
  endItem,
  type ItemFacts,
  isActive,
  moveItem,
  withdrawItem,
} from '../inbox/batch-state.ts'
import { report } from '../kit/report.ts'

export const progressReport = report(progress, (state, { device, payload, receivedAt }) => {
  // A UUID may be written with capitals; PostgreSQL and we write it without.
  const item = state.items.get(payload.item.toLowerCase())
  // [threats 46] Of another device, unknown, or ended: changes nothing.
  if (!item || item.deviceId !== device.id || item.outcome !== null) return
  // Known only to a device that was offered it; about to be offered again, this word makes that needless.
  if (item.sending === 'none' && (item.offers === 0 || device.items.some(isActive))) return
  // Called back. `failed` with this name is how a cancelled item is told [docs/protocol.md]; the new one has a new id,
  // because the device that does not know the item may yet have been told never to begin it.
  const calledBack = payload.step === 'failed' && (payload.failure ?? 'unknownError') === 'unknownError'
  if (item.sending === 'withdrawing' && (payload.step === 'unknown' || calledBack))
    return withdrawItem(state, item)
  if (payload.step === 'unknown') return forgotten(state, item, receivedAt)
  // It goes on: it had begun to install when the call came, or what it says is older than the call.
  const going = payload.step === 'upgrading' || payload.step === 'done'
  if (item.sending !== 'sent' && (item.sending !== 'withdrawing' || going)) {
    item.sending = 'sent'
    item.changed = true
  }
  const next = applyReport(item, payload)
  if (next?.outcome === 'failed')
    return endItem(state, item, receivedAt, {
      outcome: 'failed',
      failure: next.failure ?? 'unknownError',
      detail: payload.detail ?? null,
    })
  if (next !== null) {
    // The boot in which it went to install: only a hello from another one can say that installing failed.
    if (next.step === 'upgrading' && item.step !== 'upgrading') item.fromBootId = device.bootId
    moveItem(state, item, receivedAt, next.step, next.percent)
  }
  // It goes on trying; should the time of the step run out, this is why.
  if (payload.failure && payload.step !== 'failed' && countedStep(payload.step) === item.step) {
    item.heldUpBy = payload.failure
    item.changed = true
  }
})

/** Asked, the device never had the offer: it is offered again, under the same id. */
function forgotten(state: BatchState, item: ItemFacts, at: Date): void {
  if (item.sending !== 'asking') return
  if (item.offers >= OFFERS_MAX) {
    const detail = `offered ${item.offers} times, never remembered`
    endItem(state, item, at, { outcome: 'failed', failure: 'unknownError', detail })
    return
  }
  item.sending = 'none'
  item.changed = true
  state.dispatch = true
}
