/** A page whose device takes no input, so that nothing more is read of it, when another page takes its shell over. */
import { EventEmitter, once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { ClientChannel, Connection } from 'ssh2'
import { afterEach, expect, it, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { closeCodes } from '#schema/remote/forward-frame'
import { ownerOf, Shell } from './shell.ts'
import { converse } from './terminal-talk.ts'
import type { TunnelSession } from './tunnel-session.ts'
import { Tunnel } from './tunnels.ts'

const login = { userId: 1, loginId: 'x', tokenId: null }
const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
afterEach(() => {
  for (const socket of server.clients) socket.terminate()
  server.close()
})

it('tells a page whose input is not taken at once that another one has its shell, and counts it no longer', async () => {
  const write = vi.fn(() => false)
  const channel = Object.assign(new EventEmitter(), {
    stderr: new EventEmitter(),
    write,
    pause: () => undefined,
    resume: () => undefined,
    setWindow: () => undefined,
    close: () => undefined,
  })
  const shell = new Shell({
    channel: channel as unknown as ClientChannel,
    recording: null,
    owner: ownerOf(login),
    account: 'root',
    keepMs: 60_000,
  })
  const line = Object.assign(new EventEmitter(), { end: () => undefined }) as unknown as Connection
  const tunnel = new Tunnel({} as TunnelSession, line, { address: '', port: 0 })
  tunnel.shells.set(shell.id, shell)
  server.on('connection', (socket) => converse(socket, tunnel, { login, keepMs: 60_000 }, {} as never))

  const join = async () => {
    const page = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`)
    await once(page, 'open')
    page.send(JSON.stringify({ t: 'join', shell: shell.id, from: 0, columns: 80, rows: 24 }))
    await once(page, 'message')
    return page
  }
  const first = await join()
  first.send(Buffer.from('x'))
  await expect.poll(() => write).toHaveBeenCalledOnce()
  const closed = vi.fn()
  first.on('close', closed)
  await join()
  await expect.poll(() => closed, { timeout: 5_000 }).toHaveBeenCalledOnce()
  expect(closed.mock.calls[0]?.[0]).toBe(closeCodes.takenOver)
  expect(tunnel.pages.size).toBe(1)
})
