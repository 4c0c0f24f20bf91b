/** A rate with a reserve for bursts. Pure; times in ms. */
export function openBucket({ perSecond, burst }: { perSecond: number; burst: number }, began: number) {
  let tokens = burst
  let refilledAt = began
  return {
    /** Takes `n`, whether or not they are there; returns how long to wait until they are. */
    take: (n: number, now: number): number => {
      tokens = Math.min(burst, tokens + ((now - refilledAt) / 1000) * perSecond) - n
      refilledAt = now
      return tokens >= 0 ? 0 : (-tokens * 1000) / perSecond
    },
    give: (n: number): void => {
      tokens += n
    },
    /** Nothing is lost if it is forgotten: a new one is the same. */
    isFull: (now: number): boolean => tokens + ((now - refilledAt) / 1000) * perSecond >= burst,
  }
}
export type Bucket = ReturnType<typeof openBucket>
