import { useEffect, useState } from 'react'

/**
 * The rows that the window has room for are drawn first; those below its edge follow once they are painted. @param rowPx
 * the height of the lowest row
 */
export function useFirstRows<T>(rows: readonly T[], rowPx: number): readonly T[] {
  const [drawn, setDrawn] = useState(false)
  const first = Math.ceil(window.innerHeight / rowPx)
  const isMore = rows.length > first
  useEffect(() => {
    if (!isMore) return
    let timer: ReturnType<typeof setTimeout> | undefined
    // An effect may run before the paint; a timer that is set by the next frame runs after it. Not a transition: the
    // clocks of the rows would interrupt it each second on a slow machine.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setDrawn(true))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [isMore])
  return drawn || !isMore ? rows : rows.slice(0, first)
}
