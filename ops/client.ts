/** Speaks to the platform: declared calls over fetch, refusals as exit code 3. */
import { z } from 'zod'
import type { BodyOf, Call, ReplyOf } from '#schema/kit/call'
import type { Envelope } from '#schema/kit/envelope'
import { pickLanguage } from '#schema/kit/refusal'
import { refusals } from '#schema/refusals'
import { Exit, exitCodes, usage } from './exit.ts'
import { readLogin } from './stored-login.ts'

/** [§9 HTTP timeout] */
const TIMEOUT_MS = 30_000

const envelope = z.object({ code: z.number(), data: z.unknown(), message: z.string() })

/** POSIX locale to the header that the platform reads: zh_TW.UTF-8 → zh-TW. */
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

/** A stored token is sent only to where it came from. */
function token(): string | undefined {
  if (process.env['IOT_TOKEN']) return process.env['IOT_TOKEN']
  const login = readLogin()
  return login?.url === platformUrl() ? login.token : undefined
}

export function headers(): Record<string, string> {
  const held = token()
  return { 'accept-language': acceptLanguage(), ...(held ? { token: held } : {}) }
}

/** What a refused request ends with; a missing login says what to do. */
export function refused(answer: Pick<Envelope, 'code' | 'message'>): never {
  const loggedOut = answer.code === refusals.notLoggedIn.code || answer.code === refusals.sessionEnded.code
  const hint = loggedOut ? ' (run `ops login`, or set IOT_TOKEN)' : ''
  throw new Exit(exitCodes.refused, `${answer.message}${hint} [code ${answer.code}]`)
}

/** @throws Exit 3 for anything but the platform's envelope with code 0 */
export function dataOf(text: string, status: number): unknown {
  let answer: z.output<typeof envelope>
  try {
    answer = envelope.parse(JSON.parse(text))
  } catch {
    throw new Exit(
      exitCodes.refused,
      `${platformUrl()} answered HTTP ${status}, and not as the platform does`,
    )
  }
  return answer.code === 0 ? answer.data : refused(answer)
}

export function unreachable(error: unknown): never {
  if (error instanceof Exit) throw error
  if (error instanceof Error && error.name === 'TimeoutError')
    throw new Exit(exitCodes.timedOut, `${platformUrl()} did not answer in ${TIMEOUT_MS / 1000} s`)
  const cause = (error as { cause?: { code?: string } }).cause
  throw new Exit(
    exitCodes.refused,
    `${platformUrl()} cannot be reached (${cause?.code ?? (error as Error).message}): is it running, is IOT_URL right?`,
  )
}

/** The answer of a call as it comes, for calls that answer a file. */
export async function send(call: Call, body: unknown): Promise<Response> {
  try {
    return await fetch(`${platformUrl()}${call.path}`, {
      method: call.method,
      headers: { ...headers(), ...(call.method === 'POST' ? { 'content-type': 'application/json' } : {}) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(call.method === 'POST' ? { body: JSON.stringify(body) } : {}),
    })
  } catch (error) {
    return unreachable(error)
  }
}

/** @throws Exit 3 when refused, 4 after 30 s without an answer */
export async function ask<C extends Call>(call: C, body: BodyOf<C>): Promise<ReplyOf<C>> {
  const response = await send(call, body)
  const text = await response.text().catch(unreachable)
  return dataOf(text, response.status) as ReplyOf<C>
}
