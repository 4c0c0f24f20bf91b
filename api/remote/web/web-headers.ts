/** Rewrites headers between a browser and the web page of a device: each side sees its own host names. */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'

/** The cookie that opens a session's origin; the device never sees it, and cannot set it. */
export const SESSION_COOKIE = 'remote_session'

const HOP =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|x-forwarded-.*|forwarded|x-real-ip|http2-settings)$/
/** Headers that would outlive the session, or affect more than this origin. */
const UNWANTED =
  /^(connection|keep-alive|proxy-.*|trailer|transfer-encoding|upgrade|strict-transport-security|public-key-pins.*|alt-svc|nel|report-to|reporting-endpoints|service-worker-allowed|clear-site-data|access-control-.*)$/

export type Names = {
  /** The device's address as seen through the tunnel: `http://127.0.0.1`. */
  readonly target: URL
  /** Host names that the device may use for itself: those of `target` and of its LAN. */
  readonly known: readonly string[]
  /** The origin in the browser. */
  readonly own: URL
}

const without = (cookies: string) =>
  cookies
    .split(/;\s*/)
    .filter((part) => part !== '' && part.split('=')[0] !== SESSION_COOKIE)
    .join('; ')

/** All cookies of this name: a page of another session may have set one for the common parent domain. */
export const cookiesIn = (cookies = ''): string[] =>
  cookies
    .split(/;\s*/)
    .filter((part) => part.startsWith(`${SESSION_COOKIE}=`))
    .map((part) => part.slice(SESSION_COOKIE.length + 1))

const portOf = ({ port, protocol }: URL) => port || (protocol === 'https:' ? '443' : '80')
/** null if it is not an address with a host. */
const addressOf = (text: string, { target }: Names) =>
  URL.parse(text) ?? (text.startsWith('//') ? URL.parse(text, target) : null)
const isTarget = (url: URL, { target, known }: Names) =>
  url.protocol === target.protocol && portOf(url) === portOf(target) && known.includes(url.hostname)

/** Converts an address of the device to the one for the browser; any other address is unchanged. */
export function moved(text: string, names: Names): string {
  const url = addressOf(text, names)
  return url && isTarget(url, names) ? names.own.origin + url.pathname + url.search + url.hash : text
}

/**
 * The target of a redirect to another port or protocol of the device, such as from HTTP to HTTPS, which this session
 * cannot reach; null if it is no such redirect.
 */
export function elsewhere({ location }: IncomingHttpHeaders, names: Names): URL | null {
  const url = location === undefined ? null : addressOf(location, names)
  return url && /^https?:$/.test(url.protocol) && names.known.includes(url.hostname) && !isTarget(url, names)
    ? url
    : null
}

/** `deflate` means two formats: servers send either, and only browsers detect which. */
const readable = (encodings: string) =>
  encodings
    .split(',')
    .map((encoding) => encoding.trim())
    .filter((encoding) => !/^deflate\b/i.test(encoding))
    .join(', ')

function refererOf(text: string, { target, own }: Names): string {
  const url = URL.parse(text)
  return url?.host === own.host ? target.origin + url.pathname + url.search + url.hash : text
}

/** The request headers for the device. */
export function toDevice(given: IncomingHttpHeaders, names: Names): OutgoingHttpHeaders {
  const { target, own } = names
  const headers: OutgoingHttpHeaders = { host: target.host }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || HOP.test(name)) continue
    if (name === 'cookie') {
      const cookie = without(String(value))
      if (cookie !== '') headers[name] = cookie
    } else if (name === 'origin') headers[name] = String(value) === own.origin ? target.origin : 'null'
    else if (name === 'referer') headers[name] = refererOf(String(value), names)
    else if (name === 'accept-encoding') headers[name] = readable(String(value))
    else headers[name] = value
  }
  return headers
}

/** What a browser accepts over TLS only: on an origin without it, it would refuse the whole cookie. */
const NEEDS_TLS = /^(secure$|samesite\s*=\s*none\b|partitioned$)/i

/** A cookie of the device, bound to the origin of its session. */
function boundCookie(cookie: string, isSecure: boolean): string | null {
  const [pair = '', ...attributes] = cookie.split(/;\s*/)
  if (pair.split('=')[0]?.trim() === SESSION_COOKIE) return null
  const kept = attributes.filter(
    (attribute) => !/^domain\b/i.test(attribute) && (isSecure || !NEEDS_TLS.test(attribute.trim())),
  )
  return [pair, ...kept].join('; ')
}

/** `3; url=/next`: the address is after the seconds. */
const REFRESH = /^(\s*[\d.]*\s*[;,]?\s*(?:url\s*=\s*)?["']?)([^"']*)/i
const refreshed = (text: string, names: Names) =>
  text.replace(REFRESH, (_all, before: string, address: string) => before + moved(address.trim(), names))

/** The response headers for the browser. */
export function toBrowser(given: IncomingHttpHeaders, names: Names): OutgoingHttpHeaders {
  const { own } = names
  const headers: OutgoingHttpHeaders = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || UNWANTED.test(name)) continue
    // Of a chunked body it is wrong: the browser would read the rest as its next response [RFC 9112, 6.3].
    if (name === 'content-length' && given['transfer-encoding'] !== undefined) continue
    if (name === 'set-cookie')
      headers[name] = [value].flat().flatMap((cookie) => boundCookie(cookie, own.protocol === 'https:') ?? [])
    else if (name === 'location') headers[name] = moved(String(value), names)
    else if (name === 'refresh') headers[name] = refreshed(String(value), names)
    else headers[name] = value
  }
  const policy = given['content-security-policy']
  // In addition to the device's own policy: no page may frame it, least of all the console.
  headers['content-security-policy'] = `${policy ? `${policy}, ` : ''}frame-ancestors 'self'`
  headers['referrer-policy'] = 'same-origin'
  headers['x-robots-tag'] = 'noindex'
  headers['cross-origin-opener-policy'] = 'same-origin'
  return headers
}
