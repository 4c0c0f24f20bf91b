/** Limits concurrency: at most `atOnce` tasks run at the same time, the others wait in order of arrival. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

export function limitConcurrency(atOnce: number): Turns {
  let free = atOnce
  const waiting: (() => void)[] = []
  const enter = () =>
    new Promise<void>((begin) => {
      if (free > 0) {
        free--
        begin()
      } else waiting.push(begin)
    })
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
  return async (work) => {
    await enter()
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
