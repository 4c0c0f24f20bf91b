/** A shell whose device writes without end, and that ends while nobody takes its output. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import ssh2, { type ClientChannel } from 'ssh2'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { hostKeyFile } from '#infra/remote-key'
import { openShell } from './open-shell.ts'
import { Shell } from './shell.ts'
import type { Tunnel } from './tunnels.ts'

let listener: ReturnType<typeof createServer>
let channel: ClientChannel
const loggedOut = vi.fn()

beforeEach(async () => {
  loggedOut.mockClear()
  const server = new ssh2.Server({ hostKeys: [hostKeyFile('x'.repeat(32))] }, (connection) => {
    connection.on('error', () => undefined)
    connection.on('close', loggedOut)
    connection.on('authentication', (auth) => auth.accept())
    connection.on('session', (accept) => {
      const session = accept()
      session.on('pty', (yes) => yes?.())
      session.on('shell', (yes) => {
        const out = yes()
        const send = () => {
          while (out.writable && out.write('y\n'.repeat(10_000)));
        }
        out.on('drain', send)
        send()
      })
    })
  })
  listener = createServer((socket) => server.injectSocket(socket))
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const { port } = listener.address() as AddressInfo
  const tunnel = { open: async () => connect(port, '127.0.0.1') } as unknown as Tunnel
  channel = await openShell(tunnel, { username: 'root', password: 'x', columns: 80, rows: 24 })
})
afterEach(() => listener.close())

it('leaves no login at the device, and no place that the next shell needs', async () => {
  const shell = new Shell({ channel, recording: null, owner: 'login', account: 'root', keepMs: 60_000 })
  const stage = { output: vi.fn(), resize: vi.fn(), front: vi.fn(), tell: vi.fn(), end: vi.fn() }
  const over = vi.fn()
  shell.begin(stage, over)
  await vi.waitFor(() => expect(channel.isPaused()).toBe(true))
  // What has come meanwhile, and that nobody reads.
  await vi.waitFor(() => expect(channel.readableLength).toBeGreaterThan(0))
  shell.end()
  await vi.waitFor(() => expect(over).toHaveBeenCalledOnce(), 5_000)
  await vi.waitFor(() => expect(loggedOut).toHaveBeenCalledOnce(), 5_000)
})
