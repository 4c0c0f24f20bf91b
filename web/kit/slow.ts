import { useEffect, useState } from 'react'

/** True once `waiting` has lasted 300 ms. */
export function useSlow(waiting: boolean, afterMs = 300): boolean {
  const [slow, setSlow] = useState(false)
  useEffect(() => {
    if (!waiting) return setSlow(false)
    const timer = setTimeout(() => setSlow(true), afterMs)
    return () => clearTimeout(timer)
  }, [waiting, afterMs])
  return waiting && slow
}
