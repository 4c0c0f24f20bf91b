/** Sends one command and polls it until it ends. */
import { useState } from 'react'
import { commandEnds, getCommandList } from '#schema/command/command'
import { useCall } from '../kit/query.ts'
import type { CommandRow } from './command-banner.tsx'
import { startCommand, type Target } from './commands.ts'

const LOOK_EVERY_S = 1
/** The sent command is among the newest. */
const LOOK_AT = 10

export type Followed = {
  /** Starts `name`; a refusal is shown as a toast. */
  send: (target: Target, name: string, args: Record<string, unknown>) => void
  /** Follows a command that was sent elsewhere. */
  follow: (commandId: string) => void
  row: CommandRow | null
  busy: boolean
}

export function useFollowed(deviceId: number): Followed {
  const [id, setId] = useState<string | null>(null)
  const [ended, setEnded] = useState<CommandRow | null>(null)
  const waiting = id !== null && ended?.commandId !== id
  const list = useCall(
    getCommandList,
    { deviceId, limit: LOOK_AT },
    { enabled: waiting, refreshS: waiting ? LOOK_EVERY_S : 0 },
  )
  const row = list.data?.list.find(({ commandId }) => commandId === id) ?? null
  if (waiting && row && commandEnds.includes(row.state)) setEnded(row)
  const [sending, setSending] = useState(false)
  return {
    send: (target, name, args) => {
      setSending(true)
      void startCommand(target, name, args, setId).finally(() => setSending(false))
    },
    follow: setId,
    row: ended?.commandId === id ? ended : row,
    busy: sending || waiting,
  }
}
