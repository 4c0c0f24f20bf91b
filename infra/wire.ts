/**
 * The socket under a database connection, with what the drivers lack: a timeout for silence, and for postgres.js a clean
 * start after a broken connection, with TLS as well (docs/decisions/063).
 */
import { once } from 'node:events'
import { isIP, Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { DatabaseTls } from './settings/database-url.ts'

/** The error of a query whose connection was silent for too long. */
export class SilentConnection extends Error {
  readonly code = 'CONNECTION_SILENT'
  constructor(ms: number) {
    super(`the database connection said nothing for ${ms / 1000} s and was given up`)
  }
}

/** `always`: no data for this time. `unanswered`: likewise, but only after something was sent. */
export type Silence = { ms: number; ends: 'always' | 'unanswered' }

/** Of a query that was sent after its connection had failed. Named like the driver's own for a connection that closed properly. */
class ClosedConnection extends Error {
  readonly code = 'CONNECTION_CLOSED'
  constructor() {
    super('the database connection failed just before the query was sent')
  }
}

/** Number of checks within the allowed time. */
const LOOKS = 10

/**
 * Counted by the kernel's handle of `counted`: under TLS the socket itself sees no data. `socket` is ended, which is the one
 * that the driver has.
 */
function endSilence(counted: Socket, { ms, ends }: Silence, socket = counted): void {
  let read = 0
  let written = 0
  let owed = false
  let since = performance.now()
  const timer = setInterval(() => {
    if (socket.destroyed) return clearInterval(timer)
    const now = performance.now()
    const heard = counted.bytesRead !== read
    const sent = counted.bytesWritten !== written
    read = counted.bytesRead
    written = counted.bytesWritten
    if (heard) owed = false
    if (sent && !owed) {
      owed = true
      if (ends === 'unanswered') since = now
    }
    if (heard) since = now
    else if (now - since >= ms && (ends === 'always' || owed)) socket.destroy(new SilentConnection(ms))
  }, ms / LOOKS)
  timer.unref()
  socket.once('close', () => clearInterval(timer))
}

export function openWire(silence: Silence): Socket {
  const socket = new Socket()
  endSilence(socket, silence)
  return socket
}

/** Protocol 3.0, and the first word of postgres.js's StartupMessage. */
const START = Buffer.from('\0\x03\0\0user\0', 'latin1')
const LENGTH_BYTES = 4

/** Bytes before the StartupMessage were meant for the previous connection. */
export function fromStartup(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf(START) - LENGTH_BYTES
  return at > 0 && bytes.readUInt32BE(at) === bytes.length - at ? bytes.subarray(at) : bytes
}

/**
 * When a connection closes, postgres.js 3.4.9 keeps its unsent data and its "about to send" flag: on the next
 * connection nothing is sent any more until 1,024 bytes have accumulated. So the StartupMessage is padded to that
 * length (PostgreSQL ignores blanks in its options), and bytes before it are removed.
 */
export const STARTUP_PADDING = ' '.repeat(1_024)

type Target = { host: string[]; port: number[]; path?: string | false }

/**
 * postgres.js 3.4.9 takes queries for a connection until its `close`, and after an error fails only those that it had at
 * the `error` just before: a query between the two, typically a retry, would wait forever.
 */
const failWhatCameSince = (socket: Socket) =>
  socket.once('close', (failed) => failed && socket.emit('error', new ClosedConnection()))

/** Until the server has connected, and over TLS has identified itself. */
const SECURE_MS = 10_000
/** Of the protocol: the length, and a number instead of a version. The server returns S, or N. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/** postgres.js loses the connection's place in the pool if a socket cannot be made: this one fails once it is used. */
function failing(error: unknown): Socket {
  const socket = Object.assign(new Socket(), { write: () => true })
  setImmediate(() => {
    socket.emit('error', error)
    socket.emit('close', true)
  })
  return socket
}

/** What postgres.js has is ready for the protocol's first message, whether secured or not. */
async function secured(raw: Socket, host: string, tls: NonNullable<DatabaseTls>, silence?: Silence) {
  const signal = AbortSignal.timeout(SECURE_MS)
  // Whoever waits is told by `once`; nobody else listens to the socket below, and an error without a listener ends the process.
  const ignore = () => undefined
  raw.on('error', ignore)
  try {
    await once(raw, 'connect', { signal })
    raw.write(SSL_REQUEST)
    const [answer] = await once(raw, 'data', { signal })
    // Not more than this byte: what follows was not sent by the server, which waits (CVE-2021-23222).
    if (String(answer) !== 'S') throw new Error(`the database server at ${host} offers no TLS`)
    const socket = connectTls({ socket: raw, host, ...(isIP(host) ? {} : { servername: host }), ...tls })
    socket.on('error', ignore)
    await once(socket, 'secureConnect', { signal })
    if (silence) endSilence(raw, silence, socket)
    return socket
  } catch (error) {
    raw.destroy()
    return failing(
      signal.aborted
        ? Object.assign(
            new Error(`no TLS with the database server at ${host} within ${SECURE_MS / 1000} s`),
            {
              code: 'CONNECT_TIMEOUT',
            },
          )
        : error,
    )
  }
}

/** Prepared for postgres.js, which has not yet sent anything. */
function prepared<S extends Socket>(socket: S): S {
  failWhatCameSince(socket)
  const send = socket.write.bind(socket)
  socket.write = ((bytes: Buffer, ...rest: []) => {
    socket.write = send
    return send(fromStartup(bytes), ...rest)
  }) as typeof socket.write
  return socket
}

/**
 * For the `socket` option of postgres.js, which does not connect such sockets itself, and must not be told to secure
 * them. Without `silence` a connection may be silent for any time.
 */
export function socketFactory(
  tls: DatabaseTls,
  silence?: Silence,
): (options: Target) => Socket | Promise<Socket> {
  let attempts = 0
  return ({ host, port, path }) => {
    const turn = attempts++ % host.length
    const [to, at] = [host[turn] ?? 'localhost', port[turn] ?? 5432]
    const socket = silence && !tls ? openWire(silence) : new Socket()
    if (path) return prepared(socket).connect(path)
    socket.connect(at, to)
    const ready = tls ? secured(socket, to, tls, silence).then(prepared) : prepared(socket)
    return ready instanceof Socket ? Object.assign(ready, { host: to }) : ready
  }
}
