/**
 * Requests to addresses that customers enter. They must not reach our own network: the name is resolved once,
 * checked, and exactly that address is connected to; redirects are not followed; the response is bounded.
 */
import { lookup as resolveName } from 'node:dns'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** RFC 6890 and its successors: everything that is not the public internet. */
const closed = new BlockList()
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const)
  closed.addSubnet(net, bits, 'ipv4')
/** Of IPv6 only global unicast is allowed, without the ranges that embed an IPv4 address or are for documentation. */
const open6 = new BlockList()
open6.addSubnet('2000::', 3, 'ipv6')
const closed6 = new BlockList()
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  closed6.addSubnet(net, bits, 'ipv6')

/** Whether this address is on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !closed.check(address, 'ipv4')
  return isIP(address) === 6 && open6.check(address, 'ipv6') && !closed6.check(address, 'ipv6')
}

const WEB = ['http:', 'https:']

export class AddressRefused extends Error {}

export type Answer = { status: number; text: string; tookMs: number }
type Options = {
  headers: Readonly<Record<string, string>>
  body: string
  timeoutMs: number
  /** Bytes of the response that are read. */
  keepBytes: number
  /** For installations whose receivers are on the same network. */
  allowPrivate: boolean
}

/**
 * The reason why an address cannot be used at all; null: it can be tried. Names are checked when they are resolved.
 */
export function whyRefused(
  address: string,
  allowPrivate: boolean,
  protocols: readonly string[] = WEB,
): string | null {
  if (!URL.canParse(address)) return 'URL'
  const url = new URL(address)
  if (!protocols.includes(url.protocol)) return url.protocol
  if (url.username !== '' || url.password !== '') return 'user:password@'
  const host = canonicalHost(url.hostname)
  if (!allowPrivate && isIP(host) !== 0 && !isPublicAddress(host)) return host
  if (!allowPrivate && /(^|\.)localhost\.?$/i.test(host)) return host
  return null
}

/** Only of web addresses the parser itself understands `2130706433` and `0x7f.1` as 127.0.0.1, as the resolver does later. */
function canonicalHost(hostname: string): string {
  const web = `http://${hostname}`
  return (URL.canParse(web) ? new URL(web).hostname : hostname).replace(/^\[|\]$/g, '')
}

/** Resolves a name once, and refuses it when one of its addresses is not public, unless `allowPrivate`. */
export const guarded =
  (allowPrivate: boolean): LookupFunction =>
  (name, options, answer) => {
    resolveName(name, { ...options, all: true }, (error, found) => {
      if (error) return answer(error, [])
      const bad = allowPrivate ? undefined : found.find(({ address }) => !isPublicAddress(address))
      if (bad) return answer(new AddressRefused(`${name} is ${bad.address}, which is not public`), [])
      const [first] = found
      if (!first) return answer(new Error(`${name} has no address`), [])
      if (options.all) answer(null, found)
      else answer(null, first.address, first.family)
    })
  }

/** Shorter parts of a path are names (`hook`, `v2`); parts that are secrets are longer. */
const SECRET_MIN = 8

/**
 * `text` without the parts that repeat the address: receivers return "/services/T0…/B0…/x was not found", and the
 * path of a robot's address is its password. Also removes a part that is cut off at the end of the text.
 */
export function withoutAddress(text: string, address: string): string {
  const { pathname, searchParams } = new URL(address)
  const parts = [...pathname.split('/'), ...searchParams.values()].flatMap((part) => [part, plain(part)])
  let clean = text
  for (const part of new Set(parts.filter(({ length }) => length >= SECRET_MIN))) {
    clean = clean.replace(new RegExp(part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi'), '…')
    for (let length = part.length - 1; length >= SECRET_MIN / 2; length--)
      if (clean.slice(-length).toLowerCase() === part.slice(0, length).toLowerCase())
        clean = `${clean.slice(0, -length)}…`
  }
  return clean
}
function plain(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A percent sign that does not start an escape: the text is not encoded.
    return part
  }
}

/** Without a character that is cut off at the end: the part of the address before it would not be at the end then. */
const wholeCharacters = (bytes: Buffer) =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })

/**
 * POSTs `body`. Resolves with the status of the response and its text without parts of the address: with as much of it
 * as arrived, if the receiver keeps the response open or breaks it off. @throws AddressRefused, or the network error, or
 * a timeout if there is no status after `timeoutMs`.
 */
export function postOutbound(address: string, options: Options): Promise<Answer> {
  const why = whyRefused(address, options.allowPrivate)
  if (why !== null) return Promise.reject(new AddressRefused(why))
  const url = new URL(address)
  const began = performance.now()
  return new Promise((resolve, reject) => {
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    const request = send(url, {
      method: 'POST',
      headers: { ...options.headers, 'content-length': Buffer.byteLength(options.body) },
      lookup: guarded(options.allowPrivate),
      // A separate connection: the address that was checked is the one used.
      agent: false,
      signal: AbortSignal.timeout(options.timeoutMs),
    })
    request.on('error', reject)
    // After 101 Node closes the connection silently: without an error or response, and the timeout no longer applies.
    const closed = () => reject(new Error('closed without an answer'))
    request.once('close', closed)
    request.once('response', (response) => {
      request.off('error', reject).on('error', () => undefined)
      request.off('close', closed)
      const parts: Buffer[] = []
      let kept = 0
      const done = () =>
        resolve({
          status: response.statusCode ?? 0,
          text: withoutAddress(
            wholeCharacters(Buffer.concat(parts).subarray(0, options.keepBytes)).replaceAll('\0', ''),
            address,
          ),
          tookMs: Math.round(performance.now() - began),
        })
      response.on('data', (part: Buffer) => {
        parts.push(part)
        kept += part.length
        if (kept < options.keepBytes) return
        done()
        request.destroy()
      })
      // The status has been said: a sender that took its absence for a refusal would send the same again.
      response.on('error', () => undefined).once('close', done)
    })
    request.end(options.body)
  })
}
