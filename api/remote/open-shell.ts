/** A shell of the device: an SSH client that goes through the tunnel instead of over a socket. */
import ssh2, { type ClientChannel } from 'ssh2'
import { ShellFault } from './shell-fault.ts'
import type { Tunnel } from './tunnels.ts'

const READY_MS = 15_000

type Login = { username: string; password: string; columns: number; rows: number }

/**
 * The password is only passed on. The device's host key is not compared: the tunnel ends in the device itself.
 * @throws ShellFault
 */
export async function openShell(tunnel: Tunnel, login: Login): Promise<ClientChannel> {
  const sock = await tunnel.open().catch(() => {
    throw new ShellFault('unreachable')
  })
  const client = new ssh2.Client()
  try {
    return await new Promise<ClientChannel>((done, fail) => {
      client.on('error', (error) =>
        fail(new ShellFault(error.level === 'client-authentication' ? 'password' : 'failed')),
      )
      client.on('close', () => fail(new ShellFault('failed')))
      client.on('keyboard-interactive', (_name, _text, _language, prompts, finish) =>
        finish(prompts.map(() => login.password)),
      )
      client.on('ready', () =>
        client.shell({ term: 'xterm-256color', cols: login.columns, rows: login.rows }, (error, shell) => {
          if (error) return fail(new ShellFault('failed'))
          shell.on('close', () => client.end())
          done(shell)
        }),
      )
      client.connect({
        sock,
        username: login.username,
        password: login.password,
        tryKeyboard: true,
        readyTimeout: READY_MS,
      })
    })
  } catch (error) {
    client.destroy()
    sock.destroy()
    throw error
  }
}
