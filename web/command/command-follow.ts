/** Sends one command and polls it until it ends. */
import { useState } from 'react'
import { commandEnds, getCommandList } from '#schema/command/command'
import { useCall } from '../kit/query.ts'
import type { CommandRow } from './command-banner.tsx'
import { startCommand, type Target } from './commands.ts'

const LOOK_EVERY_S = 1
/** How many of the newest commands are read for the one that was just sent. */
export const LOOK_AT = 10
const LOOK_AT_MOST = 1_000

/** How many to read if it was not among `read`: a search for registers alone sends one each second, whoever else uses the device. */
export const lookFurther = (limit: number, read: readonly unknown[]): number =>
  read.length < limit ? limit : Math.min(LOOK_AT_MOST, limit * 10)

export type Followed = {
  /** Starts `name`; a refusal is shown as a toast. */
  send: (target: Target, name: string, args: Record<string, unknown>) => void
  /** Follows a command that was sent elsewhere. */
  follow: (commandId: string) => void
  row: CommandRow | null
  busy: boolean
}

export function useFollowed(deviceId: number): Followed {
  const [sent, setSent] = useState<{ id: string; atMs: number } | null>(null)
  const [limit, setLimit] = useState(LOOK_AT)
  const follow = (commandId: string) => {
    setSent({ id: commandId, atMs: Date.now() })
    setLimit(LOOK_AT)
  }
  const id = sent?.id ?? null
  const [ended, setEnded] = useState<CommandRow | null>(null)
  const waiting = id !== null && ended?.commandId !== id
  const list = useCall(
    getCommandList,
    { deviceId, limit },
    { enabled: waiting, refreshS: waiting ? LOOK_EVERY_S : 0 },
  )
  const row = list.data?.list.find(({ commandId }) => commandId === id) ?? null
  if (waiting && row && commandEnds.includes(row.state)) setEnded(row)
  // What was read before it was sent does not have it either.
  const further =
    waiting && !row && list.data && list.dataUpdatedAt > (sent?.atMs ?? 0)
      ? lookFurther(limit, list.data.list)
      : limit
  if (further !== limit) setLimit(further)
  const [sending, setSending] = useState(false)
  return {
    send: (target, name, args) => {
      setSending(true)
      void startCommand(target, name, args, follow).finally(() => setSending(false))
    },
    follow,
    row: ended?.commandId === id ? ended : row,
    busy: sending || waiting,
  }
}
