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
const RESTART_MS = [200, 1000, 3000, 10_000]

export type Child = {
  name: string
  /** Rejects if it exits before it is ready (its own message has then been shown), or is not ready in time. */
  ready: Promise<void>
  readonly pid: number | undefined
  /** From now on it may end without being started again. */
  expectEnd(): void
  stop(): Promise<void>
}

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
    ? `${entry.room}: ${entry.msg ?? ''} ${entry.err?.message ?? ''}`.trim()
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
  let child: ChildProcess
  let stopping = false
  let everReady = false
  let failures = 0

  const launch = (): Promise<void> =>
    new Promise((done, fail) => {
      const startedAt = Date.now()
      child = fork(join(root, options.script), options.args ?? [], {
        cwd: root,
        env: options.env,
        execArgv: [
          ...(roomFlags[options.name] ?? []),
          ...(options.watch ? ['--watch', '--watch-preserve-output'] : []),
        ],
        stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
      })
      const late = setTimeout(
        () => fail(new Error(`${options.name} was not ready within ${READY_MAX_MS / 1000} s`)),
        READY_MAX_MS,
      )
      createInterface({ input: child.stderr ?? process.stdin }).on('line', (line) => {
        log.write(line)
        let shown: string | null = line
        try {
          shown = worthShowing(line)
        } catch {
          // Incomplete JSON from a dying process: shown unchanged.
          shown = line
        }
        if (shown && !stopping) process.stderr.write(`${shown}\n`)
      })
      child.on('message', (message) => {
        if (typeof message !== 'object' || !('ready' in message)) return
        clearTimeout(late)
        everReady = true
        done()
      })
      child.once('exit', (code, signal) => {
        clearTimeout(late)
        if (stopping) return
        if (!everReady) return fail(new ChildFailed(options.name))
        failures = Date.now() - startedAt > 60_000 ? 0 : failures + 1
        const pause = RESTART_MS[Math.min(failures, RESTART_MS.length) - 1] ?? RESTART_MS[0]
        process.stderr.write(`${options.name} ended (${signal ?? code}); starting it again\n`)
        setTimeout(() => {
          if (!stopping) launch().catch((error: Error) => process.stderr.write(`${error.message}\n`))
        }, pause)
      })
    })

  return {
    name: options.name,
    ready: launch(),
    get pid() {
      return child.pid
    },
    expectEnd: () => {
      stopping = true
    },
    stop: async () => {
      stopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      const hard = setTimeout(() => child.kill('SIGKILL'), 11_000)
      await ended
      clearTimeout(hard)
    },
  }
}
