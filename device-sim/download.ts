/** Fetches a package by HTTP: basic authentication, resuming by Range, hashing as it streams. */
import { createHash, type Hash } from 'node:crypto'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { TaskFailure } from '#schema/kit/task-kind'
import { DownloadFailed, judgeNetworkError, judgeStatus } from './outcome.ts'
import type { Wheel } from './wheel.ts'

export type DownloadOptions = {
  url: string
  username: string
  password: string
  sizeBytes: number
  wheel: Wheel
  signal: AbortSignal
  /** Until the first answer of the server. */
  connectMs: number
  /** Without a byte for so long, the connection is given up and resumed. */
  stallMs: number
  /** Before the second try; later ones wait longer (`retryPause`). */
  retryPauseMs: number
  /** No try is made after this moment of the device's clock: the link has expired. */
  until: number
  now(): number
  /** From 0 to 1. */
  chance(): number
  /** The download takes at least so long: a mobile link, not a loopback. 0: as fast as it goes. */
  paceMs: number
  /** Resolves when the device has a network. */
  network(): Promise<void>
  /** Breaks the download when the network is lost, by aborting. */
  lost(): AbortSignal
  onConnected(): void
  onBytes(done: number): void
  /** Tries in a row have failed; it goes on trying. */
  onHeldUp(cause: Cause): void
}
export type Cause = { failure: TaskFailure; detail: string }
export type Downloaded = { sha256: string; md5: string; head: Buffer }

/** The longest pause between two tries, in first pauses: 30 s where the first is 2 s. */
const LONGEST_PAUSE = 15
/** One failed try may be chance; from this one on the platform is told. */
const TOLD_FROM_TRY = 2
const HEAD_BYTES = 4096

/** Milliseconds to wait after `tries` failed tries in a row: twice as long each time, half of it certain, half chance. */
export const retryPause = (tries: number, firstMs: number, chance: number): number =>
  Math.min(2 ** Math.min(tries - 1, 10), LONGEST_PAUSE) * firstMs * (0.5 + chance / 2)

type Progress = { offset: number; etag: string | null; sha: Hash; md5: Hash; head: Buffer }
const fresh = (): Progress => ({
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
 * Downloads until `sizeBytes` are there; the hashes go on over broken connections. A file server that is away is no
 * failure of the device: it tries until the link expires or the item is called back.
 * @throws DownloadFailed, or the signal's reason when it is aborted.
 */
export async function download(options: DownloadOptions): Promise<Downloaded> {
  let got = fresh()
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
      const verdict = judgeStatus(response.statusCode ?? 0)
      if (response.statusCode === 416) {
        // It has less than we do: what we have is of no use.
        response.destroy()
        got = fresh()
        cause = { failure: 'unknownError', detail: 'HTTP 416' }
      } else if (verdict) {
        response.destroy()
        if (!verdict.retry) throw new DownloadFailed(verdict.failure, `HTTP ${response.statusCode}`)
        cause = { failure: verdict.failure, detail: `HTTP ${response.statusCode}` }
      } else {
        // 200 to a range request: another file by now, or a server without ranges. Begin anew.
        if (response.statusCode === 200 && got.offset > 0) got = fresh()
        got.etag = response.headers.etag ?? null
        await read(options, response, got, startedAt)
        if (got.offset < options.sizeBytes)
          throw new DownloadFailed('md5Failed', `${got.offset} bytes instead of ${options.sizeBytes}`)
        break
      }
    } catch (error) {
      if (options.signal.aborted) throw options.signal.reason
      if (error instanceof DownloadFailed) throw error
      cause = {
        failure: contact ? 'downloadTimeout' : judgeNetworkError(error),
        detail: (error as Error).message,
      }
    }
    tries = got.offset > before ? 1 : tries + 1
    const leftMs = options.until - options.now()
    if (leftMs <= 0) throw new DownloadFailed(cause.failure, cause.detail)
    if (tries >= TOLD_FROM_TRY) options.onHeldUp(cause)
    const pauseMs = retryPause(tries, options.retryPauseMs, options.chance())
    await options.wheel.sleep(Math.min(pauseMs, leftMs), options.signal)
  }
  return { sha256: got.sha.digest('hex'), md5: got.md5.digest('hex'), head: got.head }
}

function ask(options: DownloadOptions, got: Progress): Promise<IncomingMessage> {
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

async function read(options: DownloadOptions, response: IncomingMessage, got: Progress, startedAt: number) {
  const { wheel, signal, sizeBytes, paceMs, stallMs } = options
  const stalled = () => response.destroy(new TimedOut(`no data for ${stallMs} ms`))
  let stall = wheel.after(stallMs, stalled)
  const slice = paceMs > 0 ? Math.max(1, Math.ceil(sizeBytes / 25)) : sizeBytes
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      stall.cancel()
      for (let at = 0; at < chunk.length; at += slice) {
        take(got, chunk.subarray(at, at + slice))
        if (got.offset > sizeBytes)
          throw new DownloadFailed('md5Failed', `more bytes than the offered ${sizeBytes}`)
        const early = (paceMs * got.offset) / sizeBytes - (performance.now() - startedAt)
        if (early > 0) await wheel.sleep(early, signal)
        options.onBytes(got.offset)
      }
      stall = wheel.after(stallMs, stalled)
    }
  } finally {
    stall.cancel()
  }
}

function take(got: Progress, bytes: Buffer): void {
  got.sha.update(bytes)
  got.md5.update(bytes)
  if (got.head.length < HEAD_BYTES)
    got.head = Buffer.concat([got.head, bytes.subarray(0, HEAD_BYTES - got.head.length)])
  got.offset += bytes.length
}
