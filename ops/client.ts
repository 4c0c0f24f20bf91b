/** Client of the platform: declared calls over fetch, refusals as exit code 3. */

import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { BodyOf, Call, ReplyOf } from '#schema/kit/call'
import type { Envelope } from '#schema/kit/envelope'
import { pickLanguage } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { Exit, type ExitCode, exitCodes, usage } from './exit.ts'
import { note } from './print.ts'
import { readLogin } from './stored-login.ts'

/** [§9 HTTP timeout] */
const TIMEOUT_MS = 30_000

const envelope = z.object({
  code: z.number(),
  data: z.unknown(),
  message: z.string(),
  requestId: z.string().optional(),
})

/** Converts the POSIX locale to the header that the platform reads: zh_TW.UTF-8 → zh-TW. */
export function acceptLanguage(env: NodeJS.ProcessEnv = process.env): string {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || 'en'
  const tag = locale.split('.')[0]?.replace('_', '-') ?? 'en'
  return /^(zh|en)/i.test(tag) ? pickLanguage(tag) : 'en-US'
}

export function platformUrl(): string {
  const url = process.env['IOT_URL'] || readLogin()?.url || 'http://localhost:8080'
  if (!URL.canParse(url) || !/^https?:/.test(url)) usage(`IOT_URL ${url} is no http(s) URL`)
  return url.replace(/\/+$/, '')
}

/** A stored token is sent only to the platform that issued it. */
function token(): string | undefined {
  const given = process.env['IOT_TOKEN']
  // Not printed, because it may be a token with a line break.
  if (given && !/^[!-~]+$/.test(given)) usage('IOT_TOKEN holds what no token does (a space, a line break?)')
  if (given) return given
  const login = readLogin()
  return login?.url === platformUrl() ? login.token : undefined
}

export function headers(): Record<string, string> {
  const held = token()
  return { 'accept-language': acceptLanguage(), ...(held ? { token: held } : {}) }
}

/** The platform is down or overloaded, and may be back soon. */
export class Outage extends Exit {
  constructor(message: string, code: ExitCode = exitCodes.refused) {
    super(code, message)
  }
}
const isPassing = (status: number) => status >= 500 || status === 429

/** The exit of a refused request; a missing login says what to do. */
export function refused(answer: Pick<Envelope, 'code' | 'message'>): never {
  const loggedOut =
    answer.code === sessionRefusals.notLoggedIn.code || answer.code === sessionRefusals.sessionEnded.code
  const hint = loggedOut ? ' (run `ops login`, or set IOT_TOKEN)' : ''
  throw new Exit(exitCodes.refused, `${answer.message}${hint} [code ${answer.code}]`)
}

/** @throws Exit 3 for anything but the platform's envelope with code 0 */
export function dataOf(text: string, status: number): unknown {
  let answer: z.output<typeof envelope>
  try {
    answer = envelope.parse(JSON.parse(text))
  } catch {
    const message = `${platformUrl()} answered HTTP ${status}, and not as the platform does`
    throw isPassing(status) ? new Outage(message) : new Exit(exitCodes.refused, message)
  }
  if (isPassing(status)) {
    const request = answer.requestId ? `, request ${answer.requestId}` : ''
    throw new Outage(`${answer.message} [code ${answer.code}${request}]`)
  }
  return answer.code === 0 ? answer.data : refused(answer)
}

/**
 * Explains a certificate or protocol error, which means that IOT_URL leads to something else; waiting would not help.
 */
function wrongEnd(code: string): string | null {
  if (/CERT|SIGNATURE|ISSUER|CRL/.test(code))
    return `its certificate is not trusted (${code}): is it the right host? NODE_EXTRA_CA_CERTS=file.pem trusts your own authority`
  if (/^(ERR_SSL|EPROTO)/.test(code)) return `it does not speak TLS (${code}): http:// instead of https://?`
  if (code.startsWith('HPE_')) return `it does not speak HTTP (${code})`
  return null
}

/** The token is sent only to IOT_URL, never to the target of a redirect. */
export function refuseRedirect(status: number, location: string | null | undefined): void {
  if (status < 300 || status > 399 || !location) return
  const to = URL.canParse(location, platformUrl()) ? new URL(location, platformUrl()).origin : 'elsewhere'
  throw new Exit(
    exitCodes.refused,
    `${platformUrl()} redirects to ${to}: set IOT_URL to where the platform is`,
  )
}

export function unreachable(error: unknown): never {
  if (error instanceof Exit) throw error
  if (error instanceof Error && error.name === 'TimeoutError')
    throw new Outage(`${platformUrl()} did not answer in ${TIMEOUT_MS / 1000} s`, exitCodes.timedOut)
  const { cause } = error as { cause?: { code?: string; message?: string } }
  const wrong = wrongEnd(cause?.code ?? '')
  if (wrong) throw new Exit(exitCodes.refused, `${platformUrl()}: ${wrong}`)
  const why = cause?.code ?? cause?.message ?? (error as Error).message
  throw new Outage(`${platformUrl()} cannot be reached (${why}): is it running, is IOT_URL right?`)
}

/** The raw response of a call that returns a file: the transfer may take long, its start may not. */
export async function send(call: Call, body: unknown): Promise<Response> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(new DOMException('no answer', 'TimeoutError')), TIMEOUT_MS)
  try {
    const answer = await fetch(`${platformUrl()}${call.path}`, {
      method: call.method,
      redirect: 'manual',
      headers: { ...headers(), ...(call.method === 'POST' ? { 'content-type': 'application/json' } : {}) },
      signal: patience.signal,
      ...(call.method === 'POST' ? { body: JSON.stringify(body) } : {}),
    })
    refuseRedirect(answer.status, answer.headers.get('location'))
    return answer
  } catch (error) {
    return unreachable(error)
  } finally {
    clearTimeout(timer)
  }
}

/** @throws Exit 3 when refused, 4 after 30 s without a response */
export async function ask<C extends Call>(call: C, body: BodyOf<C>): Promise<ReplyOf<C>> {
  const response = await send(call, body)
  const text = await response.text().catch(unreachable)
  return dataOf(text, response.status) as ReplyOf<C>
}

const AGAIN_MS = 2_000

/**
 * Retries until there is a response, so that watching for hours survives a restart of the platform. @throws Exit 3
 * when refused, 4 if the platform is still down at `until`
 */
export async function askWithRetry<C extends Call>(
  call: C,
  body: BodyOf<C>,
  until: number,
): Promise<ReplyOf<C>> {
  for (let isNoted = false; ; isNoted = true) {
    try {
      return await ask(call, body)
    } catch (error) {
      if (!(error instanceof Outage)) throw error
      if (Date.now() + AGAIN_MS > until) throw new Exit(exitCodes.timedOut, error.message)
      if (!isNoted) note(`${error.message}; trying again`)
      await sleep(AGAIN_MS)
    }
  }
}
