/** A shell of the device: an SSH client that runs through the tunnel instead of over a socket. */
import type { Duplex } from 'node:stream'
import ssh2, { type ClientChannel } from 'ssh2'
import { keepCipherKeys } from './cipher-keys.ts'
import { awaitLine, boundReplies, countAsks, countRequests } from './line-bounds.ts'
import { ShellFault } from './shell-fault.ts'
import type { Tunnel } from './tunnels.ts'

const READY_MS = 15_000
/** A device asks once for the password, and once for nothing at the end; one that asks for ever gets no further answer. */
const ASKS_MAX = 5
/** Requests of the SSH connection itself: OpenSSH sends its host keys once, and keepalives where it is told to. */
const REQUESTS_MAX = 100
const REQUESTS_MS = 10_000

/** Algorithms of Dropbear in old firmware, after all better ones: the tunnel around it protects the connection. */
const algorithms = {
  kex: {
    append: [
      'diffie-hellman-group14-sha1',
      'diffie-hellman-group-exchange-sha1',
      'diffie-hellman-group1-sha1',
    ],
  },
  cipher: { append: ['aes256-cbc', 'aes128-cbc', '3des-cbc'] },
  serverHostKey: { append: ['ssh-dss'] },
} as const

type Account = { username: string; password: string }
type Login = Account & { columns: number; rows: number }

/**
 * An SSH connection to the device, logged in. The password is passed through and not stored. The device's host key is
 * not compared: the tunnel ends in the device itself. @throws ShellFault
 */
export async function logIn<T>(
  tunnel: Tunnel,
  login: Account,
  use: (client: ssh2.Client, line: Duplex) => Promise<T>,
): Promise<T> {
  const sock = await tunnel.open().catch(() => {
    throw new ShellFault('unreachable')
  })
  const client = new ssh2.Client()
  keepCipherKeys(client)
  const drop = () => {
    client.destroy()
    sock.destroy()
  }
  // Not before: a listener would take the first bytes from ssh2.
  client.once('handshake', () => boundReplies(sock, drop))
  try {
    await new Promise<void>((done, fail) => {
      client.on('error', (error) =>
        fail(new ShellFault(error.level === 'client-authentication' ? 'password' : 'failed')),
      )
      client.on('close', () => fail(new ShellFault('failed')))
      let asked = 0
      client.on('keyboard-interactive', (_name, _text, _language, prompts, finish) => {
        if (++asked > ASKS_MAX) fail(new ShellFault('password'))
        else finish(prompts.map(() => login.password))
      })
      client.on('ready', () => done())
      client.connect({
        sock,
        username: login.username,
        password: login.password,
        tryKeyboard: true,
        readyTimeout: READY_MS,
        algorithms: algorithms as never,
      })
      countRequests(client, countAsks(REQUESTS_MAX, REQUESTS_MS), drop)
    })
    return await use(client, sock)
  } catch (error) {
    drop()
    throw error
  }
}

/** @throws ShellFault */
export const openShell = (tunnel: Tunnel, login: Login): Promise<ClientChannel> =>
  logIn(
    tunnel,
    login,
    (client, line) =>
      new Promise<ClientChannel>((done, fail) => {
        client.once('close', () => fail(new ShellFault('failed')))
        client.shell({ term: 'xterm-256color', cols: login.columns, rows: login.rows }, (error, shell) => {
          if (error) return fail(new ShellFault('failed'))
          awaitLine(shell, line)
          shell.on('close', () => client.end())
          done(shell)
        })
      }),
  )
