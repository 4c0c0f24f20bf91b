/**
 * Records a terminal as asciicast v2: output and sizes, never input. Typed text is included only if the device echoes
 * it, so a password at a prompt is not.
 */
import { StringDecoder } from 'node:string_decoder'
import type { FileStore } from '#infra/files/store'
import type { RecordingFault } from '#schema/remote/terminal-frame'

type Size = { columns: number; rows: number }
type Opened = Awaited<ReturnType<typeof openRecordingFile>>

/** The remaining bytes that all recordings of a session together may write: several shells may be open. */
export type Allowance = { leftBytes: number }

/** Reserved for the line that says why a file ends early. */
const SPARE_BYTES = 256

/** @throws if the store is not writable. From now on the file exists under its key. */
export async function openRecordingFile(files: FileStore, of: Size & { title: string; at: Date }) {
  const file = files.grow()
  const header = {
    version: 2,
    width: of.columns,
    height: of.rows,
    timestamp: Math.floor(of.at.getTime() / 1000),
    title: of.title,
    env: { TERM: 'xterm-256color' },
  }
  const first = `${JSON.stringify(header)}\n`
  try {
    await new Promise<void>((done, fail) => {
      file.stream.once('error', fail)
      file.stream.write(first, (error) => (error ? fail(error) : done()))
    })
    await file.keep()
  } catch (error) {
    await file.drop()
    throw error
  }
  return { ...file, size: Buffer.byteLength(first) }
}

export class RecordingFile {
  readonly #file: Opened
  readonly #allowance: Allowance
  readonly #stopped: (why: RecordingFault) => void
  readonly #decoder = new StringDecoder('utf8')
  readonly #beganMs = performance.now()
  #over: RecordingFault | 'ended' | null = null
  sizeBytes: number
  durationMs = 0

  /** @param stopped called at most once, when writing stops */
  constructor(file: Opened, allowance: Allowance, stopped: (why: RecordingFault) => void) {
    this.#file = file
    this.#allowance = allowance
    this.#stopped = stopped
    this.sizeBytes = file.size
    allowance.leftBytes -= file.size
    file.stream.on('error', () => this.#stop('notRecorded'))
  }

  /** Why it ended early; null if it did not. */
  get fault(): RecordingFault | null {
    return this.#over === 'ended' ? null : this.#over
  }

  /** Returns false if nothing more may be written until `drained`. */
  output(chunk: Buffer): boolean {
    const text = this.#decoder.write(chunk)
    return text === '' || this.#event('o', text)
  }

  resize({ columns, rows }: Size): void {
    this.#event('r', `${columns}x${rows}`)
  }

  drained(go: () => void): void {
    if (this.#over === null) this.#file.stream.once('drain', go)
    else go()
  }

  #event(code: 'o' | 'r' | 'm', text: string): boolean {
    if (this.#over !== null) return true
    this.durationMs = Math.round(performance.now() - this.#beganMs)
    const line = `${JSON.stringify([this.durationMs / 1000, code, text])}\n`
    const length = Buffer.byteLength(line)
    if (code !== 'm' && length > this.#allowance.leftBytes - SPARE_BYTES) {
      this.#event('m', 'the recording is full')
      this.#stop('recordingFull')
      return true
    }
    this.sizeBytes += length
    this.#allowance.leftBytes -= length
    return this.#file.stream.write(line)
  }

  #stop(why: RecordingFault): void {
    if (this.#over !== null) return
    this.#over = why
    this.#file.stream.emit('drain')
    this.#stopped(why)
  }

  /** Resolves when everything is stored. */
  async end(): Promise<void> {
    const { stream } = this.#file
    this.#over ??= 'ended'
    if (stream.destroyed) return
    await new Promise<void>((done) => stream.once('error', () => done()).end(done))
  }
}
