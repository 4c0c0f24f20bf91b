/**
 * Where log lines go: written in the background, and never a reason why a process cannot go on or cannot end. A reader
 * that is gone, a full disk or a slow one loses lines.
 */
import { write, writeSync } from 'node:fs'

/** What waits for a slow reader; lines beyond it are dropped. */
const WAITING_MAX = 4 * 1024 * 1024
/** Pause after a reader that takes nothing just now. */
const BUSY_MS = 100
/** After a failure, such as a full disk, lines are dropped for this time. */
const FAILED_MS = 5_000
/** How often a busy reader is tried again when the process ends. */
const LAST_TRIES = 10

export type LogStream = {
  write(line: string): void
  /** Writes what waits, as far as it is taken, before the process ends. */
  flushSync(): void
}

const isBusy = (error: unknown) =>
  ['EAGAIN', 'EBUSY', 'EINTR'].includes((error as NodeJS.ErrnoException).code ?? '')

export function openLogStream(fd: number, failedMs = FAILED_MS): LogStream {
  let waiting: string[] = []
  let size = 0
  /** What is left of the lines that are being written. */
  let begun: Buffer | null = null
  /** Whether a write is under way in the background. */
  let writing = false
  /** By a clock that nobody sets: after the other one was set back, lines would be dropped for that long. */
  let dropsUntil = 0

  function fail(): void {
    begun = null
    waiting = []
    size = 0
    dropsUntil = performance.now() + failedMs
  }

  function take(): Buffer | null {
    if (waiting.length === 0) return null
    const next = Buffer.from(waiting.join(''))
    waiting = []
    size = 0
    return next
  }

  function go(): void {
    begun ??= take()
    if (begun === null || writing) return
    const chunk = begun
    writing = true
    write(fd, chunk, (error, bytes) => {
      writing = false
      if (error && !isBusy(error)) return fail()
      if (error) return void setTimeout(go, BUSY_MS).unref()
      begun = bytes < chunk.length ? chunk.subarray(bytes) : null
      go()
    })
  }

  return {
    write: (line) => {
      if (size + line.length > WAITING_MAX || performance.now() < dropsUntil) return
      waiting.push(line)
      size += line.length
      if (begun === null) go()
    },
    flushSync: () => {
      let tries = 0
      // What is under way in the background is finished there.
      for (let rest = writing ? take() : (begun ?? take()); rest !== null; ) {
        try {
          rest = rest.subarray(writeSync(fd, rest))
          if (rest.length === 0) rest = take()
        } catch (error) {
          if (!isBusy(error) || ++tries > LAST_TRIES) return fail()
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS)
        }
      }
      if (!writing) begun = null
    },
  }
}
