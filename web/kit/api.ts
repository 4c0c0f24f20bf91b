/** The typed client: takes a declared call, returns its reply. Every request of the console goes through here. */
import type { BodyOf, Call, ReplyOf } from '#schema/kit/call'
import { type Envelope, REQUEST_ID_HEADER } from '#schema/kit/envelope'
import { inReadingOrder } from '#schema/kit/reading-order'
import { t } from './i18n.ts'
import { goTo, KIOSK_PATH, leavingSignal, loginPath } from './navigation.ts'
import { cachedResponse } from './response-cache.ts'
import { heardServer, isDown, isProxyFault, isReachable, suspectLoss } from './server/connection.ts'
import { makeRequestId } from './server/request-id.ts'
import { learnServerTime } from './server/server-clock.ts'
import { beginWaiting } from './server/waiting.ts'
import { clearSession, language, token } from './session.ts'
import { endInPlace, isSilenced } from './session-end.ts'
import { toast } from './toast.tsx'

/** [§9] */
export const HTTP_TIMEOUT_MS = 30_000
/**
 * Our own codes for requests without a readable response. `notSent`: a write that certainly did nothing; `unknown`: a
 * write that may have been carried out; `givenUp`: a read that the user gave up.
 */
export const LOCAL_CODES = { network: -1, timeout: -2, notSent: -3, unknown: -4, givenUp: -5 } as const
const SESSION_CODES: readonly number[] = [2, 20]
export const NO_PERMISSION = 5

export class ApiError extends Error {
  readonly code: number
  readonly field: string | undefined
  readonly requestId: string | undefined
  /** Data of the refusal besides its message. */
  readonly data: unknown
  constructor(code: number, message: string, field?: string, requestId?: string, data: unknown = null) {
    super(message)
    this.name = 'ApiError'
    this.code = code
    this.field = field
    this.requestId = requestId
    this.data = data
  }
}

/** [§8] Cancelled requests are ignored silently. */
export const isCancelled = (error: unknown) => error instanceof DOMException && error.name === 'AbortError'

/** The id to quote to support, or to look for in the operation log. */
export const requestIdOf = (error: unknown) => (error instanceof ApiError ? error.requestId : undefined)

/** The session ended: the dialog over the page shows it, or the login page. */
export const isSessionEnd = (error: unknown) =>
  error instanceof ApiError && SESSION_CODES.includes(error.code)

export function headers(): Record<string, string> {
  const held = token()
  return { 'Accept-Language': language(), ...(held ? { token: held } : {}) }
}

const deniedWatchers = new Set<() => void>()
/**
 * [§8 Code 5] Calls `watcher` when something is refused that the console offered: permissions may have changed.
 * Returns how to unsubscribe.
 */
export function onDenied(watcher: () => void): () => void {
  deniedWatchers.add(watcher)
  return () => deniedWatchers.delete(watcher)
}

/** [§8 Codes 2 and 20] The password is requested over the open page; without one, at /login. */
function endSession() {
  // Several requests may notice it; only the first one knows where the user was.
  if (endInPlace() || location.pathname === '/login' || location.pathname === KIOSK_PATH) return
  const path = loginPath('expired')
  clearSession()
  goTo(path)
}

/**
 * Checks an envelope [§8]: returns data on 0; session codes end the session, 5 warns; all but 0 throw. @param sent
 * the token of the request: a response that arrives after the next login must not end that session
 */
export function open<T>(envelope: Envelope<T>, sent: string | null): T {
  if (envelope.code === 0) return envelope.data as T
  if (SESSION_CODES.includes(envelope.code)) {
    if (token() === sent) endSession()
  } else if (envelope.code === NO_PERMISSION) {
    const denied = t('kit:error.noPermission')
    // Or more than that: that the object may be gone.
    toast('warning', envelope.message.startsWith(denied) ? envelope.message : denied)
    for (const watcher of deniedWatchers) watcher()
  }
  throw new ApiError(envelope.code, envelope.message, envelope.field, envelope.requestId, envelope.data)
}

export function readEnvelope<T>(text: string, status: number, requestId?: string): Envelope<T> {
  try {
    const envelope = JSON.parse(inReadingOrder(text)) as Envelope<T>
    // Refusals have an id too: the operation log finds them by it.
    return requestId === undefined ? envelope : { requestId, ...envelope }
  } catch {
    throw new ApiError(LOCAL_CODES.network, t('kit:error.unreadable', { status }), undefined, requestId)
  }
}

/** What became of a request without a response, in the words of a read or of a write. */
export function lostError(
  writes: boolean,
  why: 'network' | 'timeout' | 'givenUp',
  requestId?: string,
): ApiError {
  if (!writes) return new ApiError(LOCAL_CODES[why], t(`kit:error.${why}`), undefined, requestId)
  return new ApiError(LOCAL_CODES.unknown, t(`kit:error.unknown.${why}`), undefined, requestId)
}

/**
 * While the server cannot be reached, nothing that changes something is sent or kept for later. @throws ApiError
 * `notSent` at once if the connection is still lost
 */
export async function assertSendable(writes: boolean): Promise<void> {
  if (writes && isDown() && !(await isReachable()))
    throw new ApiError(LOCAL_CODES.notSent, t('kit:error.notSent'))
}

type Sent = { readonly writes: boolean; readonly requestId: string }

/** Runs `send` with the 30 s limit; a cancelled request stays an AbortError, other errors become ApiErrors. */
async function limited<T>(
  signal: AbortSignal,
  { writes, requestId }: Sent,
  send: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(HTTP_TIMEOUT_MS)
  const waiting = beginWaiting()
  try {
    return await send(AbortSignal.any([signal, timeout, waiting.signal]))
  } catch (error) {
    if (error instanceof ApiError) throw error
    if (signal.aborted) throw new DOMException('cancelled', 'AbortError')
    if (waiting.signal.aborted) throw lostError(writes, 'givenUp', requestId)
    suspectLoss()
    throw lostError(writes, timeout.aborted ? 'timeout' : 'network', requestId)
  } finally {
    waiting.end()
  }
}

/** Reads what a response says besides its body. @throws ApiError if a proxy wrote it in place of the server */
export function hearResponse(
  { status, date, isJson }: { status: number; date: string | null; isJson: boolean },
  { writes, requestId }: Sent,
  sentMs: number,
): void {
  if (isProxyFault(status) && !isJson) {
    suspectLoss()
    // 503: the proxy has no server to pass the request to.
    if (writes && status === 503) throw new ApiError(LOCAL_CODES.notSent, t('kit:error.notSent'))
    throw lostError(writes, 'network', requestId)
  }
  learnServerTime(date, sentMs)
  heardServer()
}

export function queryString(body: object): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(body))
    if (value !== undefined && value !== null && value !== '') query.set(key, String(value))
  return query.size > 0 ? `?${query}` : ''
}

/**
 * While the session of this tab has ended, or another tab has logged in, requests would be made in the wrong name.
 * @throws ApiError
 */
export function assertOwnLogin(call: Call): void {
  if (call.permission !== 'none' && isSilenced()) throw new ApiError(2, t('session:expired'))
}

export const factsOf = ({ status, headers: said }: Response) => ({
  status,
  date: said.get('date'),
  isJson: said.get('content-type')?.includes('json') ?? false,
})

/**
 * @param signal default: the navigation signal of the current page @param evenIfEnded also while the session of this
 * tab has ended: to find out who is logged in now @throws ApiError; an AbortError when cancelled (see isCancelled)
 */
export async function request<C extends Call>(
  call: C,
  body: BodyOf<C>,
  signal: AbortSignal = leavingSignal(),
  evenIfEnded = false,
): Promise<ReplyOf<C>> {
  const { writes } = call
  const sent = { writes, requestId: makeRequestId() }
  await assertSendable(writes)
  return limited(signal, sent, async (limit) => {
    if (!evenIfEnded) assertOwnLogin(call)
    const held = token()
    const get = call.method === 'GET'
    const text = JSON.stringify(body)
    const answer = writes ? null : cachedResponse(`${call.name} ${text}`)
    const sentMs = Date.now()
    const response = await fetch(get ? call.path + queryString(body as object) : call.path, {
      method: call.method,
      headers: {
        ...headers(),
        ...answer?.headers,
        ...(get ? {} : { 'Content-Type': 'application/json' }),
        [REQUEST_ID_HEADER]: sent.requestId,
      },
      ...(get ? {} : { body: text }),
      signal: limit,
    })
    hearResponse(factsOf(response), sent, sentMs)
    if (response.status === 304 && answer?.held) return answer.held.data as ReplyOf<C>
    const said = await response.text()
    const envelope = readEnvelope<ReplyOf<C>>(said, response.status, sent.requestId)
    const data = open(envelope, held)
    answer?.keep(response.headers.get('etag'), data, said.length)
    return data
  })
}
