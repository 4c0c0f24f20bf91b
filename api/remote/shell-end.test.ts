/** A shell whose device writes without end, and that ends while nobody takes its output. */
import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import ssh2, { type Connection } from 'ssh2'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { hostKeyFile } from '#infra/remote-key'
import { openShell } from './open-shell.ts'
import { Shell } from './shell.ts'
import { ShellFault } from './shell-fault.ts'
import { converse } from './terminal-talk.ts'
import type { TunnelSession } from './tunnel-session.ts'
import { Tunnel } from './tunnels.ts'

let listener: ReturnType<typeof createServer>
let tunnel: Tunnel
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
  const line = Object.assign(new EventEmitter(), { end: () => undefined }) as unknown as Connection
  tunnel = new Tunnel({} as TunnelSession, line, { address: '', port: 0 })
  tunnel.open = async () => connect(port, '127.0.0.1') as never
})
afterEach(() => listener.close())

const login = { username: 'root', password: 'x', columns: 80, rows: 24 }

it('leaves no login at the device, and no place that the next shell needs', async () => {
  const channel = await openShell(tunnel, login)
  const shell = new Shell({ channel, recording: null, owner: 'login', account: 'root', keepMs: 60_000 })
  const stage = { output: vi.fn(), resize: vi.fn(), front: vi.fn(), tell: vi.fn(), end: vi.fn() }
  const over = vi.fn()
  shell.begin(stage, over)
  await expect.poll(() => channel.isPaused()).toBe(true)
  // What has come meanwhile, and that nobody reads.
  await expect.poll(() => channel.readableLength).toBeGreaterThan(0)
  shell.end()
  await expect.poll(() => over).toHaveBeenCalledOnce()
  await expect.poll(() => loggedOut).toHaveBeenCalledOnce()
})

type Stopped = (why: 'notRecorded', required: boolean) => void
/** A page that logs in. @returns what it is told */
function logIn(begin: (stopped: Stopped) => Promise<unknown>) {
  const said = vi.fn()
  const socket = Object.assign(new EventEmitter(), {
    OPEN: 1,
    readyState: 1,
    bufferedAmount: 0,
    send: said,
    close: () => undefined,
    resume: () => undefined,
  })
  const recordings = { begin: (_session: unknown, _of: unknown, stopped: Stopped) => begin(stopped) }
  const opener = { login: { userId: 1, loginId: 'x', tokenId: null }, keepMs: 60_000 }
  converse(socket as never, tunnel, opener, recordings as never)
  socket.emit('message', Buffer.from(JSON.stringify({ t: 'login', ...login })), false)
  return said
}

it('leaves no login at the device when it must be recorded and cannot be', async () => {
  const said = logIn(() => Promise.reject(new ShellFault('notRecorded')))
  await expect.poll(() => said).toHaveBeenCalledWith('{"t":"refused","why":"notRecorded"}')
  await expect.poll(() => loggedOut).toHaveBeenCalledOnce()
})

it('says that it is not recorded, also when the recording has failed before the shell was there', async () => {
  const recording = {
    output: () => true,
    resize: () => undefined,
    drained: () => undefined,
    end: () => undefined,
  }
  const said = logIn(async (stopped) => {
    stopped('notRecorded', false)
    return { recording, fault: null, required: false }
  })
  await expect.poll(() => said).toHaveBeenCalledWith('{"t":"unrecorded","why":"notRecorded"}')
  for (const shell of tunnel.shells.values()) shell.end()
  await expect.poll(() => loggedOut).toHaveBeenCalledOnce()
})
