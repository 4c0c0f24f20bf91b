/**
 * Tickets open a terminal's WebSocket or a web page's origin for the session's own user: a browser can send no header
 * with them, and a cookie would be sent by foreign pages too. A ticket is valid once, in the process that holds the
 * tunnel.
 */
import { randomBytes } from 'node:crypto'
import type { Env } from '#infra/env'
import { sameText, sign } from '#infra/secrets'

const TICKET_MS = 30_000
/** The path under which the web proxy accepts a ticket; no device page uses it. */
export const ENTER_PATH = '/.remote-enter/'

const mark = (key: string, text: string) => sign(key, `remote-ticket:${text}`)

/** @param subject a session's id, or what `watchSubject` makes */
export function makeTicket(key: string, subject: string, nowMs: number): string {
  const text = `${subject}.${nowMs + TICKET_MS}.${randomBytes(16).toString('base64url')}`
  return `${text}.${mark(key, text)}`
}

type Watch = { sessionId: string; userId: number; loginId: string | null; tokenId: number | null }

/** The subject of a ticket for watching: the session and the watcher. */
export const watchSubject = ({ sessionId, userId, loginId, tokenId }: Watch) =>
  [sessionId, userId, loginId ?? '', tokenId ?? ''].join('~')

/** null: the session's own user. */
export function watchOf(subject: string): Watch | null {
  const [sessionId = '', userId, loginId, tokenId] = subject.split('~')
  return userId === undefined
    ? null
    : { sessionId, userId: Number(userId), loginId: loginId || null, tokenId: Number(tokenId) || null }
}

/** Used tickets, remembered until they would have expired. */
export class Tickets {
  readonly #key: string
  readonly #used = new Map<string, number>()

  constructor(key: string) {
    this.#key = key
  }

  /** The subject that it opens; null if it is forged, expired or used. */
  use(ticket: string, nowMs: number): string | null {
    const [sessionId = '', at = '', nonce = '', given = ''] = ticket.split('.')
    const expiresAt = Number(at)
    if (!Number.isSafeInteger(expiresAt) || expiresAt < nowMs || expiresAt > nowMs + TICKET_MS) return null
    if (!sameText(given, mark(this.#key, `${sessionId}.${at}.${nonce}`))) return null
    for (const [old, until] of this.#used) if (until < nowMs) this.#used.delete(old)
    if (this.#used.has(nonce)) return null
    this.#used.set(nonce, expiresAt)
    return sessionId
  }
}

/** The host name of one session's pages, used by no other session: its origin. */
export const labelOf = (key: string, sessionId: string) =>
  Buffer.from(sign(key, `remote-origin:${sessionId}`), 'base64url')
    .toString('hex')
    .slice(0, 40)

/** The origin of one session's pages, as seen by browsers. */
export const cookieOf = (key: string, sessionId: string) => sign(key, `remote-cookie:${sessionId}`)

export const webUrl = (env: Pick<Env, 'JWT_SECRET' | 'REMOTE_URL'>, sessionId: string, ticket: string) =>
  env.REMOTE_URL === null
    ? null
    : `${env.REMOTE_URL.replace('*', labelOf(env.JWT_SECRET, sessionId))}${ENTER_PATH}${ticket}`
