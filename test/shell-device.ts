/** A tunnel whose device is a shell of this machine, without SFTP as stock Dropbear is, with scp or without: for files of a device. */
import { spawn } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { existsSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2 from 'ssh2'
import { openDeviceFiles } from '#api/remote/device-files'
import { Tunnel, Tunnels } from '#api/remote/tunnels'
import { hostKeyFile } from '#infra/remote-key'
import { busyboxProgram } from './programs/unpacked.ts'

export const hasBusybox = busyboxProgram !== null

const tools = ['ls', 'wc', 'tail', 'cat', 'chmod', 'mv', 'rm', 'rmdir']
const whereIs = (name: string) => ['/usr/bin', '/bin'].map((folder) => join(folder, name)).find(existsSync)
export const hasScp = whereIs('scp') !== undefined

/** What OpenWrt runs, where it is installed: with BusyBox's own programs, and nothing else of this machine. */
const shell = (command: string, env: { PATH: string }) =>
  busyboxProgram !== null
    ? spawn(
        busyboxProgram,
        [
          'sh',
          '-c',
          `${tools.map((name) => `${name}() { '${busyboxProgram}' ${name} "$@"; }`).join('\n')}\n${command}`,
        ],
        { env },
      )
    : spawn(whereIs('sh') ?? 'sh', ['-c', command], { env })

class ShellTunnel extends Tunnel {
  /** Of its programs. */
  path = ''
  override async open() {
    const server = new ssh2.Server({ hostKeys: [hostKeyFile('x'.repeat(32))] }, (connection) => {
      connection.on('error', () => undefined)
      connection.on('authentication', (auth) =>
        auth.method === 'password' && auth.password !== 'wrong' ? auth.accept() : auth.reject(['password']),
      )
      connection.on('session', (accept) =>
        accept().on('exec', (yes, _no, { command }) => {
          const channel = yes()
          const child = shell(command, { PATH: this.path })
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
export async function holdShell(sessionId: string, { logsIn = true, scp = false } = {}) {
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
  tunnel.path = mkdtempSync(join(tmpdir(), 'iot-programs-'))
  for (const name of [...(scp ? ['scp'] : []), ...(hasBusybox ? [] : tools)])
    symlinkSync(whereIs(name) ?? name, join(tunnel.path, name))
  new Tunnels(() => undefined).add(tunnel)
  if (logsIn) tunnel.files.set('login', await openDeviceFiles(tunnel, { username: 'root', password: '' }))
  const folder = mkdtempSync(join(tmpdir(), 'iot-files-'))
  const path = join(folder, 'file')
  writeFileSync(path, 'hello')
  return { tunnel, folder, path }
}
