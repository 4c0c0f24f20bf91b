import { commandBook } from '#infra/task-kinds'
import { commandEnds, reply } from '#schema/command/command'
import { endReason } from '#schema/task/end-reason'
import type { BatchState, CommandFacts } from '../inbox/batch-state.ts'
import { report } from '../kit/report.ts'
import { applyReply } from '../task/item-reply.ts'
import { reportedItem } from '../task/item-report.ts'

export const replyReport = report(reply, (state, { device, payload, receivedAt }) => {
  const item = reportedItem(state, device, payload.id)
  if (item) return applyReply(state, device, item, payload, receivedAt)
  const command = state.commands.get(payload.id.toLowerCase())
  if (!command || command.deviceId !== device.id) return
  if (commandEnds.includes(command.state) || command.state === 'queued') return
  command.changed = true
  if (payload.state === 'unknown') {
    // Asked after a crash, the device says that it never got the command: it is sent again with the same id.
    if (command.state === 'sending') command.state = 'queued'
    return
  }
  if (payload.state === 'failed')
    return end(command, receivedAt, 'failed', payload.error ?? endReason('noReason'))
  const declared = commandBook.get(command.name)
  if (payload.state === 'done') {
    const result = declared?.reply.safeParse(payload.result ?? {})
    if (result && !result.success) return end(command, receivedAt, 'failed', endReason('badReply'))
    // Undeclared fields are dropped, because they would be shown as the device wrote them.
    command.result = (result?.data as Record<string, unknown> | undefined) ?? {}
  }
  if (declared?.verify === 'return') return returning(state, command, receivedAt)
  if (payload.state === 'done') return end(command, receivedAt, 'done', null)
  command.state = 'accepted'
})

/** Done only when the device is back with another boot id; its hello may have arrived before this reply. */
function returning(state: BatchState, command: CommandFacts, at: Date): void {
  const bootId = state.devices.get(command.deviceId)?.bootId
  if (bootId !== undefined && bootId !== command.fromBootId) end(command, at, 'done', null)
  else command.state = 'accepted'
}

function end(command: CommandFacts, at: Date, state: 'done' | 'failed', error: string | null) {
  command.state = state
  command.error = error
  command.endedAt = at
}
