/** Sends a command whose result the page shows itself, and waits for its end. */
import { commandEnds, getCommandList } from '#schema/command/command'
import type { CommandRow } from '../command/command-banner.tsx'
import { startCommand, type Target } from '../command/commands.ts'
import { request } from '../kit/api.ts'

const LOOK_EVERY_MS = 700
/** The sent command is among the newest. */
const LOOK_AT = 10

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

/** null: it was refused, which has been shown, or the page was left. */
export async function runCommand(
  target: Target,
  name: string,
  args: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<CommandRow | null> {
  let sent: string | null = null
  await startCommand(target, name, args, (commandId) => {
    sent = commandId
  })
  if (sent === null) return null
  for (;;) {
    await pause(LOOK_EVERY_MS)
    if (signal.aborted) return null
    const { list } = await request(getCommandList, { deviceId: target.deviceId, limit: LOOK_AT }, signal)
    const row = list.find(({ commandId }) => commandId === sent)
    if (row && commandEnds.includes(row.state)) return row
  }
}
