/** One session as a page uses it: opened by a button, followed until it ends, extended and closed. */
import { useState } from 'react'
import type { BodyOf, ReplyOf } from '#schema/kit/call'
import type { RemoteKind } from '#schema/remote/remote-access'
import { remoteRefusals } from '#schema/remote/remote-refusals'
import {
  closeRemote,
  extendRemote,
  getOwnRemote,
  getRemote,
  getRemoteList,
  openRemote,
  openRemoteLan,
} from '#schema/remote/remote-session'
import { ApiError } from '../kit/api.ts'
import { moment, UNKNOWN } from '../kit/format.ts'
import { t } from '../kit/i18n.ts'
import { nameText } from '../kit/known-name.ts'
import { useAction, useCall } from '../kit/query.ts'
import { toast } from '../kit/toast.tsx'
import { endSession } from './close-session.ts'

export type Session = ReplyOf<typeof getRemote>

/** Why it could not be opened; since when it is in use in the user's own time, not in that of the server. */
function refusalText(error: unknown): string {
  if (!(error instanceof ApiError)) return String(error)
  const { who, since } = (error.data ?? {}) as { who?: string | null; since?: string }
  if (error.code !== remoteRefusals.remoteInUse.code || since === undefined) return error.message
  return t('remote:inUse', { who: nameText(who) ?? UNKNOWN, since: moment(since) })
}

const CONNECTING_S = 0.5
const OPEN_S = 5

export function useRemote() {
  const [sessionId, setSessionId] = useState<string | null>(null)
  const [refusal, setRefusal] = useState<string | null>(null)
  const own = { quiet: true, refreshes: [getRemoteList] }
  const open = useAction(openRemote, own)
  const openLan = useAction(openRemoteLan, own)
  const extend = useAction(extendRemote, {
    refreshes: [getRemote, getRemoteList],
    // An approved access is not extended by who asked for it.
    onDone: ({ expiresAt }) =>
      expiresAt === session?.expiresAt
        ? void toast('warning', t('remote:notExtended', { until: moment(expiresAt) }))
        : void toast('success', t('remote:extended', { until: moment(expiresAt) })),
  })
  const [fast, setFast] = useState(true)
  const read = useCall(
    getRemote,
    { sessionId: sessionId ?? '' },
    { enabled: sessionId !== null, refreshS: fast ? CONNECTING_S : OPEN_S, staleMs: 0 },
  )
  const session = sessionId === null ? undefined : read.data
  const settled = session !== undefined && session.state !== 'requested'
  if (settled === fast && sessionId !== null) setFast(!settled)

  async function begin(opening: Promise<{ sessionId: string }>) {
    setRefusal(null)
    setSessionId(null)
    setFast(true)
    try {
      const made = await opening
      setSessionId(made.sessionId)
    } catch (error) {
      setRefusal(refusalText(error))
    }
  }
  return {
    session,
    read,
    /** Why it could not be asked for. */
    refusal,
    busy: open.busy || openLan.busy,
    isOpen: session !== undefined && session.endedAt === null,
    isUp: session !== undefined && session.endedAt === null && session.tunnelAt !== null,
    open: (body: BodyOf<typeof openRemote>) => begin(open.run(body)),
    /** Goes on with a session that is open. */
    join: (id: string) => {
      setRefusal(null)
      setFast(true)
      setSessionId(id)
    },
    openLan: (body: BodyOf<typeof openRemoteLan>) => begin(openLan.run(body)),
    extend: () => sessionId && extend.start({ sessionId }),
    close: () => sessionId && void endSession(closeRemote, sessionId),
  }
}

/**
 * The own session that is open already when a page begins: a reload, or a browser that crashed, goes on with it. What another window
 * shows is only offered.
 */
export function useOwnSession(kind: RemoteKind, deviceId: number, remote: Remote) {
  const [decided, setDecided] = useState(false)
  const [shells, setShells] = useState<readonly string[]>([])
  const { data, isFetching, isError } = useCall(
    getOwnRemote,
    { deviceId, kind },
    { enabled: !decided && Number.isSafeInteger(deviceId) && deviceId > 0, staleMs: 0 },
  )
  const isFree = remote.session === undefined && !remote.busy
  const join = () => {
    if (!data?.sessionId) return
    setShells(data.shells)
    remote.join(data.sessionId)
  }
  if (!decided && !isFetching && (data !== undefined || isError)) {
    setDecided(true)
    if (isFree && data?.shown === false) join()
  }
  return {
    shells,
    /** Takes the session over from the other window; null: there is none. */
    takeOver: decided && isFree && remote.refusal === null && data?.shown ? join : null,
  }
}

export type Remote = ReturnType<typeof useRemote>
