/** Sessions of remote operation, as commands use them: opened, waited for, watched, closed. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReplyOf } from '#schema/kit/call'
import { closeRemote, getRemote } from '#schema/remote/remote-session'
import { ask, askWithRetry } from './client.ts'
import { Exit, exitCodes } from './exit.ts'
import { note } from './print.ts'

type Session = ReplyOf<typeof getRemote>

const CONNECTING_MS = 200
const WATCH_MS = 5_000
/** How long the platform may be away while a session is watched. */
const AWAY_MS = 30_000

/** 4 for a session whose time was over, 1 for one that was ended or never came about. */
function ended({ endReason, endDetail }: Session): Exit {
  const isTime = endReason === 'idle' || endReason === 'expired'
  const why = [endReason ?? 'ended', endDetail].filter(Boolean).join(': ')
  return new Exit(isTime ? exitCodes.timedOut : exitCodes.failures, `the session has ended: ${why}`)
}

/** Waits for the tunnel. @throws Exit when the session ends instead */
export async function whenConnected({ sessionId }: { sessionId: string }): Promise<Session> {
  note('waiting for the device …')
  for (;;) {
    const session = await ask(getRemote, { sessionId })
    if (session.endedAt !== null) throw ended(session)
    if (session.tunnelAt !== null) return session
    await sleep(CONNECTING_MS)
  }
}

/** Rejects when the session ends; resolves when `stop` is aborted. */
export async function watchSession(sessionId: string, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await sleep(WATCH_MS, undefined, { signal: stop }).catch(() => undefined)
    if (stop.aborted) return
    const session = await askWithRetry(getRemote, { sessionId }, Date.now() + AWAY_MS)
    if (session.endedAt !== null) throw ended(session)
  }
}

/** Nothing is lost if it fails: the session ends by its time-outs. */
export const closeSession = (sessionId: string): Promise<unknown> =>
  ask(closeRemote, { sessionId }).catch((error: unknown) => note((error as Error).message))
