/** What pages of real devices do: links with their own address, other protocols, slow uploads, old TLS, odd answers. */
import { execFileSync } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer as createTcp, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer as createTls } from 'node:tls'
import { gzipSync } from 'node:zlib'
import type { Connection } from 'ssh2'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Context } from '#infra/context'
import { freePort } from '#infra/embedded-postgres'
import { closeCodes } from '#schema/remote/forward-frame'
import { testContext } from '#test/harness'
import { threadMs } from '#test/thread-time'
import { cookieOf, labelOf, Tickets, type Who } from '../ticket.ts'
import { Tunnel, Tunnels } from '../tunnels.ts'
import { openWebProxy, type WebProxy } from './web-proxy.ts'

const ID = '0198a7c5-0000-7cc2-9b1e-1d5a4c0f2b66'
const ANSWER_MS = 600
let context: Context
let tunnels: Tunnels
let proxy: WebProxy | null
let origin: string
let cookie: string
let login: Who
const open: Server[] = []

beforeAll(async () => {
  const made = await testContext()
  const port = await freePort()
  context = { ...made, env: { ...made.env, REMOTE_WEB_PORT: port, REMOTE_URL: `http://*.localhost:${port}` } }
  tunnels = new Tunnels(() => undefined)
  proxy = await openWebProxy(context, tunnels, new Tickets(context.env.JWT_SECRET), ANSWER_MS)
  origin = `http://${labelOf(context.env.JWT_SECRET, ID)}.localhost:${port}`
  login = await logIn()
  cookie = cookieFor(login)
})
const cookieFor = (who: Who) => `remote_session=${cookieOf(context.env.JWT_SECRET, ID, who)}`

/** Another login of the same user. */
async function logIn(): Promise<Who> {
  const [made] = await context.sql<Who[]>`
    with u as (insert into users (username, password_hash, type) values ('page', '', 'superAdmin')
        on conflict (lower(username)) do update set status = 1 returning id)
    insert into sessions (id, user_id, expires_at) select gen_random_uuid(), id, now() + interval '1 hour' from u
    returning user_id as "userId", id as "loginId", null as "tokenId"`
  if (!made) throw new Error('insert returned nothing')
  return made
}
afterEach(() => {
  for (const server of open.splice(0)) server.close()
})
afterAll(() => proxy?.close())

/** The session leads to this server, as to the web page of the device itself, which says to be 192.168.1.1 in its LAN. */
async function device(server: Server, scheme: 'http' | 'https' = 'http'): Promise<Tunnel> {
  open.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const session = {
    id: ID,
    sn: 'SN-1',
    deviceId: 1,
    customerId: 1,
    userId: 1,
    kind: 'web' as const,
    scheme,
    host: '127.0.0.1',
    port: scheme === 'http' ? 80 : 443,
    lanAddress: '192.168.1.1',
    label: labelOf(context.env.JWT_SECRET, ID),
  }
  const line = Object.assign(new EventEmitter(), { end: () => undefined }) as unknown as Connection
  const tunnel = new Tunnel(session, line, { address: '127.0.0.1', port: 2200 })
  tunnel.open = async () => connect(port, '127.0.0.1') as never
  tunnels.add(tunnel)
  return tunnel
}
const page = (listener: RequestListener, scheme?: 'http' | 'https') => device(createServer(listener), scheme)

type Init = {
  method?: string
  headers?: Record<string, string>
  body?: (to: NodeJS.WritableStream) => void
  /** Called with each piece of the response. */
  seen?: (text: string) => void
}
function get(path: string, { method = 'GET', headers = {}, body, seen }: Init = {}) {
  return new Promise<{ status: number; headers: IncomingMessage['headers']; text: string }>((done, fail) => {
    const asked = httpRequest({
      host: '127.0.0.1',
      port: context.env.REMOTE_WEB_PORT,
      path,
      method,
      headers: { host: new URL(origin).host, cookie, 'accept-language': 'en-US', ...headers },
    })
    asked.on('error', fail).on('response', async (response) => {
      let text = ''
      try {
        for await (const chunk of response.setEncoding('utf8')) {
          text += String(chunk)
          seen?.(text)
        }
      } catch (error) {
        return fail(error)
      }
      done({ status: response.statusCode ?? 0, headers: response.headers, text })
    })
    if (body) body(asked)
    else asked.end()
  })
}

const written = `<!doctype html><a href="http://192.168.1.1/status?a=1">x</a><form action='//127.0.0.1/save'>
<input value="http://192.168.1.1/keep"><img src=http://192.168.1.1:80/logo.png><a href="http://192.168.1.1:8080/">other port</a>
<meta http-equiv="refresh" content="3; url=http://192.168.1.1/next"><a href="http://192.168.1.10/">路由器</a> http://192.168.1.1/said`

const led = () => `<!doctype html><a href="${origin}/status?a=1">x</a><form action='${origin}/save'>
<input value="http://192.168.1.1/keep"><img src=${origin}/logo.png><a href="http://192.168.1.1:8080/">other port</a>
<meta http-equiv="refresh" content="3; url=${origin}/next"><a href="http://192.168.1.10/">路由器</a> http://192.168.1.1/said`

it('leads links into the session that a page makes with the address of its device, and leaves everything else', async () => {
  const body = Buffer.from(written)
  await page((request, response) => {
    const type = request.url === '/script' ? 'text/javascript' : 'text/html; charset=utf-8'
    if (request.url === '/gzip')
      return response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(gzipSync(body))
    response.writeHead(200, { 'content-type': type, 'content-length': body.length })
    if (request.url !== '/bytes') return response.end(body)
    // In pieces of a byte: a link is found wherever it is cut.
    for (const byte of body) response.write(Buffer.from([byte]))
    response.end()
  })
  for (const path of ['/', '/gzip', '/bytes']) expect((await get(path)).text, path).toBe(led())
  expect((await get('/script')).text).toBe(written)
  expect((await get('/', { method: 'HEAD' })).headers['content-length']).toBe(String(body.length))
})

it('reads a page that only looks like one in time that grows with its length', async () => {
  const hostile = `<a href${'='.repeat(8_000)}${' '.repeat(8_000)}${'<a href= '.repeat(200_000)}`
  await page((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(hostile))
  const began = threadMs()
  expect((await get('/')).text).toBe(hostile)
  expect(threadMs() - began).toBeLessThan(2_000)
})

it('follows redirects of the device to itself, and says where they lead to another protocol instead of going round in circles', async () => {
  await page((request, response) => {
    const to = {
      '/lan': 'http://192.168.1.1/login',
      '/bare': '//127.0.0.1/login',
      '/other': 'http://192.168.1.2/',
    }
    const location = to[request.url as keyof typeof to] ?? `https://${request.headers.host}/`
    response.writeHead(302, { location }).end()
  })
  expect((await get('/lan')).headers.location).toBe(`${origin}/login`)
  expect((await get('/bare')).headers.location).toBe(`${origin}/login`)
  expect((await get('/other')).headers.location).toBe('http://192.168.1.2/')
  const secure = await get('/')
  expect(secure).toMatchObject({
    status: 502,
    text: 'The device leads on to https://127.0.0.1/. Connect again from the console with this protocol and port.\n',
  })
  expect(secure.headers.location).toBeUndefined()
  expect((await get('/', { headers: { 'accept-language': 'zh-CN' } })).text).toContain('请在控制台中')
})

it('what it says itself is a page for people, plain text otherwise, and never markup of the device', async () => {
  await page((request, response) => {
    const host = request.headers.host
    response.writeHead(302, { location: `https://${host}/?'"><script>alert(1)</script>` }).end()
  })
  const { headers, text } = await get('/', { headers: { accept: 'text/html,*/*;q=0.8' } })
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; /)
  expect(text).toContain('<html lang="en-US">')
  expect(text).toContain('The device leads on to https://127.0.0.1/')
  expect(text).not.toContain('<script')
  expect(text).not.toContain('\'"')
  const bare = await get('/')
  expect(bare.headers['content-type']).toBe('text/plain; charset=utf-8')
  expect(bare.text).toContain('The device leads on to https://127.0.0.1/')
})

it('waits for an upload as long as it flows, and for an answer no longer than it may take', async () => {
  await page(async (request, response) => {
    if (request.url === '/silent') return
    let length = 0
    for await (const chunk of request) length += (chunk as Buffer).length
    response.end(String(length))
  })
  const uploaded = await get('/', {
    method: 'POST',
    body: async (to) => {
      for (let i = 0; i < 6; i++) {
        to.write(Buffer.alloc(1000))
        await sleep(ANSWER_MS / 3)
      }
      to.end()
    },
  })
  expect(uploaded).toMatchObject({ status: 200, text: '6000' })
  expect((await get('/silent')).status).toBe(502)
})

it('opens to its cookie also where a page of another session has set one of the same name, and to no other', async () => {
  await page((_request, response) => response.end('in'))
  expect((await get('/', { headers: { cookie: `remote_session=tossed; ${cookie}` } })).text).toBe('in')
  expect((await get('/', { headers: { cookie: 'remote_session=tossed; remote_session=' } })).status).toBe(403)
})

it('closes to a browser whose login has ended, though another login of the user may go on', async () => {
  await page((_request, response) => response.end('in'))
  const other = await logIn()
  const asked = { headers: { cookie: cookieFor(other) } }
  expect((await get('/', asked)).text).toBe('in')
  await context.sql`update sessions set ended_at = now() where id = ${other.loginId}`
  await expect.poll(async () => (await get('/', asked)).status).toBe(403)
  expect((await get('/')).text).toBe('in')
  // Nor does a cookie open with a login that is not its own.
  const [, mark] = cookieFor(other).split('.')
  const [lasting] = cookie.split('.')
  expect((await get('/', { headers: { cookie: `${lasting}.${mark}` } })).status).toBe(403)
})

async function openLive(): Promise<Socket> {
  const live = connect(context.env.REMOTE_WEB_PORT, '127.0.0.1').on('error', () => undefined)
  const { host } = new URL(origin)
  live.write(`GET /live HTTP/1.1\r\nhost: ${host}\r\norigin: ${origin}\r\ncookie: ${cookie}\r\n`)
  live.write('connection: Upgrade\r\nupgrade: websocket\r\n\r\n')
  const [head] = (await once(live, 'data')) as [Buffer]
  expect(String(head)).toMatch(/^HTTP\/1\.1 101/)
  return live
}

it('knows which login a WebSocket or a download of a page is open with, until it is closed', async () => {
  const server = createServer((_request, response) => response.write('slow'))
  server.on('upgrade', (_request, socket) =>
    socket.write('HTTP/1.1 101 OK\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n'),
  )
  const { uses } = await device(server)
  const headers = { host: new URL(origin).host, cookie }
  const live = await openLive()
  const asked = httpRequest({ host: '127.0.0.1', port: context.env.REMOTE_WEB_PORT, headers }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  const broken = once(answer.resume(), 'error')
  expect([...uses.values()]).toEqual([login, login])
  for (const use of uses.keys()) use.close(closeCodes.sessionEnded)
  await Promise.all([broken, once(live, 'close')])
  await expect.poll(() => uses.size).toBe(0)
})

it('hides additional response headers of a device when a WebSocket is opened', async () => {
  const server = createServer()
  server.on('upgrade', (request, socket) => {
    const cookies = 'set-cookie: remote_session=x; domain=localhost\r\nservice-worker-allowed: /\r\n'
    if (request.url === '/page')
      return socket.end(`HTTP/1.1 200 OK\r\n${cookies}content-length: 4\r\n\r\nevil`)
    socket.write(`HTTP/1.1 101 OK\r\n${cookies}connection: Upgrade\r\nupgrade: websocket\r\n\r\n`)
  })
  await device(server)
  const opened = (path: string) => {
    const socket = new WebSocket(`ws://127.0.0.1:${context.env.REMOTE_WEB_PORT}${path}`, {
      headers: { host: new URL(origin).host, cookie },
      origin,
    })
    socket.on('error', () => undefined)
    return socket
  }
  const [answer] = (await once(opened('/live'), 'upgrade')) as [IncomingMessage]
  expect(answer.headers['set-cookie'] ?? []).toEqual([])
  expect(answer.headers['service-worker-allowed']).toBeUndefined()
  const [, other] = (await once(opened('/page'), 'unexpected-response')) as [unknown, IncomingMessage]
  expect(other.statusCode).toBe(502)
  expect(other.headers['set-cookie']).toBeUndefined()
})

/** A device that says these bytes to whatever is asked, and what it was asked. */
async function sayer(said: string) {
  const heard: string[] = []
  await device(
    createTcp((socket) => {
      socket.on('error', () => undefined)
      socket.on('data', (chunk) => {
        heard.push(String(chunk))
        socket.end(Buffer.from(said, 'latin1'))
      })
    }),
  )
  return heard
}

it('bears whatever a device answers instead of a page', async () => {
  const body = 'content-length: 2\r\n\r\nok'
  const answers: [said: string, status: number | string][] = [
    [`HTTP/1.1 099 Odd\r\n${body}`, 502],
    [`HTTP/1.1 000 None\r\n${body}`, 502],
    [`HTTP/1.1 999 Odd\r\n${body}`, 999],
    [`HTTP/1.1 101 Switching\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n`, 502],
    [`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n${body}`, 200],
    [`HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok`, 502],
    [`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n${body}`, 'socket hang up'],
    [`HTTP/1.1 302 Found\r\nlocation: http://192.168.1.1/\xe9\xff\r\n${body}`, 302],
    [`HTTP/1.1 200 OK\r\nx-odd: a\x7fb\r\n${body}`, 502],
    [`HTTP/1.1 200 OK\r\n${'x-many: 1\r\n'.repeat(1_500)}${body}`, 200],
    [`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(100_000)}\r\n${body}`, 502],
    [`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-encoding: gzip\r\n${body}`, 'socket hang up'],
    ['no HTTP at all', 502],
    ['', 502],
  ]
  for (const [said, status] of answers) {
    await sayer(said)
    expect((await fetch(`http://127.0.0.1:${context.env.REMOTE_WEB_PORT}`)).status).toBe(404)
    const got = await new Promise<number | string>((done) =>
      httpRequest({ port: context.env.REMOTE_WEB_PORT, headers: { host: new URL(origin).host, cookie } })
        .on('response', (response) => done(response.resume().on('error', () => undefined).statusCode ?? 0))
        .on('error', (error) => done(error.message))
        .end(),
    )
    expect(got, said.slice(0, 60)).toBe(status)
  }
})

it('shows what small web servers send and browsers accept: lines ended by LF alone, folded headers, two lengths', async () => {
  const said = [
    'HTTP/1.0 200 OK\r\ncontent-type: text/html\n\n<p>ok</p>',
    'HTTP/1.0 200 OK\ncontent-type: text/html\nserver: x\n\n<p>ok</p>',
    'HTTP/1.1 200 OK\r\nx-folded: a\r\n b\r\ncontent-length: 9\r\n\r\n<p>ok</p>',
    'HTTP/1.1 200 OK\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n9\r\n<p>ok</p>\r\n0\r\n\r\n',
  ]
  for (const one of said) {
    await sayer(one)
    const { status, text, headers } = await get('/')
    expect({ status, text }, one).toEqual({ status: 200, text: '<p>ok</p>' })
    // A length that is not that of the body would make the browser read the rest as its next response.
    expect(headers['content-length'] ?? '9').toBe('9')
  }
})

it('passes a body on as a body, whatever the method, so that none is read as the next request', async () => {
  const asked: string[] = []
  await page((request, response) => {
    request.setEncoding('utf8')
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      asked.push(`${request.method} ${request.url} ${text}`)
      response.end('ok')
    })
  })
  for (const method of ['GET', 'DELETE', 'OPTIONS', 'PROPFIND', 'POST'])
    await get('/first', {
      method,
      headers: { 'transfer-encoding': 'chunked' },
      body: (to) => {
        to.write('GET /second HTTP/1.1\r\nhost: x\r\n\r\n')
        to.end()
      },
    })
  expect(asked).toEqual(
    ['GET', 'DELETE', 'OPTIONS', 'PROPFIND', 'POST'].map(
      (method) => `${method} /first GET /second HTTP/1.1\r\nhost: x\r\n\r\n`,
    ),
  )
})

it('takes no request that two servers would read differently, and none for another place', async () => {
  await page((_request, response) => response.end('in'))
  const raw = (head: string, rest = '') =>
    new Promise<string>((done) => {
      const socket = connect(context.env.REMOTE_WEB_PORT, '127.0.0.1')
      let text = ''
      socket.on('data', (chunk) => {
        text += String(chunk)
      })
      socket.on('error', () => undefined).on('close', () => done(text.split('\r\n')[0] ?? ''))
      socket.write(Buffer.from(`${head}\r\ncookie: ${cookie}\r\nconnection: close\r\n\r\n${rest}`, 'latin1'))
      setTimeout(() => socket.end(), 300)
    })
  const { host } = new URL(origin)
  const good = `GET / HTTP/1.1\r\nhost: ${host}`
  expect(await raw(good)).toBe('HTTP/1.1 200 OK')
  for (const [head, rest] of [
    [
      `POST / HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 4\r\ntransfer-encoding: chunked`,
      '0\r\n\r\nGET /x',
    ],
    [`POST / HTTP/1.1\r\nhost: ${host}\r\ncontent-length: 4\r\ncontent-length: 5`, 'abcde'],
    [`POST / HTTP/1.1\r\nhost: ${host}\r\ntransfer-encoding: xchunked`, 'abcde'],
    [`${good}\r\n folded: x`],
    [`${good}\r\nx : y`],
    ['GET / HTTP/1.1'],
    [`GET / HTTP/1.1\r\nhost: ${host}.evil.example`],
    [`GET / HTTP/1.1\r\nhost: x@${host}`],
    [`GET / HTTP/1.1\r\nhost: ${host}\0.localhost`],
    [`GET / HTTP/1.1\r\nhost: localhost:${context.env.REMOTE_WEB_PORT}\r\nx-forwarded-host: ${host}`],
    [`GET http://${host}/ HTTP/1.1\r\nhost: ${host}`],
    [`CONNECT ${host} HTTP/1.1\r\nhost: ${host}`],
    [`OPTIONS * HTTP/1.1\r\nhost: ${host}`],
  ] as const)
    expect(await raw(head, rest), head).not.toMatch(/^HTTP\/1\.1 [23]/)
  expect(await raw(good)).toBe('HTTP/1.1 200 OK')
})

it('shows pages of devices that know only old TLS with a short key', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'iot-tls-'))
  const files = ['-keyout', join(dir, 'key'), '-out', join(dir, 'cert'), '-subj', '/CN=camera', '-days', '1']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:1024', '-sha1', '-nodes', ...files], {
    stdio: 'ignore',
  })
  const web = createServer((_request, response) => response.end('camera'))
  const old = createTls(
    {
      key: readFileSync(join(dir, 'key')),
      cert: readFileSync(join(dir, 'cert')),
      minVersion: 'TLSv1',
      maxVersion: 'TLSv1.1',
      ciphers: 'DEFAULT:@SECLEVEL=0',
    },
    (socket) => web.emit('connection', socket),
  )
  rmSync(dir, { recursive: true })
  await device(old, 'https')
  expect((await get('/')).text).toBe('camera')
})

it('breaks a download off that its tunnel cuts, instead of passing a part of it for the whole', async () => {
  const sockets: Socket[] = []
  const tunnel = await device(
    createTcp((socket) => {
      sockets.push(socket)
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\nhalf of the backup'),
      )
    }) as Server,
  )
  const seen = vi.fn()
  const download = get('/backup.txt', { seen })
  await expect.poll(() => seen).toHaveBeenCalled()
  tunnel.close('interrupted')
  for (const socket of sockets) socket.end()
  await expect(download).rejects.toThrow('aborted')
})

it('ends also while a page holds its WebSocket open', async () => {
  const server = createServer()
  server.on('upgrade', (_request, socket) =>
    socket.write('HTTP/1.1 101 OK\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n'),
  )
  await device(server)
  await openLive()
  await proxy?.close()
  proxy = null
})

it('warns where pages of devices have the domain of the console', async () => {
  const warned = async (publicUrl: string, remoteUrl: string) => {
    const warn = vi.fn()
    const env = {
      ...context.env,
      REMOTE_WEB_PORT: await freePort(),
      PUBLIC_URL: publicUrl,
      REMOTE_URL: remoteUrl,
    }
    const log = Object.assign(Object.create(context.log), { warn })
    const opened = await openWebProxy({ ...context, env, log }, tunnels, new Tickets(env.JWT_SECRET))
    await opened?.close()
    return warn.mock.calls.length
  }
  expect(await warned('https://iot.example.com', 'https://*.remote.iot.example.com')).toBe(1)
  expect(await warned('https://iot.example.com', 'https://*.iot-pages.example.net')).toBe(0)
  expect(await warned('http://localhost:8080', 'http://*.localhost:8081')).toBe(0)
})
