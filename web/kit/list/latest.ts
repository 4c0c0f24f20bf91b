import { useCallback, useLayoutEffect, useRef } from 'react'

/** A function that is always the same one and does what was given last: what it is passed to is not drawn anew. */
export function useLatest<A extends unknown[], T>(does: (...args: A) => T): (...args: A) => T {
  const latest = useRef(does)
  useLayoutEffect(() => {
    latest.current = does
  })
  return useCallback((...args: A) => latest.current(...args), [])
}
