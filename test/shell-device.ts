/** A tunnel whose device is a shell of this machine, without SFTP as stock Dropbear is: for files of a device. */
import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { openDeviceFiles } from '#api/remote/device-files'
import { Tunnel, Tunnels } from '#api/remote/tunnels'
import { hostKeyFile } from '#infra/remote-key'

const BUSYBOX = '/usr/bin/busybox'
export const hasBusybox = existsSync(BUSYBOX)

/** What OpenWrt runs, where it is installed: with BusyBox's own programs. */
const shell = (command: string) =>
  hasBusybox
    ? spawn(BUSYBOX, [
        'sh',
        '-c',
        `${['ls', 'wc', 'tail', 'cat', 'mv', 'rm', 'rmdir'].map((name) => `${name}() { ${BUSYBOX} ${name} "$@"; }`).join('\n')}\n${command}`,
      ])
    : spawn('sh', ['-c', command])

class ShellTunnel extends Tunnel {
  override async open() {
    const server = new ssh2.Server({ hostKeys: [hostKeyFile('x'.repeat(32))] }, (connection) => {
      connection.on('error', () => undefined)
      connection.on('authentication', (auth) =>
        auth.method === 'password' && auth.password !== 'wrong' ? auth.accept() : auth.reject(['password']),
      )
      connection.on('session', (accept) =>
        accept().on('exec', (yes, _no, { command }) => {
          const channel = yes()
          const child = shell(command)
          channel.pipe(child.stdin)
          child.stdout.pipe(channel, { end: false })
          child.stderr.pipe(channel.stderr, { end: false })
          child.stdin.on('error', () => undefined)
          child.once('close', (code) => {
            channel.exit(code ?? 1)
            channel.end()
          })
        }),
      )
    })
    // A real socket: ssh2 does not bear a pair of streams that deliver at once.
    const listener = createServer((socket) => {
      listener.close()
      server.injectSocket(socket.on('error', () => socket.destroy()))
    })
    await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
    return connect((listener.address() as AddressInfo).port, '127.0.0.1') as never
  }
}
/** Of the session with this id; `path` is a file that there is. */
export async function holdShell(sessionId: string, logsIn = true) {
  const session = {
    id: sessionId,
    sn: 'SN',
    deviceId: 0,
    customerId: 0,
    userId: 0,
    kind: 'terminal' as const,
    scheme: 'ssh' as const,
    host: '127.0.0.1',
    port: 22,
    lanAddress: null,
    label: '',
  }
  const line = Object.assign(new EventEmitter(), { end: () => undefined })
  const tunnel = new ShellTunnel(session, line as never, { address: '', port: 0 })
  new Tunnels(() => undefined).add(tunnel)
  if (logsIn) tunnel.files = await openDeviceFiles(tunnel, { username: 'root', password: '' })
  const folder = mkdtempSync(join(tmpdir(), 'iot-files-'))
  const path = join(folder, 'file')
  writeFileSync(path, 'hello')
  return { tunnel, folder, path }
}
