/**
 * A shell of a device as the api holds it: it outlives the page that shows it, so that a reload, a lost network or a crashed browser
 * finds it again with what it has shown [decisions/156].
 */
import { randomUUID } from 'node:crypto'
import type { ClientChannel } from 'ssh2'
import { SCROLLBACK_BYTES, type TerminalSaid, UNSHOWN_MAX } from '#schema/remote/terminal-frame'
import type { Stage } from './audience.ts'
import { Flow } from './flow.ts'
import type { Recording } from './recordings.ts'
import { Scrollback } from './scrollback.ts'

/** Bytes that wait for the network: more than an honest browser leaves. */
const UNSENT_MAX = 2 * UNSHOWN_MAX

/**
 * Who may join a shell, among the logins of its session's user: a person with any login of theirs, which a crashed browser makes anew; an
 * API token, which may be in other hands, only what it opened itself.
 */
export const ownerOf = ({ tokenId }: { tokenId: number | null }) =>
  tokenId === null ? 'login' : `token ${tokenId}`

/** The page that shows it. */
export type View = {
  say(said: TerminalSaid): void
  send(chunk: Buffer): void
  /** Bytes that its network has not taken. */
  unsent(): number
  /** The device takes input again. */
  resume(): void
  takenOver(): void
}
type Size = { columns: number; rows: number }
type Made = {
  channel: ClientChannel
  recording: Recording | null
  owner: string
  account: string
  /** How long it waits for a page. */
  keepMs: number
}

export class Shell {
  readonly id = randomUUID()
  readonly owner: string
  readonly account: string
  readonly recording: Recording | null
  readonly #channel: ClientChannel
  readonly #flow: Flow
  readonly #keepMs: number
  readonly #scrollback = new Scrollback(SCROLLBACK_BYTES)
  #stage: Stage | null = null
  #view: View | null = null
  #unshown = 0
  /** The position up to which a page was sent everything. */
  #seen = 0
  #late: ReturnType<typeof setTimeout> | undefined
  isOver = false
  /** Why it is no longer recorded. */
  unrecorded: (TerminalSaid & { t: 'unrecorded' }) | null = null

  constructor({ channel, recording, owner, account, keepMs }: Made) {
    this.#channel = channel
    this.#flow = new Flow(channel)
    this.recording = recording
    this.owner = owner
    this.account = account
    this.#keepMs = keepMs
  }

  /** From now on it is read. @param over called once */
  begin(stage: Stage, over: () => void): void {
    this.#stage = stage
    const forward = (chunk: Buffer) => this.#output(chunk)
    this.#channel.on('data', forward)
    this.#channel.stderr.on('data', forward)
    this.#channel.on('drain', () => this.#view?.resume())
    this.#channel.once('close', () => {
      this.#over({ t: 'ended' })
      over()
    })
  }

  get isRecorded(): boolean {
    return this.recording !== null && this.unrecorded === null
  }

  get isShown(): boolean {
    return this.#view !== null
  }

  say(said: TerminalSaid): void {
    this.#view?.say(said)
  }

  /** @param from what the page has of it already, in bytes; the page that showed it until now is notified */
  show(view: View, from: number, size: Size | null): void {
    clearTimeout(this.#late)
    this.#view?.takenOver()
    const { at, bytes } = this.#scrollback.since(from)
    this.#view = view
    view.say({
      t: 'open',
      recorded: this.isRecorded,
      shell: this.id,
      from: at,
      seen: this.#seen,
    })
    if (this.unrecorded) view.say(this.unrecorded)
    this.#stage?.tell()
    if (size) this.resize(size)
    this.#unshown = bytes.length
    this.#seen = this.#scrollback.total
    if (bytes.length > 0) view.send(bytes)
    if (!this.#holdIfFull()) this.#flow.release('browser')
  }

  /** The page is gone: what comes now waits for the next one, as much as it may. */
  leave(view: View): void {
    if (this.#view !== view) return
    this.#view = null
    if (!this.isOver) this.#late = setTimeout(() => this.end(), this.#keepMs)
  }

  /** False: no more until `resume`. */
  type(input: Buffer): boolean {
    this.#stage?.front()
    return this.#channel.write(input)
  }

  resize(size: Size): void {
    this.#channel.setWindow(size.rows, size.columns, 0, 0)
    this.recording?.resize(size)
    this.#stage?.resize(size)
  }

  shown(bytes: number): void {
    this.#unshown = Math.max(0, this.#unshown - bytes)
    const unsent = this.#view?.unsent() ?? 0
    if (this.#unshown <= UNSHOWN_MAX / 2 && unsent <= UNSENT_MAX) this.#flow.release('browser')
  }

  #output(chunk: Buffer): void {
    if (this.isOver) return
    if (this.recording && !this.recording.output(chunk)) {
      this.#flow.hold('recording')
      this.recording.drained(() => this.#flow.release('recording'))
    }
    this.#stage?.output(chunk)
    this.#scrollback.keep(chunk)
    this.#unshown += chunk.length
    if (this.#view) {
      this.#view.send(chunk)
      this.#seen = this.#scrollback.total
    }
    this.#holdIfFull()
  }

  /** Whether no page shows the output: it must not fill memory and a mobile link unseen. */
  #holdIfFull(): boolean {
    // One that says to have shown what it has not even received holds itself back, too.
    const isFull = this.#unshown > UNSHOWN_MAX || (this.#view?.unsent() ?? 0) > UNSENT_MAX
    if (isFull) this.#flow.hold('browser')
    return isFull
  }

  /** At once for its page: what it asks for next must not be lost while the device still closes its side. */
  end(said: TerminalSaid = { t: 'ended' }): void {
    this.#over(said)
    this.#channel.close()
  }

  #over(said: TerminalSaid): void {
    if (this.isOver) return
    this.isOver = true
    clearTimeout(this.#late)
    this.recording?.end()
    this.#stage?.end()
    this.say(said)
    this.#view?.resume()
    this.#view = null
    // A channel closes after its end, which is behind all output: what nobody takes would keep it, and the login, open.
    this.#channel.resume()
  }
}
