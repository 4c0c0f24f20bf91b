/** Checks of certificates and keys by their texts: whether they are complete and belong together. */

type Part = { readonly tag: number; readonly body: string; readonly end: number }

/** The next element of a DER text (bytes as characters); null: there is no whole one. */
function partAt(der: string, at: number): Part | null {
  const first = der.charCodeAt(at + 1)
  if (Number.isNaN(first)) return null
  const more = first < 0x80 ? 0 : first & 0x7f
  if (more > 4) return null
  let length = more === 0 ? first : 0
  for (let i = 0; i < more; i++) length = length * 256 + der.charCodeAt(at + 2 + i)
  const start = at + 2 + more
  return start + length <= der.length
    ? { tag: der.charCodeAt(at), body: der.slice(start, start + length), end: start + length }
    : null
}

function partsIn(der: string): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < der.length; ) {
    const part = partAt(der, at)
    if (!part) break
    parts.push(part)
    at = part.end
  }
  return parts
}

const SEQUENCE = 0x30
const INTEGER = 0x02
const OCTETS = 0x04
const PUBLIC_KEY = 0xa1

/** The parts of the first block of a PEM text; null: it is damaged. */
function blockParts(pem: string): Part[] | null {
  const [, inside = ''] = /-----BEGIN [A-Z0-9 ]+-----([\s\S]*?)-----END/.exec(pem) ?? []
  const base64 = inside.replace(/\s/g, '')
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 !== 0) return null
  const der = atob(base64)
  const whole = partAt(der, 0)
  return whole?.tag === SEQUENCE && whole.end === der.length ? partsIn(whole.body) : null
}

export const isWholePem = (pem: string): boolean => blockParts(pem) !== null

/** The passphrase cannot be entered when the device starts. */
export const hasPassphrase = (pem: string): boolean =>
  /-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(pem)

/** The modulus of an RSA key or the point of an EC key; null: the key does not contain it (Ed25519). */
function publicPart(parts: readonly Part[]): string | null {
  const [version, second, third] = parts
  if (second?.tag === SEQUENCE && third?.tag === OCTETS) {
    const inner = partAt(third.body, 0)
    return inner?.tag === SEQUENCE ? publicPart(partsIn(inner.body)) : null
  }
  if (version?.tag === INTEGER && second?.tag === INTEGER) return second.body
  const point = parts.find(({ tag }) => tag === PUBLIC_KEY)
  return point ? (partAt(point.body, 0)?.body ?? null) : null
}

/** Whether the key is that of the certificate, where its kind lets this be seen; otherwise true. */
export function keyFits(certificate: string, key: string): boolean {
  const own = publicPart(blockParts(key) ?? [])
  const [signed] = blockParts(certificate) ?? []
  return own === null || signed === undefined || signed.body.includes(own)
}
