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

/** A user, with the login or the API token that they came with. */
export type Who = { userId: number; loginId: string | null; tokenId: number | null }
/** Who got a ticket, and for what: the session's own user, or a user who may only watch. */
export type Ticket = Who & { sessionId: string; use: 'own' | 'watch' }

export const whoText = ({ userId, loginId, tokenId }: Who) => [userId, loginId ?? '', tokenId ?? ''].join('~')
const readWho = ([userId, loginId, tokenId]: readonly string[]): Who => ({
  userId: Number(userId),
  loginId: loginId || null,
  tokenId: Number(tokenId) || null,
})

const textOf = ({ sessionId, use, ...who }: Ticket) => [sessionId, use, whoText(who)].join('~')

function read(text: string): Ticket {
  const [sessionId = '', use, ...who] = text.split('~')
  return { sessionId, use: use === 'own' ? 'own' : 'watch', ...readWho(who) }
}

export function makeTicket(key: string, ticket: Ticket, nowMs: number): string {
  const text = `${textOf(ticket)}.${nowMs + TICKET_MS}.${randomBytes(16).toString('base64url')}`
  return `${text}.${mark(key, text)}`
}

/** Used tickets, remembered until they would have expired. */
export class Tickets {
  readonly #key: string
  readonly #used = new Map<string, number>()

  constructor(key: string) {
    this.#key = key
  }

  /** null: forged, late or used before. */
  use(ticket: string, nowMs: number): Ticket | null {
    const [text = '', at = '', nonce = '', given = ''] = ticket.split('.')
    const expiresAt = Number(at)
    if (!Number.isSafeInteger(expiresAt) || expiresAt < nowMs || expiresAt > nowMs + TICKET_MS) return null
    if (!sameText(given, mark(this.#key, `${text}.${at}.${nonce}`))) return null
    for (const [old, until] of this.#used) if (until < nowMs) this.#used.delete(old)
    if (this.#used.has(nonce)) return null
    this.#used.set(nonce, expiresAt)
    return read(text)
  }
}

/** The host name of one session's pages, used by no other session: its origin. */
export const labelOf = (key: string, sessionId: string) =>
  Buffer.from(sign(key, `remote-origin:${sessionId}`), 'base64url')
    .toString('hex')
    .slice(0, 40)

const cookieMark = (key: string, sessionId: string, who: string) =>
  sign(key, `remote-cookie:${sessionId}:${who}`)
/**
 * What opens a session's origin to a browser. It names the login that got the ticket: another login of the user may
 * have opened the session, and last longer.
 */
export const cookieOf = (key: string, sessionId: string, who: Who) =>
  `${whoText(who)}.${cookieMark(key, sessionId, whoText(who))}`

/** Who got this cookie; null if it is not one of the session. */
export function cookieWho(key: string, sessionId: string, cookie: string): Who | null {
  const [who = '', given = ''] = cookie.split('.')
  return sameText(given, cookieMark(key, sessionId, who)) ? readWho(who.split('~')) : null
}

/** The origin of one session's pages, as seen by browsers. */
export const webUrl = (env: Pick<Env, 'JWT_SECRET' | 'REMOTE_URL'>, sessionId: string, ticket: string) =>
  env.REMOTE_URL === null
    ? null
    : `${env.REMOTE_URL.replace('*', labelOf(env.JWT_SECRET, sessionId))}${ENTER_PATH}${ticket}`
