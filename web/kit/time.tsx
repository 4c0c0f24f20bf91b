import { Text, Tooltip } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { ago, moment, UNKNOWN } from './format.ts'

/** One clock for the whole page, ticking once a second while somebody looks at it. */
let now = Date.now()
const watchers = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function watch(watcher: () => void) {
  watchers.add(watcher)
  timer ??= setInterval(() => {
    if (document.hidden) return
    now = Date.now()
    for (const one of watchers) one()
  }, 1000)
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The present in ms, renewed each `stepMs`: whoever shows minutes is not drawn every second. */
export function useNow(stepMs = 1000): number {
  return useSyncExternalStore(watch, () => Math.floor(now / stepMs) * stepMs)
}

/** Relative ("3 min. ago") with the absolute moment on hover, or the other way round. */
export function When({ at, absolute = false }: { at: string | null | undefined; absolute?: boolean }) {
  const present = Math.max(useNow(), 0)
  if (!at) return <Text span>{UNKNOWN}</Text>
  const [shown, hover] = absolute ? [moment(at), ago(at, present)] : [ago(at, present), moment(at)]
  return (
    <Tooltip label={hover}>
      <Text span className="tabular" style={{ whiteSpace: 'nowrap' }}>
        <time dateTime={at}>{shown}</time>
      </Text>
    </Tooltip>
  )
}
