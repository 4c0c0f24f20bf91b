/** File transfers: downloads are saved by the browser, uploads report progress. */
import type { BodyOf, Call, ReplyOf } from '#schema/kit/call'
import { ApiError, headers, LOCAL_CODES, open, queryString, readEnvelope } from './api.ts'
import { t } from './i18n.ts'
import { leavingSignal } from './navigation.ts'
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

/** Runs a `download` call and saves the file. Without a time limit: an export may take long. */
export async function download<C extends Call>(call: C, body: BodyOf<C>, fileName: string): Promise<void> {
  const get = call.method === 'GET'
  const sent = token()
  const response = await fetch(get ? call.path + queryString(body as object) : call.path, {
    method: call.method,
    headers: get ? headers() : { ...headers(), 'Content-Type': 'application/json' },
    ...(get ? {} : { body: JSON.stringify(body) }),
    signal: leavingSignal(),
  })
  // A refusal is an envelope instead of a file.
  if (response.headers.get('content-type')?.includes('json'))
    open(readEnvelope(await response.text(), response.status), sent)
  if (!response.ok)
    throw new ApiError(LOCAL_CODES.network, t('kit:error.unreadable', { status: response.status }))
  saveFile(await response.blob(), fileName)
}

/**
 * Sends a file as the raw body of an `upload` call; `query` is its declared body.
 * @param onProgress share sent, 0–1
 * @param signal aborting it ends the upload silently (AbortError)
 */
export function upload<C extends Call>(
  call: C,
  query: BodyOf<C>,
  file: Blob,
  onProgress: (share: number) => void,
  signal: AbortSignal = leavingSignal(),
): Promise<ReplyOf<C>> {
  return new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest()
    const sent = token()
    const cancel = () => xhr.abort()
    signal.addEventListener('abort', cancel, { once: true })
    xhr.open(call.method, call.path + queryString(query as object))
    for (const [name, value] of Object.entries(headers())) xhr.setRequestHeader(name, value)
    xhr.setRequestHeader('Content-Type', 'application/octet-stream')
    xhr.upload.onprogress = (event) => event.lengthComputable && onProgress(event.loaded / event.total)
    xhr.onabort = () => reject(new DOMException('cancelled', 'AbortError'))
    xhr.onerror = () => reject(new ApiError(LOCAL_CODES.network, t('kit:error.network')))
    xhr.onload = () => {
      try {
        resolve(open(readEnvelope<ReplyOf<C>>(xhr.responseText, xhr.status), sent))
      } catch (error) {
        reject(
          error instanceof ApiError
            ? error
            : new ApiError(LOCAL_CODES.network, t('kit:error.unreadable', { status: xhr.status })),
        )
      }
    }
    xhr.onloadend = () => signal.removeEventListener('abort', cancel)
    xhr.send(file)
  })
}
