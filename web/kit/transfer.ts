/** File transfers: downloads are saved by the browser, uploads report progress. */
import type { BodyOf, Call, ReplyOf } from '#schema/kit/call'
import { REQUEST_ID_HEADER } from '#schema/kit/envelope'
import {
  ApiError,
  assertOwnLogin,
  assertSendable,
  factsOf,
  headers,
  hearResponse,
  isCancelled,
  LOCAL_CODES,
  lostError,
  open,
  queryString,
  readEnvelope,
} from './api.ts'
import { t } from './i18n.ts'
import { leavingSignal } from './navigation.ts'
import { suspectLoss } from './server/connection.ts'
import { makeRequestId } from './server/request-id.ts'
import { token } from './session.ts'

export function saveFile(blob: Blob, name: string) {
  const url = URL.createObjectURL(blob)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  // Revoking immediately loses the file in some browsers.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** Excel reads UTF-8 only with a byte order mark. */
export const saveCsv = (csv: string, name: string) =>
  saveFile(new Blob(['\uFEFF', csv], { type: 'text/csv;charset=utf-8' }), name)

/** How a file arrives; `end` are its last bytes so far. */
export type Arrival = { signal: AbortSignal; onPart: (bytes: number, end: Uint8Array) => void }

async function watched(response: Response, { onPart }: Arrival): Promise<Blob> {
  const reader = response.body?.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    parts.push(part.value)
    bytes += part.value.length
    onPart(bytes, part.value)
  }
  return new Blob(parts, { type: response.headers.get('content-type') ?? '' })
}

/** Runs a `download` call. Without a time limit: an export may take long. */
export async function fetchFile<C extends Call>(call: C, body: BodyOf<C>, arrival?: Arrival): Promise<Blob> {
  const get = call.method === 'GET'
  const held = token()
  const sent = { writes: false, requestId: makeRequestId() }
  const sentMs = Date.now()
  try {
    assertOwnLogin(call)
    const response = await fetch(get ? call.path + queryString(body as object) : call.path, {
      method: call.method,
      headers: {
        ...headers(),
        ...(get ? {} : { 'Content-Type': 'application/json' }),
        [REQUEST_ID_HEADER]: sent.requestId,
      },
      ...(get ? {} : { body: JSON.stringify(body) }),
      signal: arrival?.signal ?? leavingSignal(),
    })
    const facts = factsOf(response)
    hearResponse(facts, sent, sentMs)
    // A refusal is an envelope instead of a file.
    if (facts.isJson) open(readEnvelope(await response.text(), response.status, sent.requestId), held)
    if (!response.ok)
      throw new ApiError(
        LOCAL_CODES.network,
        t('kit:error.unreadable', { status: response.status }),
        undefined,
        sent.requestId,
      )
    return await (arrival ? watched(response, arrival) : response.blob())
  } catch (error) {
    if (error instanceof ApiError || isCancelled(error)) throw error
    suspectLoss()
    throw lostError(false, 'network', sent.requestId)
  }
}

/** The same, and saves the file. */
export async function download<C extends Call>(call: C, body: BodyOf<C>, fileName: string): Promise<void> {
  saveFile(await fetchFile(call, body), fileName)
}

/**
 * Sends a file as the raw body of an `upload` call; `query` is its declared body.
 * @param onProgress share sent, 0–1
 * @param signal aborting it ends the upload silently (AbortError)
 */
export async function upload<C extends Call>(
  call: C,
  query: BodyOf<C>,
  file: Blob,
  onProgress: (share: number) => void,
  signal: AbortSignal = leavingSignal(),
): Promise<ReplyOf<C>> {
  await assertSendable(true)
  assertOwnLogin(call)
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    const held = token()
    const sent = { writes: true, requestId: makeRequestId() }
    const sentMs = Date.now()
    let whole = false
    const cancel = () => xhr.abort()
    signal.addEventListener('abort', cancel, { once: true })
    xhr.open(call.method, call.path + queryString(query as object))
    for (const [name, value] of Object.entries(headers())) xhr.setRequestHeader(name, value)
    xhr.setRequestHeader('Content-Type', 'application/octet-stream')
    xhr.setRequestHeader(REQUEST_ID_HEADER, sent.requestId)
    xhr.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total)
    xhr.upload.onload = () => {
      whole = true
    }
    xhr.onabort = () => reject(new DOMException('cancelled', 'AbortError'))
    xhr.onerror = () => {
      suspectLoss()
      // The server discards a file that it has not received completely.
      reject(
        whole
          ? lostError(true, 'network', sent.requestId)
          : new ApiError(LOCAL_CODES.notSent, t('kit:error.uploadBroke')),
      )
    }
    xhr.onload = () => {
      try {
        const { status } = xhr
        const isJson = xhr.getResponseHeader('content-type')?.includes('json') ?? false
        hearResponse({ status, date: xhr.getResponseHeader('date'), isJson }, sent, sentMs)
        resolve(open(readEnvelope<ReplyOf<C>>(xhr.responseText, status, sent.requestId), held))
      } catch (error) {
        reject(error)
      }
    }
    xhr.onloadend = () => signal.removeEventListener('abort', cancel)
    xhr.send(file)
  })
}
