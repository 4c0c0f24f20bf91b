/**
 * Counts the effect of a change in steps: each response comes within a second, and the next request continues from
 * there.
 */
import { useEffect, useState } from 'react'
import { type Impact, impactWith } from '#schema/config/impact-sum'
import type { BodyOf, Call } from '#schema/kit/call'
import { isCancelled, request } from '../kit/api.ts'

type Counting = Call & { readonly _counts?: never }

const FAULTS_SHOWN = 5

/** `body` null: nothing is counted. A new body restarts the count. */
export function useImpact<C extends Counting>(call: C, body: BodyOf<C> | null) {
  const [impact, setImpact] = useState<Impact | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const key = JSON.stringify(body)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of the body stands for it
  useEffect(() => {
    setImpact(null)
    setError(null)
    if (body === null) return
    const ended = new AbortController()
    const count = async () => {
      let sum: Impact | null = null
      do {
        const at: number | null = sum?.next ?? null
        const step = (await request(
          call,
          { ...(body as object), ...(at === null ? {} : { after: at }) } as BodyOf<C>,
          ended.signal,
        )) as Impact
        sum = impactWith(sum, step, FAULTS_SHOWN)
        setImpact(sum)
      } while (sum.next !== null)
    }
    count().catch((failure) => {
      if (!isCancelled(failure)) setError(failure as Error)
    })
    return () => ended.abort()
  }, [key])
  return { impact, error }
}
