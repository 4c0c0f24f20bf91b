/** Fetches a package by HTTP: basic authentication, resuming by Range, hashing as it streams. */
import { createHash, type Hash } from 'node:crypto'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
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
  retryPauseMs: number
  /** The download takes at least so long: a mobile link, not a loopback. 0: as fast as it goes. */
  paceMs: number
  /** Resolves when the device has a network. */
  network(): Promise<void>
  /** Breaks the download when the network is lost, by aborting. */
  lost(): AbortSignal
  onConnected(): void
  onBytes(done: number): void
}
export type Downloaded = { sha256: string; md5: string; head: Buffer }

/** Tries in a row that bring no byte. */
const TRIES_BEFORE_CONTACT = 3
const TRIES_AFTER_CONTACT = 6
const HEAD_BYTES = 4096

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
 * Downloads until `sizeBytes` are there; the hashes go on over broken connections.
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
    let cause: { failure: DownloadFailed['failure']; detail: string }
    try {
      const response = await ask(options, got)
      if (!contact) options.onConnected()
      contact = true
      const verdict = judgeStatus(response.statusCode ?? 0)
      if (verdict) {
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
    if (tries >= (contact ? TRIES_AFTER_CONTACT : TRIES_BEFORE_CONTACT))
      throw new DownloadFailed(cause.failure, cause.detail)
    await options.wheel.sleep(options.retryPauseMs * tries, options.signal)
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
