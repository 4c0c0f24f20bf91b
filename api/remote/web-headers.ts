/** Headers between a browser and the web page of a device: each side sees the names that it knows. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

/** The cookie that opens a session's origin; the device never sees it, and cannot set it. */
export const SESSION_COOKIE = 'remote_session'

const HOP =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|x-forwarded-.*|forwarded|x-real-ip|http2-settings)$/
/** What would outlive the session, or is about another place than this origin. */
const UNWANTED =
  /^(connection|keep-alive|proxy-.*|trailer|transfer-encoding|upgrade|strict-transport-security|public-key-pins.*|alt-svc|nel|report-to|reporting-endpoints|service-worker-allowed|clear-site-data|access-control-.*)$/

export type Names = {
  /** As the device calls itself: `http://192.168.1.1`. */
  readonly target: URL
  /** As the browser calls it. */
  readonly own: URL
}

const without = (cookies: string) =>
  cookies
    .split(/;\s*/)
    .filter((part) => part !== '' && part.split('=')[0] !== SESSION_COOKIE)
    .join('; ')

export const cookieIn = (cookies = ''): string =>
  cookies
    .split(/;\s*/)
    .find((part) => part.startsWith(`${SESSION_COOKIE}=`))
    ?.slice(SESSION_COOKIE.length + 1) ?? ''

/** An address of the one side in the words of the other; any other address stays. */
function moved(text: string, from: URL, to: URL): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  return url.host === from.host ? to.origin + url.pathname + url.search + url.hash : text
}

/** What the device gets. */
export function toDevice(given: IncomingHttpHeaders, { target, own }: Names): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = { host: target.host }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || HOP.test(name)) continue
    if (name === 'cookie') {
      const cookie = without(String(value))
      if (cookie !== '') headers[name] = cookie
    } else if (name === 'origin') headers[name] = String(value) === own.origin ? target.origin : 'null'
    else if (name === 'referer') headers[name] = moved(String(value), own, target)
    else headers[name] = value
  }
  return headers
}

/** A cookie of the device, bound to the origin of its session. */
function boundCookie(cookie: string, isSecure: boolean): string | null {
  const [pair = '', ...attributes] = cookie.split(/;\s*/)
  if (pair.split('=')[0]?.trim() === SESSION_COOKIE) return null
  const kept = attributes.filter(
    (attribute) => !/^domain\b/i.test(attribute) && (isSecure || !/^secure$/i.test(attribute)),
  )
  return [pair, ...kept].join('; ')
}

/** What the browser gets. */
export function toBrowser(given: IncomingHttpHeaders, { target, own }: Names): OutgoingHttpHeaders {
  const headers: OutgoingHttpHeaders = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || UNWANTED.test(name)) continue
    if (name === 'set-cookie')
      headers[name] = [value].flat().flatMap((cookie) => boundCookie(cookie, own.protocol === 'https:') ?? [])
    else if (name === 'location') headers[name] = moved(String(value), target, own)
    else headers[name] = value
  }
  const policy = given['content-security-policy']
  // Beside the device's own policy: no page frames it, the console least of all.
  headers['content-security-policy'] = `${policy ? `${policy}, ` : ''}frame-ancestors 'self'`
  headers['referrer-policy'] = 'same-origin'
  headers['x-robots-tag'] = 'noindex'
  headers['cross-origin-opener-policy'] = 'same-origin'
  return headers
}
