/** Sends a command whose result the page shows itself, and waits for its end. */
import { commandEnds, getCommandList } from '#schema/command/command'
import type { CommandRow } from '../command/command-banner.tsx'
import { LOOK_AT, lookFurther } from '../command/command-follow.ts'
import { startCommand, type Target } from '../command/commands.ts'
import { request } from '../kit/api.ts'

const LOOK_EVERY_MS = 700

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
  let limit = LOOK_AT
  for (;;) {
    await pause(LOOK_EVERY_MS)
    if (signal.aborted) return null
    const { list } = await request(getCommandList, { deviceId: target.deviceId, limit }, signal)
    const row = list.find(({ commandId }) => commandId === sent)
    if (row && commandEnds.includes(row.state)) return row
    if (!row) limit = lookFurther(limit, list)
  }
}
