/** A search in pieces, one command each: what was found so far stays, and it ends with the page. */
import { useEffect, useRef, useState } from 'react'
import { commandText } from '../command/command-banner.tsx'
import type { Target } from '../command/commands.ts'
import { serverNow } from '../kit/server/server-clock.ts'
import { runCommand } from './run-command.ts'

/** `done`: all was searched; not if it was stopped or refused: then nothing is known of what is left. */
type State<F> = { found: readonly F[]; share: number; busy: boolean; done: boolean; error: string | null }

const stopped = <S extends { busy: boolean }>(now: S): S => (now.busy ? { ...now, busy: false } : now)

export function useSearch<F>(target: Target, command: string) {
  const [state, setState] = useState<State<F>>({ found: [], share: 0, busy: false, done: false, error: null })
  const running = useRef<AbortController | null>(null)
  const stop = () => {
    running.current?.abort()
    running.current = null
    setState(stopped)
  }
  useEffect(
    () => () => {
      running.current?.abort()
      // The page may only be hidden: shown again, it must not look as if the search went on.
      setState(stopped)
    },
    [],
  )
  /** @param read what a result contains; a text: why the search ends here */
  const run = async (
    pieces: readonly Record<string, unknown>[],
    read: (result: Record<string, unknown>) => readonly F[] | string,
  ) => {
    running.current?.abort()
    const own = new AbortController()
    running.current = own
    setState({ found: [], share: 0, busy: true, done: false, error: null })
    const end = (error: string | null) => setState((now) => ({ ...now, busy: false, done: true, error }))
    for (const [at, piece] of pieces.entries()) {
      const row = await runCommand(target, command, piece, own.signal).catch((error: Error) => error)
      if (own.signal.aborted) return
      if (row instanceof Error) return end(row.message)
      if (!row) return setState(stopped)
      if (!row.result) return end(commandText(row, serverNow()))
      const said = read(row.result)
      if (typeof said === 'string') return end(said)
      setState((now) => ({ ...now, found: [...now.found, ...said], share: (at + 1) / pieces.length }))
    }
    end(null)
  }
  return { ...state, run, stop }
}
