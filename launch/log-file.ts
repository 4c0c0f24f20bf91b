/** A room's log file with one older generation. A full disk loses log lines, but never ends the process. */
import { createWriteStream, mkdirSync, renameSync, statSync, type WriteStream } from 'node:fs'
import { join } from 'node:path'

const LOG_MAX_BYTES = 20 * 1024 * 1024
/** For a disk that does not keep up: lines beyond this backlog are dropped. */
const WAITING_MAX_BYTES = 1024 * 1024
/** After a failure lines are dropped for this time before the file is tried again. */
const RETRY_MS = 5_000

type Open = { stream: WriteStream; size: number }
export type LogFile = { write(line: string): void; close(): void }

/** `write` never throws, and no error of the file becomes an error of the process. */
export function openLogFile(dir: string, name: string, retryMs = RETRY_MS): LogFile {
  const file = join(dir, `${name}.log`)
  let open: Open | null = null
  /** By a clock that nobody sets: after the other one was set back, lines would be dropped for that long. */
  let failedAt = Number.NEGATIVE_INFINITY

  function failed(stream: WriteStream | undefined): void {
    if (open && open.stream !== stream) return
    open = null
    failedAt = performance.now()
  }

  function begin(): void {
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 })
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
      const stream = createWriteStream(file, { flags: 'a', mode: 0o600 })
      stream.on('error', () => failed(stream))
      open = { stream, size }
    } catch {
      failed(undefined)
    }
  }

  function turnOver(full: Open): void {
    full.stream.end()
    open = null
    try {
      renameSync(file, `${file}.1`)
      begin()
    } catch {
      failed(undefined)
    }
  }

  return {
    write: (line) => {
      if (!open && performance.now() - failedAt >= retryMs) begin()
      if (open && open.size > LOG_MAX_BYTES) turnOver(open)
      if (!open || open.stream.writableLength > WAITING_MAX_BYTES) return
      open.size += Buffer.byteLength(line) + 1
      open.stream.write(`${line}\n`)
    },
    close: () => open?.stream.end(),
  }
}
