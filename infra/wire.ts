/**
 * The socket under a database connection, with two things that the drivers lack: a timeout for silence, and for
 * postgres.js a clean start after a broken connection (docs/decisions/063).
 */
import { Socket } from 'node:net'

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

/** Counted by the kernel's handle: under TLS the socket itself sees no data. */
function endSilence(socket: Socket, { ms, ends }: Silence): void {
  let read = 0
  let written = 0
  let owed = false
  let since = performance.now()
  const timer = setInterval(() => {
    if (socket.destroyed) return clearInterval(timer)
    const now = performance.now()
    const heard = socket.bytesRead !== read
    const sent = socket.bytesWritten !== written
    read = socket.bytesRead
    written = socket.bytesWritten
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

/** For the `socket` option of postgres.js, which does not connect such sockets itself. */
export function socketFactory(silence: Silence): (options: Target) => Socket {
  let attempts = 0
  return ({ host, port, path }) => {
    const socket = openWire(silence)
    failWhatCameSince(socket)
    const send = socket.write.bind(socket)
    socket.write = ((bytes: Buffer, ...rest: []) => {
      socket.write = send
      return send(fromStartup(bytes), ...rest)
    }) as typeof socket.write
    const turn = attempts++ % host.length
    if (path) return socket.connect(path)
    return Object.assign(socket.connect(port[turn] ?? 5432, host[turn] ?? 'localhost'), { host: host[turn] })
  }
}
