import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { openLocalPort } from './forward.ts'

afterEach(() => vi.unstubAllEnvs())

/** Of a WebSocket: how the server accepts a key. */
const accepted = (key: string) =>
  createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64')
const frame = (text: string) => Buffer.concat([Buffer.from([0x82, text.length]), Buffer.from(text)])

it('loses nothing that arrives together with the answer to the handshake', async () => {
  const platform = createServer((request, response) => {
    request
      .resume()
      .on('end', () =>
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ code: 0, data: { ticket: 'ticket', url: null }, message: '' })),
      )
  })
  platform.on('upgrade', (request, socket) => {
    socket.on('error', () => undefined)
    const head = [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${accepted(String(request.headers['sec-websocket-key']))}`,
      `Sec-WebSocket-Protocol: ${String(request.headers['sec-websocket-protocol']).split(',')[0]}`,
    ]
    socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), frame('SSH-2.0-device')]))
    setTimeout(() => socket.write(frame(' and more')), 100)
  })
  await new Promise<void>((done) => platform.listen(0, '127.0.0.1', done))
  vi.stubEnv('IOT_URL', `http://127.0.0.1:${(platform.address() as AddressInfo).port}`)
  vi.stubEnv('IOT_TOKEN', 'token')
  const here = await openLocalPort(0)
  here.lead('00000000-0000-4000-8000-000000000000')
  const socket = connect(here.port, '127.0.0.1')
  let said = ''
  socket.on('data', (chunk: Buffer) => {
    said += chunk
  })
  try {
    await expect.poll(() => said).toBe('SSH-2.0-device and more')
  } finally {
    socket.destroy()
    here.close()
    platform.closeAllConnections()
    platform.close()
  }
})

it('keeps nothing of the tries while a tunnel is away', async () => {
  let tries = 0
  const platform = createServer((request, response) => {
    const data = { ticket: 'ticket', url: null, endedAt: null }
    request
      .resume()
      .on('end', () =>
        response
          .setHeader('content-type', 'application/json')
          .end(JSON.stringify({ code: 0, data, message: '' })),
      )
  })
  platform.on('upgrade', (_, socket) => {
    tries++
    socket.on('error', () => undefined).end('HTTP/1.1 503 Service Unavailable\r\n\r\n')
  })
  await new Promise<void>((done) => platform.listen(0, '127.0.0.1', done))
  vi.stubEnv('IOT_URL', `http://127.0.0.1:${(platform.address() as AddressInfo).port}`)
  vi.stubEnv('IOT_TOKEN', 'token')
  const warnings: string[] = []
  const warn = ({ name }: Error) => warnings.push(name)
  process.on('warning', warn)
  const here = await openLocalPort(0)
  here.lead('00000000-0000-4000-8000-000000000000')
  const socket = connect(here.port, '127.0.0.1').on('error', () => undefined)
  try {
    await expect.poll(() => tries).toBeGreaterThan(11)
    expect(warnings).toEqual([])
  } finally {
    process.off('warning', warn)
    socket.destroy()
    here.close()
    platform.closeAllConnections()
    platform.close()
  }
})
