/** One upload: how far, how fast, and its cancellation. */
import { useEffect, useRef, useState } from 'react'
import type { BodyOf, Call, ReplyOf } from '#schema/kit/call'
import { upload } from '../kit/transfer.ts'

export type UploadState = { share: number; bytesPerS: number | null; leftS: number | null }
type Sample = { atMs: number; sentBytes: number }

/** The speed is averaged over this time, so that it neither jumps nor lags. */
const WINDOW_MS = 4_000

/** The content of the progress bar. `samples`: oldest first, within the window. */
export function progressOf(samples: readonly Sample[], totalBytes: number): UploadState {
  const first = samples[0]
  const last = samples.at(-1)
  if (!first || !last || totalBytes === 0) return { share: 0, bytesPerS: null, leftS: null }
  const share = Math.min(1, last.sentBytes / totalBytes)
  const spentS = (last.atMs - first.atMs) / 1000
  const bytesPerS = spentS > 0.3 ? (last.sentBytes - first.sentBytes) / spentS : null
  return { share, bytesPerS, leftS: bytesPerS ? (totalBytes - last.sentBytes) / bytesPerS : null }
}

/** The upload continues when the page is left; closing the window asks first. */
export function useUpload<C extends Call>(call: C) {
  const [state, setState] = useState<UploadState | null>(null)
  const running = useRef<AbortController | null>(null)
  const busy = state !== null
  useEffect(() => {
    if (!busy) return
    const stay = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', stay)
    return () => removeEventListener('beforeunload', stay)
  }, [busy])

  /** @throws ApiError; an AbortError when cancelled */
  const run = async (query: BodyOf<C>, file: File): Promise<ReplyOf<C>> => {
    const controller = new AbortController()
    running.current = controller
    let samples: Sample[] = [{ atMs: performance.now(), sentBytes: 0 }]
    setState(progressOf(samples, file.size))
    try {
      return await upload(
        call,
        query,
        file,
        (share) => {
          const atMs = performance.now()
          samples = [
            ...samples.filter((sample) => atMs - sample.atMs < WINDOW_MS),
            { atMs, sentBytes: share * file.size },
          ]
          setState(progressOf(samples, file.size))
        },
        controller.signal,
      )
    } finally {
      running.current = null
      setState(null)
    }
  }
  return { state, run, cancel: () => running.current?.abort() }
}
