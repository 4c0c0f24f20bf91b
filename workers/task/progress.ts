import { kindNamed } from '#infra/task-kinds'
import { applyReport, arrived, countedStep, progress } from '#schema/task/task'
import { endItem, go, moveItem, withdrawItem } from '../inbox/batch-state.ts'
import { report } from '../kit/report.ts'
import { reportedItem, resend } from './item-report.ts'

export const progressReport = report(progress, (state, { device, payload, receivedAt }) => {
  const item = reportedItem(state, device, payload.item)
  if (!item) return
  // It was called back. `failed` with this name is the documented response for a cancelled item
  // [docs/protocol.md]. The new item needs a new id, because a device that does not know the old one may
  // still receive the `cancel` for it.
  const calledBack = payload.step === 'failed' && (payload.failure ?? 'unknownError') === 'unknownError'
  if (item.sending === 'withdrawing' && (payload.step === 'unknown' || calledBack))
    return withdrawItem(state, item)
  if (payload.step === 'unknown') return resend(state, item, receivedAt)
  // What it installed without a reboot: the hello that proves it may have arrived before the report of the step.
  if (payload.step === 'done' && kindNamed(item.kind).done === 'version' && arrived(item, device)) {
    // It waits to be sent again, but the first message has arrived after all.
    if (item.sending === 'none') go(item, 'speak', 'upgrading')
    return endItem(state, item, receivedAt, { outcome: 'done' })
  }
  const next = applyReport(item, payload)
  if (next?.outcome === 'failed')
    return endItem(state, item, receivedAt, {
      outcome: 'failed',
      failure: next.failure ?? 'unknownError',
      detail: payload.detail ?? null,
    })
  // The boot in which installation began: only a hello from another one can prove that it failed.
  if (next?.step === 'upgrading' && item.step !== 'upgrading') item.fromBootId = device.bootId
  // A repeated report changes no step, but it proves that the item has arrived.
  const { step, percent } = next ?? item
  moveItem(state, item, receivedAt, { step, percent, news: next !== null })
  // The device keeps retrying; if the deadline of the step passes, this is the failure.
  if (payload.failure && payload.step !== 'failed' && countedStep(payload.step) === item.step) {
    item.heldUpBy = payload.failure
    item.changed = true
  }
})
