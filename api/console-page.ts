/**
 * index.html as a browser gets it: in its colour scheme and language, with the texts of the page at its path, and the names
 * of its files, so that it requests them together with the first script. Neither costs a request of its own; reading a
 * cookie in the browser would have to wait for them.
 */
import { readFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DEFAULT_LANGUAGE, type Language, languages } from '#schema/kit/refusal'
import { FIRST_FILES, FIRST_TEXTS_ID, type FirstFiles, LANGUAGE_COOKIE } from '#schema/platform/first-files'

const locales = new URL('../locales/', import.meta.url)

/** A session's cookie: without it the login comes first, whatever the path. */
const SESSION = /(?:^|; )token=/
const SCHEME = /(?:^|; )theme=(light|dark)/
const LANGUAGE = new RegExp(`(?:^|; )${LANGUAGE_COOKIE}=([\\w-]+)`)

/** Once for each page, language and scheme: not worth more effort. */
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }
const packers = {
  br: (plain: Buffer) => brotliCompressSync(plain, QUALITY),
  gzip: (plain: Buffer) => gzipSync(plain),
  identity: (plain: Buffer) => plain,
} as const
type Encoding = keyof typeof packers

const encodingOf = ({ headers }: FastifyRequest): Encoding => {
  const accepted = String(headers['accept-encoding'] ?? '')
  return (['br', 'gzip'] as const).find((name) => new RegExp(`\\b${name}\\b`).test(accepted)) ?? 'identity'
}

/** With `crossorigin`, as the page and its scripts ask for style sheets: browsers fetch one again that was fetched otherwise. */
const preload = (path: string) =>
  path.endsWith('.css')
    ? `<link rel="preload" as="style" crossorigin href="${path}">`
    : `<link rel="modulepreload" href="${path}">`

/** As JSON within HTML: no text can end its element. */
function textsOf(words: readonly string[], language: Language): string {
  const read = (word: string) =>
    JSON.parse(readFileSync(new URL(`${language}/${word}.json`, locales), 'utf8'))
  const texts = Object.fromEntries(words.map((word) => [word, read(word)]))
  return JSON.stringify(texts).replaceAll('<', '\\u003c')
}

type Page = { files: readonly string[]; words: readonly string[] }

function drawn(html: string, page: Page, language: Language, scheme: string | undefined): string {
  const texts = `<script type="application/json" id="${FIRST_TEXTS_ID}" lang="${language}">${textsOf(page.words, language)}</script>`
  const shown = scheme ? ` data-mantine-color-scheme="${scheme}"` : ''
  return html
    .replace(/<html lang="[^"]*"/, `<html lang="${language}"${shown}`)
    .replace('</head>', () => `${page.files.map(preload).join('')}</head>`)
    .replace('<div id="root">', () => `${texts}<div id="root">`)
}

/** @param folder the built console, of which index.html is read once. */
export function consolePage(folder: string): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  const html = readFileSync(`${folder}/index.html`, 'utf8')
  const listed: FirstFiles = JSON.parse(readFileSync(`${folder}/${FIRST_FILES}`, 'utf8'))
  const pages = listed.pages.map((page) => ({ ...page, path: new RegExp(page.path) }))
  const login = { files: [], words: listed.words }
  const packed = new Map<Page, Map<string, Buffer>>()

  return (request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const { cookie = '' } = request.headers
    const page = (SESSION.test(cookie) && pages.find((one) => one.path.test(path))) || login
    const scheme = SCHEME.exec(cookie)?.[1]
    const chosen = LANGUAGE.exec(cookie)?.[1]
    const language = languages.find((known) => known === chosen) ?? DEFAULT_LANGUAGE
    const encoding = encodingOf(request)
    const kept = packed.get(page) ?? new Map<string, Buffer>()
    packed.set(page, kept)
    const kind = `${encoding} ${language} ${scheme ?? ''}`
    const files = page === login ? [] : [...page.files, ...(listed.titles[language] ?? [])]
    const body =
      kept.get(kind) ?? packers[encoding](Buffer.from(drawn(html, { ...page, files }, language, scheme)))
    kept.set(kind, body)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return reply
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-encoding, cookie')
      .type('text/html; charset=utf-8')
      .send(body)
  }
}
