/** The reply to a command that a task sent: accepted, done and failed are steps of its item. */

import type { z } from 'zod'
import { commandBook, kindNamed } from '#infra/task-kinds'
import type { reply } from '#schema/command/command'
import { endReason } from '#schema/task/end-reason'
import { type BatchState, type DeviceFacts, endItem, type ItemFacts, moveItem } from '../inbox/batch-state.ts'
import { resend } from './item-report.ts'

type Reply = z.output<(typeof reply)['payload']>

export function applyReply(
  state: BatchState,
  device: DeviceFacts,
  item: ItemFacts,
  said: Reply,
  at: Date,
): void {
  const failed = (detail: string) =>
    endItem(state, item, at, { outcome: 'failed', failure: 'upgradeFailed', detail })
  if (said.state === 'unknown') {
    resend(state, item, at)
    return
  }
  if (said.state === 'failed') {
    // Some commands return more than a sentence about the reason.
    const why = commandBook.get(item.command ?? '')?.reply.safeParse(said.result)
    if (why?.success) item.result = why.data as Record<string, unknown>
    failed(said.error ?? endReason('noReason'))
    return
  }
  if (said.state === 'done') {
    const result = commandBook.get(item.command ?? '')?.reply.safeParse(said.result ?? {})
    if (result && !result.success) {
      failed(endReason('badReply'))
      return
    }
    // Undeclared fields are dropped, because they would be shown as the device wrote them.
    item.result = (result?.data as Record<string, unknown> | undefined) ?? {}
  }
  moveItem(state, item, at, { step: 'upgrading', percent: null, news: item.step !== 'upgrading' })
  const { done } = kindNamed(item.kind)
  // Its hello from the new boot may have arrived before this reply.
  const back = done === 'newBoot' && device.bootId !== null && device.bootId !== item.fromBootId
  const isTarget =
    done === 'configHash' && said.state === 'done' && said.result?.['configHash'] === item.targetHash
  if (back || isTarget || (done === 'reply' && said.state === 'done'))
    endItem(state, item, at, { outcome: 'done' })
}
