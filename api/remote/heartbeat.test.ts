/** Connections of terminals that are half open, or send a frame byte by byte. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { stopwatch } from '#test/patience'
import { keepHeartbeat } from './heartbeat.ts'

const PING_MS = 100
const http = createServer()
const sockets = new WebSocketServer({ server: http, maxPayload: 64 * 1024 })
sockets.on('connection', (socket) => keepHeartbeat(socket, PING_MS))
/** The next one that connects, at the server's end. */
const accepted = async () => {
  const [socket] = (await once(sockets, 'connection')) as [WebSocket]
  return socket
}
let port = 0
beforeAll(async () => {
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  port = (http.address() as AddressInfo).port
})
afterAll(() => {
  sockets.close()
  http.close()
})

async function opened(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined)
  socket.write(
    `GET / HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  )
  await once(socket, 'data')
  return socket.resume()
}

/** Not `once` of node:events, which rejects if the connection is reset. */
const closed = (socket: Socket) => new Promise((done) => socket.once('close', done))

it('one that answers nothing is closed, and one that does is not', async () => {
  const answering = new WebSocket(`ws://127.0.0.1:${port}`)
  await once(answering, 'open')
  const silent = await opened()
  const taken = stopwatch()
  await closed(silent)
  expect(taken()).toBeLessThan(10 * PING_MS)
  await sleep(3 * PING_MS)
  expect(answering.readyState).toBe(WebSocket.OPEN)
  answering.terminate()
})

it('one whose frame comes byte by byte is closed, however steadily', async () => {
  const slow = await opened()
  const length = Buffer.alloc(2)
  length.writeUInt16BE(60_000)
  slow.write(Buffer.concat([Buffer.from([0x82, 0xfe]), length, randomBytes(4)]))
  const drip = setInterval(() => slow.write('x'), PING_MS / 10)
  const taken = stopwatch()
  await closed(slow)
  clearInterval(drip)
  expect(taken()).toBeLessThan(10 * PING_MS)
})

it('one that is not read because the device takes no more is kept, and its pong may be behind all that it has sent', async () => {
  const here = accepted()
  const upload = new WebSocket(`ws://127.0.0.1:${port}`)
  await once(upload, 'open')
  const socket = await here
  socket.pause()
  await sleep(4 * PING_MS)
  expect(socket.readyState).toBe(WebSocket.OPEN)
  // A device that takes a frame now and then: no pong is ever read in between.
  const pongs = socket.listeners('pong') as (() => void)[]
  for (const listener of pongs) socket.off('pong', listener)
  socket.resume()
  const sending = setInterval(() => upload.send(Buffer.alloc(1_000)), PING_MS / 4)
  await sleep(4 * PING_MS)
  clearInterval(sending)
  expect(socket.readyState).toBe(WebSocket.OPEN)
  upload.terminate()
})
