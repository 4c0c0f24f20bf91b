import { useEffect, useEffectEvent, useRef } from 'react'

/**
 * For a field whose value follows a choice made in another one. `follow` gets the former choice; it is not called where both have
 * changed at once: a draft that is restored, or what another user has saved, has a value of its own.
 */
export function useChangedAlone<T>(choice: T, value: unknown, follow: (former: T) => void) {
  const last = useRef({ choice, value })
  const run = useEffectEvent(follow)
  useEffect(() => {
    const former = last.current
    last.current = { choice, value }
    if (former.choice !== choice && former.value === value) run(former.choice)
  }, [choice, value])
}
