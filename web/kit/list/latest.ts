import { useCallback, useLayoutEffect, useRef } from 'react'

/** A stable function that calls the latest one given, so that components that receive it are not re-rendered. */
export function useLatest<A extends unknown[], T>(does: (...args: A) => T): (...args: A) => T {
  const latest = useRef(does)
  useLayoutEffect(() => {
    latest.current = does
  })
  return useCallback((...args: A) => latest.current(...args), [])
}
