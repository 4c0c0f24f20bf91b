/** `/mqtt` with several brokers behind one name, of which some are away. */
import { once } from 'node:events'
import { createServer as createHttp, type Server as HttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readProxies } from '#infra/proxies'
import { mqttForwarder } from './mqtt-forward.ts'

// Nobody listens at the first two.
vi.mock('node:dns/promises', () => ({
  lookup: async (host: string) =>
    ['brokers.test', 'fd00::5'].includes(host)
      ? ['127.0.0.2', '127.0.0.3', '127.0.0.1'].map((address) => ({ address }))
      : [],
}))

let broker: Server
let api: HttpServer
const portOf = (server: Server | HttpServer) => (server.address() as AddressInfo).port
const warned: object[] = []

beforeAll(async () => {
  broker = createServer((socket) => socket.once('data', (bytes) => socket.end(`got ${bytes}`)))
  await once(broker.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  broker.close()
  api.close()
})

async function ask(env: object): Promise<string> {
  const forward = mqttForwarder({
    env: { MQTT_WS_PORT: portOf(broker), TRUSTED_PROXIES: readProxies(''), ...env },
    log: { warn: (about: object) => warned.push(about) },
  } as never)
  api?.close()
  api = createHttp()
  api.on('upgrade', (request, socket, head) => void forward(request, socket as never, head))
  await once(api.listen(0, '127.0.0.1'), 'listening')
  const socket = connect(portOf(api), '127.0.0.1')
  socket.write(
    'GET /mqtt HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Forwarded-For: 6.6.6.6\r\n\r\n',
  )
  return text(socket)
}

it('goes to the next broker where one does not answer, with the address of the device', async () => {
  const answer = await ask({ MQTT_URL: 'mqtt://brokers.test:1883' })
  expect(answer).toMatch(/^got GET \/mqtt HTTP\/1\.1\r\nX-Forwarded-For: 127\.0\.0\.1\r\n/)
  expect(answer).not.toContain('6.6.6.6')
  expect(warned).toEqual([])
})

it('looks an IPv6 address up without its brackets', async () => {
  expect(await ask({ MQTT_URL: 'mqtt://[fd00::5]:1883' })).toMatch(/^got GET /)
})

it('answers 503 where none does, and says which name it asked', async () => {
  expect(await ask({ MQTT_URL: 'mqtt://nowhere.test:1883' })).toMatch(/^HTTP\/1\.1 503 /)
  expect(warned).toEqual([{ host: 'nowhere.test' }])
})

it('answers 503 where an external broker carries the devices, without a warning', async () => {
  warned.length = 0
  expect(await ask({ BROKER: 'external', MQTT_URL: 'mqtt://brokers.test:1883' })).toMatch(/^HTTP\/1\.1 503 /)
  expect(warned).toEqual([])
})
