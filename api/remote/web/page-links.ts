/**
 * Rewrites absolute links of a page to its own device so that they stay within the session. Only links in tags are
 * rewritten: other text, such as a form field, is unchanged, because the device might store it.
 */
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createUnzip,
  createZstdDecompress,
} from 'node:zlib'
import { moved, type Names } from './web-headers.ts'

/** Maximum length of a tag that arrives in several chunks; a longer one is passed on unchanged. */
const TAG_MAX = 16 * 1024
/** Bounded, so that a hostile page costs time proportional to its length. */
const LINK =
  /(\s(?:href|src|action|formaction|poster|background|data)\s{0,8}=\s{0,8}["']?|[\s;"']url\s{0,8}=\s{0,8}["']?)((?:https?:)?\/\/[^\s"'<>/?#]{1,300})(?=[\s"'<>/?#])/gi

const moveIn = (text: string, names: Names) =>
  text.replace(/<[^<>]*>/g, (tag) =>
    tag.replace(LINK, (whole, before: string, link: string) => {
      const to = moved(link, names)
      return to === link ? whole : before + to.replace(/\/$/, '')
    }),
  )

/** Handled as single bytes: links are ASCII in every encoding that pages use. */
function linkMover(names: Names): Transform {
  let rest = ''
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const text = rest + chunk.toString('latin1')
      const open = text.lastIndexOf('<')
      const isWhole = open === -1 || text.includes('>', open) || text.length - open > TAG_MAX
      const end = isWhole ? text.length : open
      rest = text.slice(end)
      done(null, Buffer.from(moveIn(text.slice(0, end), names), 'latin1'))
    },
    flush(done) {
      done(null, Buffer.from(rest, 'latin1'))
    },
  })
}

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createUnzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
}

/** The transform for a response; null if it is not a page, or has an unknown encoding. */
export function throughLinks(
  { statusCode, headers }: { statusCode?: number; headers: IncomingHttpHeaders },
  method: string | undefined,
  names: Names,
): Transform[] | null {
  const isPage = /^(text\/html|application\/xhtml\+xml)\b/i.test(headers['content-type'] ?? '')
  if (!isPage || method === 'HEAD' || statusCode === 204 || statusCode === 206 || statusCode === 304)
    return null
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity') return [linkMover(names)]
  const decoder = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined
  return decoder ? [decoder(), linkMover(names)] : null
}

/** The headers of a response whose links were rewritten. */
export function withoutLength(headers: OutgoingHttpHeaders): OutgoingHttpHeaders {
  const kept = { ...headers }
  for (const name of ['content-length', 'content-encoding', 'content-md5', 'digest', 'accept-ranges'])
    delete kept[name]
  return kept
}
