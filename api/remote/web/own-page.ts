/** What the platform itself says where the page of a device would be: an HTML page for people, plain text for everything else. */
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { sayIn } from '#infra/say'
import { pickLanguage } from '#schema/kit/refusal'
import type { ServerSay } from '#schema/kit/say'

const STYLE = `:root{color-scheme:light dark}
body{display:grid;place-items:center;min-height:100vh;margin:0;background:light-dark(#f4f5f7,#14171c);color:light-dark(#1c2127,#e6e9ee);font:16px/1.6 system-ui,sans-serif}
p{max-width:32em;margin:16px;padding:24px 28px;border:1px solid light-dark(#dcdfe4,#333a44);border-radius:8px;background:light-dark(#fff,#1d222a);overflow-wrap:anywhere}`
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

const shown = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

/** In the language of the browser: the console's own setting is unknown under the origin of a session. */
export function sayInPlace(response: ServerResponse, status: number, ...said: Parameters<ServerSay>): void {
  if (response.headersSent) return void response.destroy()
  const { headers } = response.req
  const language = pickLanguage(headers['accept-language'])
  const text = sayIn(language)(...said)
  const isPage = headers.accept?.includes('text/html') ?? false
  response
    .writeHead(status, {
      'content-type': `text/${isPage ? 'html' : 'plain'}; charset=utf-8`,
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'`,
    })
    .end(
      isPage
        ? `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${shown(text)}</title><style>${STYLE}</style></head><body><p>${shown(text)}</p></body></html>\n`
        : `${text}\n`,
    )
}
