/** One session at an external broker that dies. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, expect, it } from 'vitest'
import { until } from '#test/walks/until'
import { type Line, openLine } from './line.ts'

/**
 * A broker that lets anybody in, sends `0` and `1`, reads no more a moment later, sends `2` to `21` after a while and
 * is killed at once.
 */
const BROKER = `
import { createServer } from 'node:net'
import { generate, parser } from 'mqtt-packet'
const version = { protocolVersion: 5 }
const server = createServer((socket) => {
  const send = (...packets) => socket.write(Buffer.concat(packets.map((packet) => generate(packet, version))))
  const message = (n) => ({ cmd: 'publish', topic: 't', payload: String(n), qos: 1, messageId: n + 1 })
  const reader = parser(version)
  reader.on('packet', ({ cmd, messageId }) => {
    if (cmd === 'connect') send({ cmd: 'connack', sessionPresent: false, reasonCode: 0 })
    if (cmd !== 'subscribe') return
    send({ cmd: 'suback', messageId, granted: [1] }, message(0), message(1))
    setTimeout(() => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
      send(...Array.from({ length: 20 }, (_, n) => message(n + 2)))
      process.kill(process.pid, 'SIGKILL')
    }, 100)
  })
  socket.on('data', (chunk) => reader.parse(chunk))
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
`

let line: Line | null = null
afterEach(() => line?.close())

it('takes what a broker sent before its death, though an acknowledgement no longer arrives', async () => {
  const broker = spawn(process.execPath, ['--input-type=module', '-e', BROKER], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(createInterface(broker.stdout), 'line')
  const taken: string[] = []
  const dones: (() => void)[] = []
  const ignored = () => undefined
  line = openLine({
    url: new URL(`mqtt://127.0.0.1:${port}`),
    clientId: 'c',
    username: 'u',
    password: 'p',
    filter: 't',
    former: 'f',
    log: { warn: ignored, debug: ignored, info: ignored } as never,
    opened: ignored,
    take: (_topic, payload, done) => {
      taken.push(String(payload))
      if (done) dones.push(done)
    },
  })
  await until('two have come', () => taken.length === 2)
  // The broker dies with this acknowledgement unread, so that the next one fails.
  await sleep(300)
  dones[0]?.()
  // This process is busy until then: what the broker sent is still unread in the system's buffer.
  spawnSync('sleep', ['1'])
  dones[1]?.()
  await until('the connection is gone', () => line?.problem() !== null)
  expect(taken).toEqual(Array.from({ length: 22 }, (_, n) => String(n)))
})

/** Nobody is let in. */
const openTo = (url: string, warn: () => void = () => undefined) =>
  openLine({
    url: new URL(url),
    clientId: 'c',
    username: 'u',
    password: 'p',
    filter: 't',
    former: 'f',
    log: { warn, debug: () => undefined, info: () => undefined } as never,
    opened: () => undefined,
    take: () => undefined,
  })

it('an address of IPv6', async () => {
  const server = createServer((socket) => socket.destroy()).listen(0, '::1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const connected = once(server, 'connection')
  line = openTo(`mqtt://[::1]:${port}`)
  await connected
  server.close()
})

it('a broker that is away is one line of the log, not one a second', async () => {
  let tries = 0
  let lines = 0
  const server = createServer((socket) => {
    tries++
    socket.destroy()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  line = openTo(`mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`, () => lines++)
  await until('it has tried again and again', () => tries >= 3)
  expect(lines).toBe(1)
  server.close()
})

it('an IP address is no name that TLS could say [RFC 6066, section 3]', async () => {
  const names: string[] = []
  const server = createTlsServer({
    SNICallback: (name, answer) => {
      names.push(name)
      answer(null)
    },
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  for (const host of ['localhost', '127.0.0.1']) {
    const refused = once(server, 'tlsClientError')
    line = openTo(`mqtts://${host}:${port}`)
    await refused
    await line.close()
  }
  expect(names).toEqual(['localhost'])
  server.close()
})
