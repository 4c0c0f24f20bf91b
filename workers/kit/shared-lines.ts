/**
 * Work that waits for servers of many customers, several pieces at the same time: a server that hangs, and a customer with many of them, keep
 * only some of the lines, and the others continue meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises'

/** How long a line without work waits before it looks again, while another one is busy. */
const IDLE_MS = 500

type Lines<T extends { readonly customerId: number }> = {
  readonly count: number
  /** Lines that one customer may have at the same time. */
  readonly perCustomer: number
  /** The next piece of work, marked so that nobody else takes it; undefined: none is due. @param without customers who have enough lines already */
  readonly take: (without: readonly number[]) => Promise<T | undefined>
  readonly serve: (work: T) => Promise<void>
  /** For work that has failed before: at the end of a run it is not waited for by beginning more of it. */
  readonly failing: boolean
}

/** One chooses at a time, so that each knows what the others have. @param mayBegin asked when it is a line's turn to choose, which may be a while later @param ended pieces of work that have ended so far */
function chooser<T extends { readonly customerId: number }>(
  { perCustomer, take, serve }: Lines<T>,
  mayBegin: () => boolean,
  ended: () => number,
) {
  // After one line has found nothing the others do not query again, until a piece of work ends or half of the idle time is over.
  let empty = { at: Number.NEGATIVE_INFINITY, ended: -1 }
  const serving = new Map<number, number>()
  const add = (customer: number, one: 1 | -1) => serving.set(customer, (serving.get(customer) ?? 0) + one)
  let choosing: Promise<unknown> = Promise.resolve()
  const choose = async () => {
    if (!mayBegin()) return undefined
    const before = { at: performance.now(), ended: ended() }
    if (empty.ended === before.ended && before.at - empty.at < IDLE_MS / 2) return undefined
    const full = [...serving].flatMap(([customer, n]) => (n >= perCustomer ? customer : []))
    const work = await take(full)
    if (!work) {
      empty = before
      return undefined
    }
    add(work.customerId, 1)
    return () => serve(work).finally(() => add(work.customerId, -1))
  }
  return () => {
    const chosen = choosing.then(choose)
    choosing = chosen.catch(() => undefined)
    return chosen
  }
}

/**
 * Ends when nothing is due. After `runMs` no work begins, except beside work that began before: the next run waits for all of it. Returns the number of pieces
 * served. Rejects if one of them throws.
 */
export async function runLines<T extends { readonly customerId: number }>(
  runMs: number,
  sorts: readonly Lines<T>[],
): Promise<number> {
  const until = performance.now() + runMs
  const isOver = () => performance.now() >= until
  let served = 0
  let busy = 0
  let busyFromBefore = 0
  let ended = 0
  let choosing = 0
  let over = false
  let allDone = Promise.withResolvers<void>()
  const line = async (next: ReturnType<typeof chooser<T>>, mayBegin: () => boolean) => {
    while (mayBegin() && !over) {
      choosing++
      let serve: Awaited<ReturnType<typeof next>>
      try {
        serve = await next()
      } finally {
        choosing--
      }
      if (serve) {
        const counts = !isOver()
        busy++
        served++
        if (counts) busyFromBefore++
        await serve().finally(() => {
          busy--
          ended++
          if (counts) busyFromBefore--
          if (busy > 0) return
          allDone.resolve()
          allDone = Promise.withResolvers()
        })
      } else if (busy === 0 && choosing === 0) {
        // Not before all lines have looked: what another one is about to take may leave work for this one.
        over = true
        allDone.resolve()
      } else await Promise.race([allDone.promise, sleep(IDLE_MS, undefined, { ref: false })])
    }
  }
  await Promise.all(
    sorts.flatMap((sort) => {
      const mayBegin = () => !isOver() || (!sort.failing && busyFromBefore > 0)
      const next = chooser(sort, mayBegin, () => ended)
      return Array.from({ length: sort.count }, () => line(next, mayBegin))
    }),
  )
  return served
}
