/** Work that waits for its turn: at most `atOnce` at the same time, the others in the order of their coming. */
export type Turns = <T>(work: () => Promise<T>) => Promise<T>

export function openTurns(atOnce: number): Turns {
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
