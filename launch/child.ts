/** One room as a child process: started, monitored, restarted when it dies, with its log in a file. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { roomFlags } from '#infra/room-flags'
import { openLogFile } from './log-file.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** A slow machine that does other work too takes more than a minute. */
const READY_MAX_MS = 180_000
/** Pause before the n-th restart; the last one repeats. */
const RESTART_MS = [200, 1000, 3000, 10_000] as const

export type Child = {
  name: string
  /** Rejects if it exits before it is ready (its own message has then been shown), or is not ready in time. */
  ready: Promise<void>
  readonly pid: number | undefined
  /** From now on it may end without being started again. */
  expectEnd(): void
  stop(): Promise<void>
}

/** Errors may quote what devices and users wrote: characters that control the terminal are shown as a mark. */
const inert = (text: string) => text.replace(/[^\P{C}\t]/gu, '\uFFFD')

/** The terminal shows what needs attention: start failures and errors; the rest is in the file. */
function worthShowing(line: string): string | null {
  if (!line.startsWith('{')) return line
  const entry = JSON.parse(line) as {
    level?: number
    room?: string
    msg?: string
    err?: { message?: string }
  }
  return (entry.level ?? 0) >= 50
    ? `${entry.room}: ${entry.msg ?? ''} ${entry.err?.message ?? ''}`.replace(/\s+/g, ' ').trim()
    : null
}

/** A room that never became ready; it has printed the reason itself. */
export class ChildFailed extends Error {
  constructor(name: string) {
    super(`${name} could not start`)
  }
}

type Options = {
  name: string
  script: string
  env: NodeJS.ProcessEnv
  logDir: string
  watch?: boolean
  args?: string[]
}

/** Starts a room. Whoever does must stop it, also if it never gets ready. */
export function startChild(options: Options): Child {
  const log = openLogFile(options.logDir, options.name)
  let child: ChildProcess | undefined
  let stopping = false
  let everReady = false
  let failures = 0

  const again = (pauseMs: number) =>
    setTimeout(() => {
      if (!stopping) launch().catch((error: Error) => process.stderr.write(`${error.message}\n`))
    }, pauseMs)

  const launch = (): Promise<void> =>
    new Promise((done, fail) => {
      const startedAt = Date.now()
      const late = setTimeout(
        () => fail(new Error(`${options.name} was not ready within ${READY_MAX_MS / 1000} s`)),
        READY_MAX_MS,
      )
      const ended = (why: string, error: Error = new ChildFailed(options.name)) => {
        clearTimeout(late)
        if (stopping) return
        if (!everReady) return fail(error)
        failures = Date.now() - startedAt > 60_000 ? 0 : failures + 1
        process.stderr.write(`${options.name} ended (${why}); starting it again\n`)
        again(RESTART_MS[Math.min(failures, RESTART_MS.length) - 1] ?? RESTART_MS[0])
      }
      let made: ChildProcess
      try {
        made = fork(join(root, options.script), options.args ?? [], {
          cwd: root,
          env: options.env,
          execArgv: [
            ...(roomFlags[options.name] ?? []),
            ...(options.watch ? ['--watch', '--watch-preserve-output'] : []),
          ],
          stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
        })
      } catch (error) {
        return ended((error as Error).message, error as Error)
      }
      child = made
      createInterface({ input: made.stderr ?? process.stdin }).on('line', (line) => {
        log.write(line)
        let shown: string | null = line
        try {
          shown = worthShowing(line)
        } catch {
          // Incomplete JSON from a dying process: shown unchanged.
          shown = line
        }
        if (shown && !stopping) process.stderr.write(`${inert(shown)}\n`)
      })
      made.on('message', (message) => {
        if (typeof message !== 'object' || !('ready' in message)) return
        clearTimeout(late)
        everReady = true
        done()
      })
      // A process that could not even be made, because the system has no more of them, never exits.
      made.on('error', (error) => {
        if (made.pid === undefined) ended(error.message, error)
      })
      made.once('exit', (code, signal) => ended(String(signal ?? code)))
    })

  return {
    name: options.name,
    ready: launch(),
    get pid() {
      return child?.pid
    },
    expectEnd: () => {
      stopping = true
    },
    stop: async () => {
      stopping = true
      const last = child
      if (last?.pid === undefined || last.exitCode !== null || last.signalCode !== null) return
      const ended = new Promise((done) => last.once('exit', done))
      last.kill('SIGTERM')
      const hard = setTimeout(() => last.kill('SIGKILL'), 11_000)
      await ended
      clearTimeout(hard)
    },
  }
}
