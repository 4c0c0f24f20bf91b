/** A device whose SSH server is hostile: a login fails or ends, and the api goes on. */
import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import ssh2, { type Connection } from 'ssh2'
import { afterEach, expect, it } from 'vitest'
import { hostKeyFile } from '#infra/remote-key'
import { openShell } from './open-shell.ts'
import { ShellFault } from './shell-fault.ts'
import { Tunnel } from './tunnels.ts'

class HostileTunnel extends Tunnel {
  readonly #serve: (socket: Socket) => void
  constructor(serve: (socket: Socket) => void) {
    const line = Object.assign(new EventEmitter(), { end: () => undefined })
    super({} as never, line as never, { address: '', port: 0 })
    this.#serve = serve
  }
  override async open() {
    const listener = createServer((socket) => {
      listener.close()
      this.#serve(socket.on('error', () => socket.destroy()))
    })
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
    const socket = connect((listener.address() as AddressInfo).port, '127.0.0.1')
    opened.push(socket)
    return socket as never
  }
}
const opened: Socket[] = []
afterEach(() => {
  for (const socket of opened.splice(0)) socket.destroy()
})

type Wire = {
  _cipher: { encrypt(packet: Buffer): void }
  _packetRW: { write: { alloc(size: number): Buffer; allocStart: number; finalize(packet: Buffer): Buffer } }
}
function sendPacket(connection: Connection, payload: Buffer): void {
  const wire = (connection as unknown as { _protocol: Wire })._protocol
  const { write } = wire._packetRW
  const packet = write.alloc(payload.length)
  payload.copy(packet, write.allocStart)
  wire._cipher.encrypt(write.finalize(packet))
}
const login = { username: 'root', password: 'x', columns: 80, rows: 24 }
const served = (use: (connection: Connection) => void) => (socket: Socket) => {
  const server = new ssh2.Server({ hostKeys: [hostKeyFile('x'.repeat(32))] }, (connection) => {
    connection.on('error', () => undefined)
    use(connection)
  })
  server.injectSocket(socket)
}
/** null: there is a shell. */
const faultOf = (tunnel: Tunnel) =>
  openShell(tunnel, login).then(
    () => null,
    (error: unknown) => error,
  )

it('bears packets of every type with whatever is in them, before the login, after it and in the shell', async () => {
  for (const when of ['handshake', 'ready', 'shell'] as const)
    for (let type = 1; type < 256; type += 15) {
      const flood = (connection: Connection) => {
        for (let i = 0; i < 15; i++)
          for (const size of [0, 4, 30])
            sendPacket(connection, Buffer.concat([Buffer.from([type + i]), randomBytes(size)]))
        setTimeout(() => connection.end(), 20)
      }
      const tunnel = new HostileTunnel(
        served((connection) => {
          if (when === 'handshake') connection.once('handshake', () => flood(connection))
          connection.on('authentication', (auth) => auth.accept())
          connection.on('ready', () => when === 'ready' && flood(connection))
          connection.on('session', (accept) => {
            const session = accept()
            session.on('pty', (yes) => yes?.())
            session.on('shell', (yes) => {
              yes()
              if (when === 'shell') flood(connection)
            })
          })
        }),
      )
      const fault = await faultOf(tunnel)
      if (fault !== null) expect(fault).toBeInstanceOf(Error)
      tunnel.close('ended')
    }
})

it('gives up on one that sends an endless banner, an unreadable one, or asks for the password forever', async () => {
  const greeter = new HostileTunnel((socket) => {
    const flood = setInterval(() => socket.write('welcome\r\n'.repeat(1_000)), 1)
    socket.on('close', () => clearInterval(flood))
  })
  expect(await faultOf(greeter)).toMatchObject({ why: 'failed' })
  const liner = new HostileTunnel((socket) => {
    const flood = setInterval(() => socket.write('x'.repeat(10_000)), 1)
    socket.on('close', () => clearInterval(flood))
  })
  expect(await faultOf(liner)).toMatchObject({ why: 'failed' })
  let asked = 0
  const asker = new HostileTunnel(
    served((connection) => {
      connection.on('authentication', (auth) => {
        if (auth.method !== 'keyboard-interactive') return auth.reject(['keyboard-interactive'])
        const again = () => {
          asked++
          auth.prompt([{ prompt: 'Password: ', echo: false }], again)
        }
        again()
      })
    }),
  )
  expect(await faultOf(asker)).toBeInstanceOf(ShellFault)
  expect(asked).toBeLessThan(8)
})

it('leaves one that asks for its keys to be proven, or for anything else, without end', async () => {
  const text = (value: string) =>
    Buffer.concat([Buffer.from([0, 0, 0, value.length]), Buffer.from(value, 'latin1')])
  for (const ask of ['unknown@example.org', 'hostkeys-00@openssh.com']) {
    let sent = 0
    const ended = Promise.withResolvers<void>()
    const tunnel = new HostileTunnel(
      served((connection) => {
        connection.on('authentication', (auth) => auth.accept())
        connection.on('session', (accept) => {
          const session = accept()
          session.on('pty', (yes) => yes?.())
          session.on('shell', (yes) => {
            yes()
            const request = Buffer.concat([Buffer.from([80]), text(ask), Buffer.from([1])])
            const flood = setInterval(() => {
              for (let i = 0; i < 10; i++, sent++) sendPacket(connection, request)
            }, 1)
            connection.on('close', () => {
              clearInterval(flood)
              ended.resolve()
            })
          })
        })
      }),
    )
    expect(await faultOf(tunnel)).toBeNull()
    await ended.promise
    expect(sent, ask).toBeLessThan(5_000)
    tunnel.close('ended')
  }
})
