/** The web page of a simulated router, in the manner of LuCI: login, a form, a download, a WebSocket. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { makeSecret } from '#infra/secrets'
import { hostName } from '../config/lan.ts'
import { packTarGz } from '../tar-gz.ts'
import type { Part } from '../world.ts'
import { isRoot } from './account.ts'

const BODY_MAX = 65_536
const ROOT = '/cgi-bin/luci'

/** By device, until it is switched off. */
const logins = new WeakMap<AbortSignal, Set<string>>()

const shown = (text: string) => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

const STYLE =
  'body{max-width:44em;margin:0 auto;padding:16px;font:16px/1.5 sans-serif;color:#222}h1{margin:-16px -16px 16px;padding:12px 16px;background:#0a5fa8;color:#fff;font-size:20px}form{display:flex;flex-wrap:wrap;gap:8px}input,button{padding:6px 10px;font:inherit}#wrong{color:#b00020}'

const frame = (title: string, body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${shown(title)}</title><style>${STYLE}</style></head><body><h1>${shown(title)}</h1>${body}</body></html>`

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > BODY_MAX) break
  }
  return new URLSearchParams(text)
}

const loginForm = (title: string, wrong: boolean) =>
  frame(
    title,
    `${wrong ? '<p id="wrong">Invalid username and/or password!</p>' : ''}<form method="post" action="${ROOT}"><input name="luci_username" value="root" aria-label="Username"><input name="luci_password" type="password" aria-label="Password" placeholder="Password"><button>Log in</button></form>`,
  )

const overview = (part: Part) =>
  frame(
    hostName(part.config.doc),
    `<p id="model">${shown(part.identity.model.name)} ${shown(part.row.firmware)}</p><form method="post" action="${ROOT}/admin/note"><input name="text" aria-label="Text"><button>Write to the log</button></form><p><a href="${ROOT}/admin/backup">Backup</a></p><p id="live"></p><script>new WebSocket(location.origin.replace('http','ws')+'${ROOT}/live').onmessage=e=>{document.getElementById('live').textContent=e.data}</script>`,
  )

async function answer(part: Part, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const own = logins.get(part.power) ?? new Set<string>()
  logins.set(part.power, own)
  const path = (request.url ?? '/').split('?')[0] ?? '/'
  const cookie = /(?:^|; )sysauth_http=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  const to = (where: string) => response.writeHead(302, { location: where }).end()
  const html = (status: number, text: string) =>
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(text)
  // As LuCI does: with the name under which it was asked.
  if (path === '/') return void to(`http://${request.headers.host}${ROOT}`)
  if (path === ROOT && request.method === 'POST') {
    const form = await formOf(request)
    if (!isRoot(part, form.get('luci_username') ?? '', form.get('luci_password') ?? ''))
      return void html(403, loginForm(hostName(part.config.doc), true))
    const made = makeSecret()
    own.add(made)
    response.setHeader('set-cookie', `sysauth_http=${made}; path=${ROOT}; SameSite=strict; HttpOnly`)
    part.note('notice', 'luci', 'accepted login on / for root')
    return void to(ROOT)
  }
  if (!own.has(cookie)) return void html(403, loginForm(hostName(part.config.doc), false))
  if (path === ROOT) return void html(200, overview(part))
  if (path === `${ROOT}/admin/note` && request.method === 'POST') {
    part.note('notice', 'luci', ((await formOf(request)).get('text') ?? '').slice(0, 200))
    return void to(ROOT)
  }
  if (path === `${ROOT}/admin/backup`) {
    const body = packTarGz(part.config.files, part.now())
    const headers = {
      'content-type': 'application/gzip',
      'content-disposition': 'attachment; filename="backup.tar.gz"',
    }
    return void response.writeHead(200, { ...headers, 'content-length': body.length }).end(body)
  }
  html(404, frame('404', ''))
}

export function servePage(part: Part, stream: Duplex): void {
  const server = createServer((request, response) => {
    answer(part, request, response).catch(() => response.destroy())
  })
  const sockets = new WebSocketServer({ noServer: true })
  server.on('upgrade', (request, socket, head) => {
    if (request.url !== `${ROOT}/live`) return socket.destroy()
    sockets.handleUpgrade(request, socket, head, (live) => {
      // A malformed frame: it closes by itself.
      live.on('error', () => undefined)
      live.on('message', (data) => live.send(`echo ${String(data)}`))
      live.send(`up ${process.uptime().toFixed(0)} s`)
    })
  })
  server.emit('connection', stream)
}
