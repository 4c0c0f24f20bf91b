/** The recordings that this process writes, and their rows. */
import { randomUUID } from 'node:crypto'
import type { Context } from '#infra/context'
import type { RecordingPolicy } from '#schema/remote/recording-policy'
import type { RecordingFault } from '#schema/remote/terminal-frame'
import { type Allowance, openRecordingFile, RecordingFile } from './recording-file.ts'
import { ShellFault } from './shell-fault.ts'
import type { TunnelSession } from './tunnel-session.ts'

const MB = 1024 * 1024
/** How often the file size in the row is updated. */
const TELL_MS = 2_000

type Of = { account: string; columns: number; rows: number }
export type Recording = {
  output(chunk: Buffer): boolean
  resize(size: { columns: number; rows: number }): void
  drained(go: () => void): void
  end(): void
}
/** `fault`: the terminal may open without it. */
type Begun = { recording: Recording | null; fault: RecordingFault | null; required: boolean }

const stateOf = { notRecorded: 'failed', recordingFull: 'full' } as const

export class Recordings {
  readonly #context: Context
  readonly #work = new Set<Promise<unknown>>()
  /** Remaining bytes by tunnel, because the sizes in the rows lag behind. */
  readonly #allowances = new WeakMap<TunnelSession, Allowance>()

  constructor(context: Context) {
    this.#context = context
  }

  #do(work: Promise<unknown>): void {
    const one = work
      .catch((error: unknown) => this.#context.log.warn({ err: error }, 'a recording was not written down'))
      .finally(() => this.#work.delete(one))
    this.#work.add(one)
  }

  async #allowance(session: TunnelSession) {
    const [row] = await this.#context.sql<{ policy: RecordingPolicy; used: number }[]>`
      select c.terminal_recording as policy,
        coalesce((select sum(size_bytes) from terminal_recordings where session_id = ${session.id}), 0)::float8 as used
      from customers c where c.id = ${session.customerId}`
    const most = (await this.#context.parameters.get('recordingMaxMb')) * MB
    const allowance = this.#allowances.get(session) ?? { leftBytes: most - (row?.used ?? 0) }
    this.#allowances.set(session, allowance)
    return { policy: row?.policy ?? 'required', allowance }
  }

  /**
   * Begins to record a shell, according to its customer's policy.
   * @param stopped called if recording fails later; `required`: the shell must be closed
   * @throws ShellFault if it must be recorded and cannot be
   */
  async begin(
    session: TunnelSession,
    of: Of,
    stopped: (why: RecordingFault, required: boolean) => void,
  ): Promise<Begun> {
    const { policy, allowance } = await this.#allowance(session)
    const required = policy === 'required'
    if (policy === 'off') return { recording: null, fault: null, required }
    const without = (fault: RecordingFault): Begun => {
      if (required) throw new ShellFault(fault)
      return { recording: null, fault, required }
    }
    if (allowance.leftBytes < MB / 16) return without('recordingFull')
    try {
      const recording = await this.#open(session, of, allowance, (why) => stopped(why, required))
      return { recording, fault: null, required }
    } catch (error) {
      this.#context.log.error({ err: error, session: session.id }, 'a terminal cannot be recorded')
      return without('notRecorded')
    }
  }

  async #open(
    session: TunnelSession,
    { account, columns, rows }: Of,
    allowance: Allowance,
    stopped: (why: RecordingFault) => void,
  ): Promise<Recording> {
    const { sql, files, now } = this.#context
    const id = randomUUID()
    const at = now()
    const opened = await openRecordingFile(files, { columns, rows, at, title: session.sn })
    const file = new RecordingFile(opened, allowance, (why) => {
      this.#do(this.#end(id, file))
      stopped(why)
    })
    try {
      await sql`
        insert into terminal_recordings (id, session_id, device_id, customer_id, user_id, account, started_at, size_bytes, file_key)
        values (${id}, ${session.id}, ${session.deviceId}, ${session.customerId}, ${session.userId}, ${account}, ${at},
          ${file.sizeBytes}, ${opened.key})`
    } catch (error) {
      await file.end()
      await files.remove(opened.key)
      throw error
    }
    let ended = false
    let told: ReturnType<typeof setTimeout> | undefined
    const tell = () => {
      told = undefined
      if (!ended)
        this.#do(sql`update terminal_recordings set size_bytes = ${file.sizeBytes}, duration_ms = ${file.durationMs}
          where id = ${id} and ended_at is null`)
    }
    return {
      output: (chunk) => {
        const free = file.output(chunk)
        // Also of the last output before a silence: nothing would tell of it if the process died in it.
        told ??= setTimeout(tell, TELL_MS)
        return free
      },
      resize: (size) => file.resize(size),
      drained: (go) => file.drained(go),
      end: () => {
        if (ended) return
        ended = true
        clearTimeout(told)
        if (file.fault === null) this.#do(this.#end(id, file))
      },
    }
  }

  async #end(id: string, file: RecordingFile): Promise<void> {
    await file.end()
    const { sql, now } = this.#context
    const state = file.fault === null ? 'ended' : stateOf[file.fault]
    await sql`
      update terminal_recordings set state = ${state}, ended_at = ${now()}, size_bytes = ${file.sizeBytes},
        duration_ms = ${file.durationMs} where id = ${id} and ended_at is null`
  }

  /** Resolves when everything is stored. */
  async close(): Promise<void> {
    await Promise.all(this.#work)
  }
}
