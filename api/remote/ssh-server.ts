/**
 * The SSH server for tunnels. A device logs in with the one-time password of one session and may request one thing, the
 * remote forwarding of that session. No shell, no other forwarding, and no port is opened here: connections go back to
 * the device as channels.
 */
import { createServer, type Server as NetServer, type Socket } from 'node:net'
import ssh2, { type Connection } from 'ssh2'
import type { Context } from '#infra/context'
import { hostKeyFile, readTunnelPassword } from '#infra/remote-key'
import { openTunnel } from '#schema/remote/open-tunnel'
import { keepCipherKeys } from './cipher-keys.ts'
import { boundReplies, countAsks, countRequests } from './line-bounds.ts'
import { labelOf } from './ticket.ts'
import type { TunnelSession } from './tunnel-session.ts'
import { Tunnel, type Tunnels } from './tunnels.ts'

/** Time from the first byte to the forwarding request; a connection without one is then closed. */
export const LOGIN_MS = 10_000
/** Maximum number of connections that have not logged in. */
export const STRANGERS_MAX = 64
const TRIES_MAX = 3
/** A tunnel whose device has vanished is closed after three of these without an answer, which is within 30 s. */
export const KEEPALIVE_MS = 8_000
const KEEPALIVES_MAX = 2

/** What a device asks for besides its forwarding, all of which is answered: a few in a while, and never this many. */
const ASKS_MAX = 100
/** Each new exchange of keys costs a signature; clients make one a gigabyte. */
const REKEYS_MAX = 10
const ASKS_MS = 10_000
/** Tries to log in by methods that there are not, which clients may make before the password. */
const METHODS_MAX = 20

/** Nothing below what OpenSSH and Dropbear of the last ten years offer. */
const algorithms = {
  // In this order: if Dropbear 2022 finds its own favourite first, it sends a guessed packet, and it and ssh2 deadlock.
  kex: ['curve25519-sha256@libssh.org', 'curve25519-sha256'],
  serverHostKey: ['ssh-ed25519'],
  cipher: [
    'chacha20-poly1305@openssh.com',
    'aes256-gcm@openssh.com',
    'aes128-gcm@openssh.com',
    'aes256-ctr',
    'aes128-ctr',
  ],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
} as const

type Claimed = Omit<TunnelSession, 'label'> & { listenPort: number }

/** Compare-and-set: of two logins with the same password one succeeds. */
async function claim({ sql, env, now }: Context, sn: string, password: string): Promise<Claimed | null> {
  const credential = readTunnelPassword(env.JWT_SECRET, sn, password, now().getTime())
  if (credential === null) return null
  const [found] = await sql<Claimed[]>`
    update remote_sessions r set used_at = ${now()}
    from devices d, commands c
    where r.id = ${credential.sessionId} and r.command_id = ${credential.commandId} and r.used_at is null and r.ended_at is null and r.state = 'requested'
      and d.id = r.device_id and d.sn = ${sn} and d.deleted_at is null
      and c.id = r.command_id and c.name = ${openTunnel.name}
    returning r.id, d.sn, r.device_id as "deviceId", r.customer_id as "customerId", r.user_id as "userId", r.kind, r.scheme, r.host, r.port,
      (select s.value->>'ip' from device_sections s where s.device_id = d.id and s.name = 'lan') as "lanAddress",
      (c.args->>'listenPort')::int as "listenPort"`
  return found ?? null
}

/** The oldest connection of the address with the most: a flood from one address only displaces its own connections. */
function crowding(strangers: ReadonlySet<Socket>): Socket | undefined {
  const byAddress = Map.groupBy(strangers, ({ remoteAddress }) => remoteAddress)
  return [...byAddress.values()].sort((a, b) => b.length - a.length)[0]?.[0]
}

export type SshServer = { port: number; close(): Promise<void> }

export async function startSshServer(
  context: Context,
  tunnels: Tunnels,
  { keepaliveMs = KEEPALIVE_MS, loginMs = LOGIN_MS } = {},
): Promise<SshServer> {
  const { env, log, sql, now } = context
  const sockets = new Map<string, Socket>()
  const strangers = new Set<Socket>()
  const keyOf = (ip: string | undefined, port: number | undefined) => `${ip} ${port}`

  const server = new ssh2.Server({
    hostKeys: [hostKeyFile(env.JWT_SECRET)],
    algorithms: algorithms as never,
    // Does not reveal the library's version.
    ident: 'tunnel',
    keepaliveInterval: keepaliveMs,
    keepaliveCountMax: KEEPALIVES_MAX,
  })

  server.on('connection', (connection: Connection, info: { ip: string; port: number }) => {
    const socket = sockets.get(keyOf(info.ip, info.port))
    let claimed: Claimed | null = null
    let tries = 0
    let methods = 0
    let bound = false
    const isTooMuch = countAsks(ASKS_MAX, ASKS_MS)
    const isTooOften = countAsks(REKEYS_MAX, ASKS_MS)
    const drop = () => socket?.destroy()
    // Port scanners and lost networks: nothing to log.
    connection.on('error', drop)
    keepCipherKeys(connection)
    countRequests(connection, isTooMuch, drop)
    if (socket) boundReplies(socket, drop)
    connection.on('authentication', (auth) => {
      if (auth.method !== 'password') return ++methods > METHODS_MAX ? drop() : auth.reject(['password'])
      if (++tries > TRIES_MAX) return drop()
      claim(context, auth.username, auth.password).then(
        (found) => {
          if (!found) {
            log.warn({ sn: auth.username.slice(0, 64), ip: info.ip }, 'a tunnel was refused')
            if (tries >= TRIES_MAX) return drop()
            return auth.reject(['password'])
          }
          claimed = found
          auth.accept()
        },
        (error: unknown) => {
          log.error({ err: error }, 'a tunnel could not be checked')
          drop()
        },
      )
    })
    connection.on('rekey', () => isTooOften() && drop())
    connection.on('ready', () => {
      // Whatever else a client asks for is refused.
      const refuse = (_accept: unknown, reject?: () => void) => (isTooMuch() ? drop() : reject?.())
      connection.on('session', refuse)
      connection.on('tcpip', refuse)
      connection.on('openssh.streamlocal' as never, refuse)
      connection.on('request', (accept, reject, name, asked) => {
        const { bindAddr: address, bindPort: port } = asked as { bindAddr: string; bindPort: number }
        if (name !== 'tcpip-forward' || bound || claimed === null || port !== claimed.listenPort)
          return reject?.()
        bound = true
        const session = { ...claimed, label: labelOf(env.JWT_SECRET, claimed.id) }
        sql`update remote_sessions set state = 'tunnelUp', broken_at = null, tunnel_at = ${now()}, beat_at = ${now()}
          where id = ${session.id} and ended_at is null and state = 'requested' returning id`.then(
          ([up]) => {
            if (!up || socket?.destroyed) return drop()
            if (socket) strangers.delete(socket)
            socket?.setTimeout(0)
            tunnels.add(new Tunnel(session, connection, { address, port }, socket))
            accept?.(port)
          },
          (error: unknown) => {
            log.error({ err: error, session: session.id }, 'a tunnel could not be recorded')
            drop()
          },
        )
      })
    })
  })

  const listener: NetServer = createServer((socket) => {
    const crowded = strangers.size >= STRANGERS_MAX ? crowding(strangers) : undefined
    if (crowded) {
      // Immediately: the connection is closed only a moment later.
      strangers.delete(crowded)
      crowded.destroy()
    }
    const key = keyOf(socket.remoteAddress, socket.remotePort)
    sockets.set(key, socket)
    strangers.add(socket)
    const late = setTimeout(() => strangers.has(socket) && socket.destroy(), loginMs)
    socket.setNoDelay(true)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(late)
      strangers.delete(socket)
      sockets.delete(key)
    })
    server.injectSocket(socket)
  })
  await new Promise<void>((done, fail) => {
    listener.once('error', fail)
    listener.listen(env.SSH_PORT, env.SSH_HOST, () => {
      listener.off('error', fail)
      done()
    })
  })
  return {
    port: env.SSH_PORT,
    close: () =>
      new Promise((done) => {
        listener.close(() => done())
        for (const socket of sockets.values()) socket.destroy()
      }),
  }
}
