/** The writing half of the guard: everything is taken at once, and leaves as the socket lets it. */
import { Socket } from 'node:net'
import { Duplex, type DuplexOptions } from 'node:stream'
import { Inflight } from './inflight.ts'

const WRITE_MAX = 256 * 1024
/** What somebody may still send after he was cut. */
const LATE_MAX = 64 * 1024
const CLOSE_MS = 1_000

export abstract class SocketSide extends Duplex {
  readonly socket: Duplex
  readonly inflight = new Inflight()
  /** When something last left; while something waits, progress shows here. */
  protected flushedAt = 0

  constructor(socket: Duplex, options: DuplexOptions) {
    super(options)
    this.socket = socket
  }

  /** A last look at whole packets on their way out. */
  protected abstract leaving(bytes: Buffer): Buffer

  /** A small answer of our own: straight to the socket while nothing is queued before it. */
  answer(bytes: Buffer): void {
    if (this.writableLength === 0 && this.socket.writableLength === 0 && this.socket.writable)
      this.socket.write(bytes)
    else this.write(bytes)
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.depart(chunk, done)
  }

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    this.depart(Buffer.concat(chunks.map((entry) => entry.chunk)), done)
  }

  private depart(bytes: Buffer, done: () => void): void {
    const last = this.leaving(bytes)
    this.inflight.leaving(last)
    this.send(last, done)
  }

  /** A last CONNACK still leaves; who does not read, goes on talking or does not close is closed. */
  protected hangUp(): void {
    const { socket } = this
    if (this.writableLength > WRITE_MAX) {
      // A reset: the system, too, forgets what he did not read. TLS has no way to ask for one.
      if (socket instanceof Socket && !('encrypted' in socket)) socket.resetAndDestroy()
      else socket.destroy()
      return
    }
    let late = 0
    socket.on('data', (chunk: Buffer) => {
      late += chunk.length
      if (late > LATE_MAX) socket.destroy()
    })
    socket.end()
    socket.resume()
    // Cleared: a timer would keep the connection in memory, and thousands leave in a second.
    const last = setTimeout(() => socket.destroy(), CLOSE_MS).unref()
    socket.once('close', () => clearTimeout(last))
  }

  /** A big output leaves in slices, so that progress shows. */
  private send(bytes: Buffer, done: () => void): unknown {
    this.flushedAt = performance.now()
    if (this.socket.destroyed || !this.socket.writable) return done()
    if (bytes.length <= WRITE_MAX) this.socket.write(bytes, () => done())
    else
      this.socket.write(bytes.subarray(0, WRITE_MAX), (error) =>
        error ? done() : this.send(bytes.subarray(WRITE_MAX), done),
      )
  }
}
