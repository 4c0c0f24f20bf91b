/**
 * The writing half of the guard: accepts all output immediately and sends it as fast as the socket allows.
 */
import { Socket } from 'node:net'
import { Duplex, type DuplexOptions } from 'node:stream'
import { Inflight } from './inflight.ts'

const WRITE_MAX = 256 * 1024
/** Bytes that a client may still send after it was disconnected. */
const LATE_MAX = 64 * 1024
const CLOSE_MS = 1_000

export abstract class SocketSide extends Duplex {
  readonly socket: Duplex
  readonly inflight = new Inflight()
  /** When output was last sent; shows progress while something waits. */
  protected flushedAt = 0

  constructor(socket: Duplex, options: DuplexOptions) {
    super(options)
    this.socket = socket
  }

  /** Lets the guard change complete outgoing packets. */
  protected abstract leaving(bytes: Buffer): Buffer

  /** Sends a small response of our own, directly if nothing is queued before it. */
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

  /**
   * Lets a last CONNACK be sent, then closes; a client that does not read, keeps sending or does not close is
   * closed hard.
   */
  protected closeAfterFlush(): void {
    const { socket } = this
    if (this.writableLength > WRITE_MAX) {
      // Resets the connection, so that the system also discards unread output. TLS has no way to request
      // that.
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
    // Cleared on close: a timer would keep the connection in memory, and thousands may close within a second.
    const last = setTimeout(() => socket.destroy(), CLOSE_MS).unref()
    socket.once('close', () => clearTimeout(last))
  }

  /** Sends large output in slices, so that progress is visible. */
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
