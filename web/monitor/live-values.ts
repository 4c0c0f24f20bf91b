/**
 * One stream of this tab keeps every list of variables on the screen up to date [decisions/123]; where there is none, they
 * are polled as before. The rows in the query cache say what is on the screen, and are what is updated.
 */
import type { Query } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { BodyOf, ReplyOf } from '#schema/kit/call'
import { watchValues } from '#schema/monitor/live-values'
import { getVariableValues } from '#schema/monitor/variable-values'
import { readEvents } from '../kit/event-stream.ts'
import { queryClient, setPushed } from '../kit/query.ts'

type Values = ReplyOf<typeof getVariableValues>
type Event = ReplyOf<typeof watchValues>
/** As the schema says (STREAM_MAX_S, WATCHED_MAX), which the browser does not load. */
const STREAM_S = 3_600
const WATCHED_MAX = 1_000
/** Rows come and go while a page is being built. */
const SETTLE_MS = 300
const PAUSES_MS = [2_000, 5_000, 15_000, 30_000] as const

const keyOf = ({ terminalId, variableId }: { terminalId: number; variableId: number }) =>
  `${terminalId}.${variableId}`

/** Visible, self-refreshing queries whose rows do not depend on values. */
function isFollowed({ queryKey, observers }: Query): boolean {
  const { sort, state } = (queryKey[1] ?? {}) as BodyOf<typeof getVariableValues>
  const isRefreshed = observers.some(({ options }) => typeof options.refetchInterval === 'function')
  return isRefreshed && sort !== 'at' && state === undefined
}
const followed = () =>
  queryClient
    .getQueryCache()
    .findAll({ queryKey: [getVariableValues.name], type: 'active' })
    .filter(isFollowed)

const rowsOf = (query: Query) => (query.state.data as Values | undefined)?.list ?? []

let users = 0
let live = false
const watchers = new Set<() => void>()
let stream: { keys: string; closing: AbortController } | undefined
let settling: ReturnType<typeof setTimeout> | undefined
let failures = 0

function say(next: boolean) {
  setPushed(next ? followed().map(({ queryHash }) => queryHash) : [])
  if (next === live) return
  live = next
  // Values that were pushed are polled from now on, starting immediately.
  if (!next) void queryClient.invalidateQueries({ queryKey: [getVariableValues.name] })
  for (const watcher of watchers) watcher()
}

/** Unchanged rows keep their object identity. */
export function withValues(data: Values, values: ReadonlyMap<string, Event['values'][number]>): Values {
  let changed = false
  const list = data.list.map((row) => {
    const value = values.get(keyOf(row))
    if (!value) return row
    changed = true
    return { ...row, ...value }
  })
  return changed ? { ...data, list } : data
}

function hear(event: string, data: string) {
  if (event !== 'values') return
  failures = 0
  const { values } = JSON.parse(data) as Event
  const byKey = new Map(values.map((value) => [keyOf(value), value]))
  for (const { queryKey } of followed())
    queryClient.setQueryData<Values>(queryKey, (held) => held && withValues(held, byKey))
  say(true)
}

function close() {
  stream?.closing.abort()
  stream = undefined
}

async function open(keys: string, pairs: readonly { terminalId: number; variableId: number }[]) {
  close()
  const closing = new AbortController()
  stream = { keys, closing }
  try {
    const body = {
      terminalIds: pairs.map(({ terminalId }) => terminalId),
      variableIds: pairs.map(({ variableId }) => variableId),
      seconds: STREAM_S,
    }
    await readEvents(watchValues, body, hear, closing.signal)
  } catch {
    // Broken or refused: the polling calls show the reason.
  }
  if (closing.signal.aborted) return
  stream = undefined
  say(false)
  const pause = PAUSES_MS[Math.min(failures++, PAUSES_MS.length - 1)] ?? 0
  later(pause * (0.8 + Math.random() * 0.4))
}

/** Opens, replaces or closes the stream depending on what is visible. A hidden window needs none. */
function settle() {
  settling = undefined
  const queries = users > 0 && !document.hidden ? followed() : []
  const rows = new Map(queries.flatMap((query) => rowsOf(query).map((row) => [keyOf(row), row] as const)))
  const keys = [...rows.keys()].sort().join()
  if (rows.size === 0 || rows.size > WATCHED_MAX) {
    close()
    say(false)
  } else if (stream?.keys !== keys) void open(keys, [...rows.values()])
  else if (live) say(true)
}
function later(ms: number) {
  clearTimeout(settling)
  settling = setTimeout(settle, ms)
}

function follow() {
  const soon = () => {
    // The pause after a failure is not shortened by changes of the page.
    if (failures === 0 || stream) later(SETTLE_MS)
  }
  const onVisible = () => later(0)
  const leave = queryClient.getQueryCache().subscribe(({ type, query }) => {
    const isOurs = query.queryKey[0] === getVariableValues.name
    if (isOurs && type !== 'observerResultsUpdated') soon()
  })
  document.addEventListener('visibilitychange', onVisible)
  users += 1
  later(SETTLE_MS)
  return () => {
    users -= 1
    leave()
    document.removeEventListener('visibilitychange', onVisible)
    later(0)
  }
}

/** Values on this page are kept up to date by the stream. Returns whether they are, or are polled instead. */
export function useLiveValues(): boolean {
  useEffect(follow, [])
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => live,
  )
}
