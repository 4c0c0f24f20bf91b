/** Downloads a package over HTTP: basic authentication, resuming by Range, hashing while streaming. */
import { createHash, type Hash } from 'node:crypto'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { TaskFailure } from '#schema/kit/task-kind'
import { DownloadFailed, failureOfNetworkError, failureOfStatus } from './outcome.ts'
import type { Wheel } from './wheel.ts'

export type DownloadOptions = {
  /** What an item that was called back has left of the same file; absent or null: nothing. */
  partial?: Partial | null
  /** Called with what has arrived when the download is aborted, or the platform has ended the item. */
  onAborted?(partial: Partial): void
  url: string
  username: string
  password: string
  sizeBytes: number
  /** Number of leading bytes to keep. */
  keptBytes: number
  wheel: Wheel
  signal: AbortSignal
  /** Timeout for the first response of the server. */
  connectMs: number
  /** Without data for this time, the connection is given up and resumed. */
  stallMs: number
  /** Pause before the second try; later ones are longer (`retryPause`). */
  retryPauseMs: number
  /** No try is started after this time of the device's clock, because the link has expired. */
  until: number
  now(): number
  /** A random number from 0 to 1. */
  chance(): number
  /** Minimum duration of the download, to simulate a mobile link; 0: as fast as possible. */
  paceMs: number
  /** Resolves when the device has a network. */
  network(): Promise<void>
  /** Aborted when the network is lost, which interrupts the download. */
  lost(): AbortSignal
  onConnected(): void
  onBytes(done: number): void
  /** Called after consecutive failed tries; the download continues to retry. */
  onHeldUp(cause: Cause): void
}
export type Cause = { failure: TaskFailure; detail: string }
export type Downloaded = { sha256: string; md5: string; head: Buffer }

/** [RFC 9110 15.5.11] The platform has ended the item; the same file may be offered again as another one. */
const GONE = 410
/** The longest pause between two tries, in multiples of the first pause: 30 s if that is 2 s. */
const LONGEST_PAUSE = 15
/** A single failed try may be accidental; from this one on the platform is informed. */
const TOLD_FROM_TRY = 2

/** Milliseconds to wait after `tries` consecutive failed tries: doubled each time, half fixed, half random. */
export const retryPause = (tries: number, firstMs: number, chance: number): number =>
  Math.min(2 ** Math.min(tries - 1, 10), LONGEST_PAUSE) * firstMs * (0.5 + chance / 2)

/** The beginning of a file, hashed as far as it is there. */
export type Partial = { offset: number; etag: string | null; sha: Hash; md5: Hash; head: Buffer }
const fresh = (): Partial => ({
  offset: 0,
  etag: null,
  sha: createHash('sha256'),
  md5: createHash('md5'),
  head: Buffer.alloc(0),
})

class TimedOut extends Error {
  readonly code = 'ETIMEDOUT'
}

/**
 * Downloads until `sizeBytes` are complete; hashing continues across broken connections. An unavailable file server
 * is not a failure of the device: it retries until the link expires or the item is called back. @throws
 * DownloadFailed, or the signal's reason when aborted.
 */
export async function download(options: DownloadOptions): Promise<Downloaded> {
  let got = options.partial ?? fresh()
  const from = got.offset
  let contact = false
  let tries = 0
  const startedAt = performance.now()
  while (got.offset < options.sizeBytes) {
    await options.network()
    const before = got.offset
    let cause: Cause
    try {
      const response = await ask(options, got)
      if (!contact) options.onConnected()
      contact = true
      const verdict = failureOfStatus(response.statusCode ?? 0)
      if (response.statusCode === 416) {
        // The server has less data than we do, so our partial file is useless.
        response.destroy()
        got = fresh()
        cause = { failure: 'unknownError', detail: 'HTTP 416' }
      } else if (verdict) {
        response.destroy()
        if (response.statusCode === GONE) options.onAborted?.(got)
        if (!verdict.retry) throw new DownloadFailed(verdict.failure, `HTTP ${response.statusCode}`)
        cause = { failure: verdict.failure, detail: `HTTP ${response.statusCode}` }
      } else {
        // 200 for a range request: the file has changed, or the server has no ranges. Start from the beginning.
        if (response.statusCode === 200 && got.offset > 0) got = fresh()
        got.etag = response.headers.etag ?? null
        await read(options, response, got, { from, at: startedAt })
        if (got.offset < options.sizeBytes)
          throw new DownloadFailed('md5Failed', `${got.offset} bytes instead of ${options.sizeBytes}`)
        break
      }
    } catch (error) {
      if (options.signal.aborted) {
        options.onAborted?.(got)
        throw options.signal.reason
      }
      if (error instanceof DownloadFailed) throw error
      cause = {
        failure: contact ? 'downloadTimeout' : failureOfNetworkError(error),
        detail: (error as Error).message,
      }
    }
    tries = got.offset > before ? 1 : tries + 1
    const leftMs = options.until - options.now()
    if (leftMs <= 0) throw new DownloadFailed(cause.failure, cause.detail)
    if (tries >= TOLD_FROM_TRY) options.onHeldUp(cause)
    const pauseMs = retryPause(tries, options.retryPauseMs, options.chance())
    await options.wheel.sleep(Math.min(pauseMs, leftMs), options.signal).catch((aborted) => {
      options.onAborted?.(got)
      throw aborted
    })
  }
  return { sha256: got.sha.digest('hex'), md5: got.md5.digest('hex'), head: got.head }
}

function ask(options: DownloadOptions, got: Partial): Promise<IncomingMessage> {
  const { url, username, password, wheel, signal, connectMs } = options
  const headers: Record<string, string> = { 'accept-encoding': 'identity' }
  if (got.offset > 0) {
    headers['range'] = `bytes=${got.offset}-`
    if (got.etag) headers['if-range'] = got.etag
  }
  const send = url.startsWith('https:') ? requestHttps : requestHttp
  return new Promise((done, fail) => {
    const request = send(url, {
      headers,
      auth: `${username}:${password}`,
      agent: false,
      signal: AbortSignal.any([signal, options.lost()]),
    })
    const late = wheel.after(connectMs, () => request.destroy(new TimedOut('no answer from the file server')))
    request.on('response', (response) => {
      late.cancel()
      done(response)
    })
    request.on('error', (error) => {
      late.cancel()
      fail(error)
    })
    request.end()
  })
}

async function read(
  options: DownloadOptions,
  response: IncomingMessage,
  got: Partial,
  begun: { from: number; at: number },
) {
  const { wheel, signal, sizeBytes, paceMs, stallMs } = options
  const stalled = () => response.destroy(new TimedOut(`no data for ${stallMs} ms`))
  let stall = wheel.after(stallMs, stalled)
  const slice = paceMs > 0 ? Math.max(1, Math.ceil(sizeBytes / 25)) : sizeBytes
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      stall.cancel()
      for (let at = 0; at < chunk.length; at += slice) {
        take(got, chunk.subarray(at, at + slice), options.keptBytes)
        if (got.offset > sizeBytes)
          throw new DownloadFailed('md5Failed', `more bytes than the offered ${sizeBytes}`)
        const early = (paceMs * (got.offset - begun.from)) / sizeBytes - (performance.now() - begun.at)
        if (early > 0) await wheel.sleep(early, signal)
        options.onBytes(got.offset)
      }
      stall = wheel.after(stallMs, stalled)
    }
  } finally {
    stall.cancel()
  }
}

function take(got: Partial, bytes: Buffer, keptBytes: number): void {
  got.sha.update(bytes)
  got.md5.update(bytes)
  if (got.head.length < keptBytes)
    got.head = Buffer.concat([got.head, bytes.subarray(0, keptBytes - got.head.length)])
  got.offset += bytes.length
}
