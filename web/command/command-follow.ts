/** Sends one command and follows it to its end. */
import { useState } from 'react'
import { commandEnds, getCommandList, sendCommand } from '#schema/command/command'
import { useAction, useCall } from '../kit/query.ts'
import type { CommandRow } from './command-banner.tsx'

const LOOK_EVERY_S = 1
/** The one that was sent is among the newest. */
const LOOK_AT = 10

export type Followed = {
  /** Starts `name`; a refusal is toasted. */
  send: (name: string, args: Record<string, unknown>) => void
  /** Follows a command that was sent in another way. */
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
  const action = useAction(sendCommand, {
    refreshes: [getCommandList],
    onDone: ({ commandId }) => setId(commandId),
  })
  return {
    send: (name, args) => action.start({ deviceId, name, args }),
    follow: setId,
    row: ended?.commandId === id ? ended : row,
    busy: action.busy || waiting,
  }
}
