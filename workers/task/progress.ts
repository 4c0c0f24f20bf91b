import { applyReport, countedStep, progress } from '#schema/task/task'
import { endItem, moveItem, withdrawItem } from '../inbox/batch-state.ts'
import { report } from '../kit/report.ts'
import { forgotten, spokenOf } from './item-word.ts'

export const progressReport = report(progress, (state, { device, payload, receivedAt }) => {
  const item = spokenOf(state, device, payload.item)
  if (!item) return
  // Called back. `failed` with this name is how a cancelled item is told [docs/protocol.md]; the new one has a new id,
  // because the device that does not know the item may yet have been told never to begin it.
  const calledBack = payload.step === 'failed' && (payload.failure ?? 'unknownError') === 'unknownError'
  if (item.sending === 'withdrawing' && (payload.step === 'unknown' || calledBack))
    return withdrawItem(state, item)
  if (payload.step === 'unknown') return forgotten(state, item, receivedAt)
  const next = applyReport(item, payload)
  if (next?.outcome === 'failed')
    return endItem(state, item, receivedAt, {
      outcome: 'failed',
      failure: next.failure ?? 'unknownError',
      detail: payload.detail ?? null,
    })
  // The boot in which it went to install: only a hello from another one can say that installing failed.
  if (next?.step === 'upgrading' && item.step !== 'upgrading') item.fromBootId = device.bootId
  // A repeat changes no step, but it proves that the item has arrived.
  const { step, percent } = next ?? item
  moveItem(state, item, receivedAt, { step, percent, news: next !== null })
  // It goes on trying; should the time of the step run out, this is why.
  if (payload.failure && payload.step !== 'failed' && countedStep(payload.step) === item.step) {
    item.heldUpBy = payload.failure
    item.changed = true
  }
})
