/** Client of the map's worker: each of its methods as a promise. */
import type { Answered, Asked, Methods } from './map-worker.ts'
import MapWorker from './map-worker.ts?worker'

type Method = keyof Methods
type Waiting = { good: (value: never) => void; bad: (error: Error) => void }

export type MapIndex = {
  ask<M extends Method>(
    method: M,
    args: Parameters<Methods[M]>,
    transfer?: Transferable[],
  ): Promise<Awaited<ReturnType<Methods[M]>>>
  close(): void
}

export function openMapIndex(): MapIndex {
  const worker = new MapWorker()
  const waiting = new Map<number, Waiting>()
  let turns = 0
  worker.onmessage = ({ data }: MessageEvent<Answered>) => {
    const found = waiting.get(data.turn)
    waiting.delete(data.turn)
    if (data.error === undefined) found?.good(data.result as never)
    else found?.bad(new Error(data.error))
  }
  return {
    ask: (method, args, transfer = []) =>
      new Promise((good, bad) => {
        turns += 1
        waiting.set(turns, { good, bad })
        worker.postMessage({ turn: turns, method, args } satisfies Asked, transfer)
      }),
    close: () => worker.terminate(),
  }
}
