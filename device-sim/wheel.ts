/** One timer for a whole fleet: 10,000 devices with three timers each would overload Node's own list. */

export type Timer = { cancel(): void }
type Entry = { run: () => void }

export type Wheel = {
  /** Runs once after `ms`, at most one tick late. */
  after(ms: number, run: () => void): Timer
  /** Resolves after `ms`; rejects with the signal's reason when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  close(): void
}

/** Starts the wheel; `tickMs` is its resolution. Timers that are pending at `close` never run. */
export function startWheel(tickMs = 20): Wheel {
  const slots = new Map<number, Set<Entry>>()
  const tickOf = (at: number) => Math.ceil(at / tickMs)
  let last = tickOf(performance.now())
  const turn = () => {
    const now = Math.floor(performance.now() / tickMs)
    while (last < now) {
      last += 1
      const due = slots.get(last)
      if (!due) continue
      slots.delete(last)
      for (const entry of due) entry.run()
    }
  }
  const interval = setInterval(turn, tickMs)
  const after = (ms: number, run: () => void): Timer => {
    const tick = Math.max(last + 1, tickOf(performance.now() + ms))
    const entry = { run }
    const slot = slots.get(tick) ?? new Set<Entry>()
    slots.set(tick, slot.add(entry))
    return { cancel: () => slot.delete(entry) }
  }
  return {
    after,
    sleep: (ms, signal) =>
      new Promise<void>((done, fail) => {
        if (signal?.aborted) return fail(signal.reason)
        const stop = () => {
          timer.cancel()
          fail(signal?.reason)
        }
        const timer = after(ms, () => {
          signal?.removeEventListener('abort', stop)
          done()
        })
        signal?.addEventListener('abort', stop, { once: true })
      }),
    close: () => {
      clearInterval(interval)
      slots.clear()
    },
  }
}
