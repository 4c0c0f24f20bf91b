import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { afterAll, expect, it } from 'vitest'
import { openLog } from '#infra/log'
import { openMetrics } from '#infra/metrics'
import { readProxies } from '#infra/proxies'
import { boundConnections } from './connections.ts'

const opened: { destroy(): unknown }[] = []
const apps: ReturnType<typeof Fastify>[] = []
afterAll(async () => {
  for (const socket of opened) socket.destroy()
  await Promise.all(apps.map((app) => app.close()))
})

async function start(proxies = '') {
  const app = Fastify({ forceCloseConnections: true })
  apps.push(app)
  const env = { TRUSTED_PROXIES: readProxies(proxies) }
  const metrics = openMetrics('test')
  boundConnections(app, { env, metrics, log: openLog('test', 'silent') } as never, { all: 6, each: 3 })
  app.get('/', () => 'ok')
  app.get('/files/slow', async (_, reply) => {
    reply.raw.write('begun')
    await once(reply.raw, 'close')
    return reply
  })
  app.server.on('upgrade', (_, socket) => {
    opened.push(socket)
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  /** Resolves with the first bytes of the response; the connection stays open. */
  const open = async (request: string, localAddress = '127.0.0.1') => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }).setEncoding('utf8')
    socket.on('error', () => undefined)
    opened.push(socket)
    socket.write(request)
    const [text] = (await once(socket, 'data')) as [string]
    return { socket, status: text.slice(9, 12) }
  }
  return { open, metrics }
}
const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`
const upgrade = 'GET /mqtt HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
const many = async (n: number, one: () => Promise<{ status: string }>) => {
  const seen: string[] = []
  for (let i = 0; i < n; i++) seen.push((await one()).status)
  return seen
}

it('there is a limit per address and a total limit, and closing a connection frees its place', async () => {
  const { open, metrics } = await start()
  const first = await open(get('/'))
  expect(await many(3, () => open(get('/')))).toEqual(['200', '200', '429'])
  expect(await many(4, () => open(get('/'), '127.0.0.2'))).toEqual(['200', '200', '200', '429'])
  expect(await many(1, () => open(get('/'), '127.0.0.3'))).toEqual(['429'])
  first.socket.destroy()
  await expect.poll(async () => (await open(get('/'))).status).toBe('200')
  expect(await metrics.metrics()).toMatch(/iot_http_connections_refused_total\{[^}]*\} [3-9]/)
})

it('a fleet behind one NAT downloads and uses MQTT without a limit', async () => {
  const { open } = await start()
  expect(await many(8, () => open(upgrade))).toEqual(Array(8).fill('101'))
  expect(await many(8, () => open(get('/files/slow')))).toEqual(Array(8).fill('200'))
  expect(await many(3, () => open(get('/')))).toEqual(['200', '200', '200'])
})

it('a connection counts again after its download', async () => {
  const { open } = await start()
  expect(await many(3, () => open(get('/files/none')))).toEqual(['404', '404', '404'])
  expect((await open(get('/'))).status).toBe('429')
})

it('for a trusted proxy only the total limit applies', async () => {
  const { open } = await start('loopback')
  expect(await many(7, () => open(get('/')))).toEqual([...Array(6).fill('200'), '429'])
})
