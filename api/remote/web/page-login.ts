/** The logins that pages of devices are open with: a page ends with its own one, however long the session lasts. */
import type { IncomingMessage } from 'node:http'
import type { Context } from '#infra/context'
import { lasts } from '../still-allowed.ts'
import { cookieWho, type Who, whoText } from '../ticket.ts'
import { cookiesIn } from './web-headers.ts'

/** A page loads dozens of files at once: its login is read once for all of them. */
const KNOWN_MS = 1_000

type Known = { readonly untilMs: number; readonly lasts: Promise<boolean> }

/** @returns whose page asks, while their login lasts; null: the request has no valid cookie of the session */
export function pageLogins(context: Pick<Context, 'sql' | 'db' | 'now' | 'env'>) {
  const known = new Map<string, Known>()
  function stillLasts(who: Who): Promise<boolean> {
    const nowMs = performance.now()
    for (const [key, { untilMs }] of known) if (untilMs < nowMs) known.delete(key)
    const key = whoText(who)
    const found = known.get(key) ?? { untilMs: nowMs + KNOWN_MS, lasts: lasts(context, who) }
    known.set(key, found)
    return found.lasts
  }
  return async ({ headers }: IncomingMessage, sessionId: string): Promise<Who | null> => {
    for (const cookie of cookiesIn(headers.cookie)) {
      const who = cookieWho(context.env.JWT_SECRET, sessionId, cookie)
      if (who && (await stillLasts(who))) return who
    }
    return null
  }
}
