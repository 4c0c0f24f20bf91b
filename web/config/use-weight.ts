/**
 * Counts the effect of a change in steps: each response comes within a second, and the next request continues from
 * there.
 */
import { useEffect, useState } from 'react'
import { type Weight, weighedTogether } from '#schema/config/weight-sum'
import type { BodyOf, Call } from '#schema/kit/call'
import { isCancelled, request } from '../kit/api.ts'

type Weighing = Call & { readonly _weighs?: never }

const FAULTS_SHOWN = 5

/** `body` null: nothing is counted. A new body restarts the count. */
export function useWeight<C extends Weighing>(call: C, body: BodyOf<C> | null) {
  const [weight, setWeight] = useState<Weight | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const key = JSON.stringify(body)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of the body stands for it
  useEffect(() => {
    setWeight(null)
    setError(null)
    if (body === null) return
    const ended = new AbortController()
    const count = async () => {
      let sum: Weight | null = null
      do {
        const at: number | null = sum?.next ?? null
        const step = (await request(
          call,
          { ...(body as object), ...(at === null ? {} : { after: at }) } as BodyOf<C>,
          ended.signal,
        )) as Weight
        sum = weighedTogether(sum, step, FAULTS_SHOWN)
        setWeight(sum)
      } while (sum.next !== null)
    }
    count().catch((failure) => {
      if (!isCancelled(failure)) setError(failure as Error)
    })
    return () => ended.abort()
  }, [key])
  return { weight, error }
}
