import { commandBook } from '#infra/task-kinds'
import { commandEnds, reply } from '#schema/command/command'
import type { BatchState, CommandFacts } from '../inbox/batch-state.ts'
import { report } from '../kit/report.ts'
import { applyReply } from '../task/item-reply.ts'
import { spokenOf } from '../task/item-word.ts'

export const replyReport = report(reply, (state, { device, payload, receivedAt }) => {
  const item = spokenOf(state, device, payload.id)
  if (item) return applyReply(state, device, item, payload, receivedAt)
  const command = state.commands.get(payload.id.toLowerCase())
  if (!command || command.deviceId !== device.id) return
  if (commandEnds.includes(command.state) || command.state === 'queued') return
  command.changed = true
  if (payload.state === 'unknown') {
    // Asked after a crash, the device never had it: sent again under the same id.
    if (command.state === 'sending') command.state = 'queued'
    return
  }
  if (payload.state === 'failed')
    return end(command, receivedAt, 'failed', payload.error ?? 'the device gave no reason')
  const declared = commandBook.get(command.name)
  if (payload.state === 'done') {
    const result = declared?.reply.safeParse(payload.result ?? {})
    if (result && !result.success)
      return end(command, receivedAt, 'failed', 'the reply is not what this command answers')
    // What is not declared is not kept: it would be shown as the device wrote it.
    command.result = (result?.data as Record<string, unknown> | undefined) ?? {}
  }
  if (declared?.verify === 'return') return returning(state, command, receivedAt)
  if (payload.state === 'done') return end(command, receivedAt, 'done', null)
  command.state = 'accepted'
})

/** Done only when the device is back from another boot; its hello may have been quicker than this word. */
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
