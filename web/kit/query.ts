/** Declared calls as React Query hooks. The key is [call name, body]. */
import {
  hashKey,
  keepPreviousData,
  QueryClient,
  replaceEqualDeep,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { BodyOf, Call, ReplyOf } from '#schema/kit/call'
import { ApiError, isCancelled, isSessionEnd, LOCAL_CODES, NO_PERMISSION, request } from './api.ts'
import { t } from './i18n.ts'
import { sendOnce } from './in-flight.ts'
import { isDown, onBackOnline } from './server/connection.ts'
import { mayCall } from './session.ts'
import { toast, toastError } from './toast.tsx'

const STALE_MS = 2_000
/** What was read ahead, for a page that is drawn late; or later, because the user went elsewhere first. */
const AHEAD_STALE_MS = 60_000

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_MS,
      gcTime: 10 * 60_000,
      // connection.ts decides what is reachable; the browser's own idea of it would pause reads without a word.
      networkMode: 'always',
      // Retried only if the request never reached the server; a refusal would be repeated. While the server is away,
      // connection.ts keeps trying for all of them.
      retry: (count, error) =>
        error instanceof ApiError && error.code === LOCAL_CODES.network && count < 2 && !isDown(),
    },
    // Otherwise a write while offline would wait unseen and be sent on reconnect, when the user no longer expects it.
    mutations: { networkMode: 'always' },
  },
})
onBackOnline(() => void queryClient.invalidateQueries())

type CallOptions<R> = {
  enabled?: boolean
  /** Seconds; 0 or absent: no polling. Pauses while the window or the page is hidden. */
  refreshS?: number
  /** While the next body loads, keep showing the previous response (paging, filters). */
  keepPrevious?: boolean
  staleMs?: number
  /**
   * For what is confirmed or edited: read once by each component that asks, and then not again. What an earlier one was
   * answered may be minutes old.
   */
  once?: boolean
  /** For large responses: whether the next one equals the last. A deep comparison would take too long. */
  same?: (last: R, next: R) => boolean
}

/** ±5 %, so that windows opened at the same time do not poll in step forever. */
const jitter = () => 0.95 + Math.random() * 0.1

/** Response → result of comparing it with the previous one. */
const settled = new WeakMap<object, unknown>()

/** After a 304 the same object is returned and known to be equal, without comparing. Equal parts are kept. */
export function settle<R>(last: unknown, next: unknown, same?: (last: R, next: R) => boolean): unknown {
  if (last === undefined || typeof next !== 'object' || next === null) return next
  if (settled.get(next) === last) return last
  const kept = same ? (same(last as R, next as R) ? last : next) : replaceEqualDeep(last, next)
  settled.set(next, kept)
  return kept
}

/** Hashes of the queries whose changes the server pushes; they are read again only to make sure. */
const pushed = new Set<string>()
const PUSHED_REFRESH_S = 60
export function setPushed(hashes: Iterable<string>) {
  pushed.clear()
  for (const hash of hashes) pushed.add(hash)
}

/**
 * What this user may not read is refused here: the server would refuse it too, with a warning [§8 Code 5] about
 * something that the user did not ask for.
 */
const read = <C extends Call>(call: C, body: BodyOf<C>, signal: AbortSignal): Promise<ReplyOf<C>> =>
  mayCall(call)
    ? request(call, body, signal)
    : Promise.reject(new ApiError(NO_PERMISSION, t('kit:error.noPermission')))

/** After a change of permissions. */
export const readRefused = () =>
  queryClient.invalidateQueries({
    predicate: ({ state: { error } }) => error instanceof ApiError && error.code === NO_PERMISSION,
  })

let askers = 0

/** Hashes of what was read ahead, until it is shown: on a slow line or machine it would be old by then, and be read again. */
const ahead = new Set<string>()

/** Reads. Leaving the page cancels it, because the query has no observer any more. */
export function useCall<C extends Call>(call: C, body: BodyOf<C>, options: CallOptions<ReplyOf<C>> = {}) {
  const { same, refreshS } = options
  // Chosen once: with a new interval at each rendering the timer would restart each time, and might never fire.
  const [spread] = useState(jitter)
  const [asker] = useState(() => ++askers)
  const queryKey = options.once ? [call.name, body, asker] : [call.name, body]
  const query = useQuery<ReplyOf<C>, ApiError>({
    queryKey,
    queryFn: ({ signal }) => read(call, body, signal),
    enabled: options.enabled ?? true,
    refetchInterval: refreshS
      ? ({ queryHash }) => Math.max(refreshS, pushed.has(queryHash) ? PUSHED_REFRESH_S : 0) * 1000 * spread
      : false,
    ...(options.keepPrevious ? { placeholderData: keepPreviousData } : {}),
    staleTime: ({ queryHash }) => (ahead.has(queryHash) ? AHEAD_STALE_MS : (options.staleMs ?? STALE_MS)),
    ...(options.once ? { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 } : {}),
    structuralSharing: (last, next) => settle(last, next, same),
  })
  const hash = hashKey(queryKey)
  // After the query's own effect, which reads what is old.
  useEffect(() => void ahead.delete(hash))
  return query
}

/**
 * Reads before the page that shows it is drawn. Its own read finds the response, or waits for the same request; what went wrong
 * is shown there.
 */
export function askAhead<C extends Call>(call: C, body: BodyOf<C>): void {
  if (!mayCall(call)) return
  const queryKey = [call.name, body]
  ahead.add(hashKey(queryKey))
  void queryClient.prefetchQuery({
    queryKey,
    queryFn: ({ signal }) => request(call, body, signal),
  })
}

type ActionOptions<C extends Call> = {
  onDone?: (reply: ReplyOf<C>, body: BodyOf<C>) => void
  /** Calls whose results change by this one. */
  refreshes?: readonly Call[]
  /** Shown on success. */
  success?: string
  /** The caller shows errors itself (like a form). */
  quiet?: boolean
}

/** Writes. `run(body)` returns a promise; errors are shown as toasts unless `quiet`. */
export function useAction<C extends Call>(call: C, options: ActionOptions<C> = {}) {
  const client = useQueryClient()
  const mutation = useMutation<ReplyOf<C>, Error, BodyOf<C>>({
    mutationFn: (body) => request(call, body),
    onSuccess: (reply, body) => {
      for (const read of options.refreshes ?? []) void client.invalidateQueries({ queryKey: [read.name] })
      if (options.success) void toast('success', options.success)
      options.onDone?.(reply, body)
    },
    onError: (error, body) => {
      if (!options.quiet) reportError(error, () => mutation.mutate(body))
    },
  })
  const [open] = useState(() => new Map<string, Promise<ReplyOf<C>>>())
  const run = (body: BodyOf<C>) => sendOnce(open, JSON.stringify(body), () => mutation.mutateAsync(body))
  return {
    run,
    // `onError` has shown it.
    start: (body: BodyOf<C>) => void run(body).catch(() => null),
    busy: mutation.isPending,
    // It would still be shown when the password has been entered over the page.
    error: isSessionEnd(mutation.error) ? null : mutation.error,
  }
}

/**
 * Shows an error to the user, unless it was shown already or the request was cancelled. @param again repeats the
 * action; offered only if it certainly did nothing
 */
export function reportError(error: unknown, again?: () => void) {
  if (
    isCancelled(error) ||
    isSessionEnd(error) ||
    (error instanceof ApiError && error.code === NO_PERMISSION)
  )
    return
  const apiError = error instanceof ApiError ? error : undefined
  void toastError({
    text: error instanceof Error ? error.message : String(error),
    requestId: apiError?.requestId,
    again: apiError?.code === LOCAL_CODES.notSent ? again : undefined,
  })
}
