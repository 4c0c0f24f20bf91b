/** The upload of an archive from a form: how far, how fast, its cancellation, and what went wrong at which place. */
import { useEffect, useRef, useState } from 'react'
import type { BodyOf, Call, ReplyOf } from '#schema/kit/call'
import { ApiError, isCancelled, isSessionEnd, LOCAL_CODES } from '../kit/api.ts'
import { upload } from '../kit/transfer.ts'

export type UploadState = { share: number; bytesPerS: number | null; leftS: number | null }
/** The progress of an interrupted upload. The server discards what it has received. */
export type BrokenUpload = { sentBytes: number; totalBytes: number }

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

const isNotSent = (error: unknown) => error instanceof ApiError && error.code === LOCAL_CODES.notSent

/**
 * What a failed upload says, and where: `field` of the form, or undefined for the file. Null: nothing to say here, since
 * it was cancelled, the session ended, or the broken connection is shown with how far the upload came.
 */
export function uploadFault(
  error: unknown,
  fields: object,
): { field: string | undefined; message: string } | null {
  if (isCancelled(error) || isSessionEnd(error) || isNotSent(error)) return null
  const field = error instanceof ApiError ? error.field : undefined
  const message = error instanceof Error ? error.message : String(error)
  return { field: field !== undefined && field in fields ? field : undefined, message }
}

/** The upload continues when the page is left; closing the window asks first. */
export function useUpload<C extends Call>(call: C) {
  const [state, setState] = useState<UploadState | null>(null)
  const [broken, setBroken] = useState<BrokenUpload | null>(null)
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
    setBroken(null)
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
    } catch (error) {
      if (isNotSent(error)) setBroken({ sentBytes: samples.at(-1)?.sentBytes ?? 0, totalBytes: file.size })
      throw error
    } finally {
      running.current = null
      setState(null)
    }
  }
  return { state, broken, run, cancel: () => running.current?.abort(), forget: () => setBroken(null) }
}
