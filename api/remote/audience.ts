/** Watchers of the terminals of a tunnel. They see the terminal that its user typed in last, and cannot type. */
import type { WebSocket } from 'ws'
import { closeCodes } from '#schema/remote/forward-frame'
import type { TerminalSaid } from '#schema/remote/terminal-frame'
import { Scrollback } from './scrollback.ts'

/** The scrollback sent to a new watcher [bytes]. */
const RECENT_BYTES = 64 * 1024
/** A watcher with this much unsent output is disconnected, so that it cannot slow down the terminal. */
const BEHIND_MAX = 1024 * 1024

export type Watcher = {
  readonly userId: number
  readonly loginId: string | null
  readonly tokenId: number | null
  readonly name: string
}
type Size = { columns: number; rows: number }
export type Stage = {
  output(chunk: Buffer): void
  resize(size: Size): void
  /** Its user works here now: watchers see this shell. */
  front(): void
  /** Says again who watches: to a page that has just come. */
  tell(): void
  end(): void
}

/** Resets a watcher's terminal (RIS): what follows comes from another shell. */
const RESET = '\x1bc'

const say = (socket: WebSocket, said: TerminalSaid) => {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(said))
}

/** One shell, as far as watchers need it. */
class Shown {
  readonly #recent = new Scrollback(RECENT_BYTES)
  size: Size
  readonly onWatchers: (names: string[]) => void

  constructor(size: Size, onWatchers: (names: string[]) => void) {
    this.size = { columns: size.columns, rows: size.rows }
    this.onWatchers = onWatchers
  }

  keep(chunk: Buffer): void {
    this.#recent.keep(chunk)
  }

  begin(socket: WebSocket): void {
    say(socket, { t: 'size', ...this.size })
    if (this.#recent.total > 0 && socket.readyState === socket.OPEN) socket.send(this.#recent.since(0).bytes)
  }
}

export class Audience {
  readonly #watchers = new Map<WebSocket, Watcher>()
  /** All shells; the watched one is the last. */
  readonly #shown = new Set<Shown>()
  /** The output of the last shell stays visible after its end. */
  #front: Shown | null = null

  all(): [WebSocket, Watcher][] {
    return [...this.#watchers]
  }

  #names(): string[] {
    return [...new Set(this.all().map(([, { name }]) => name))]
  }

  #tell(): void {
    const names = this.#names()
    for (const { onWatchers } of this.#shown) onWatchers(names)
  }

  join(socket: WebSocket, watcher: Watcher): void {
    this.#watchers.set(socket, watcher)
    socket.on('close', () => {
      this.#watchers.delete(socket)
      this.#tell()
    })
    this.#front?.begin(socket)
    this.#tell()
  }

  /**
   * Adds a new shell, which is the watched one from now on. @param onWatchers called with the watchers whenever they change
   */
  begin(size: Size, onWatchers: (names: string[]) => void): Stage {
    const shown = new Shown(size, onWatchers)
    this.#show(shown)
    if (this.#watchers.size > 0) this.#tell()
    return {
      output: (chunk) => this.#output(shown, chunk),
      resize: ({ columns, rows }) => {
        shown.size = { columns, rows }
        if (this.#front !== shown) return
        for (const socket of this.#watchers.keys()) say(socket, { t: 'size', ...shown.size })
      },
      front: () => {
        if (this.#front !== shown && this.#shown.has(shown)) this.#show(shown)
      },
      tell: () => this.#watchers.size > 0 && shown.onWatchers(this.#names()),
      end: () => this.#end(shown),
    }
  }

  #show(shown: Shown): void {
    const from = this.#front
    this.#shown.delete(shown)
    this.#shown.add(shown)
    this.#front = shown
    for (const socket of this.#watchers.keys()) {
      if (from && this.#shown.has(from) && socket.readyState === socket.OPEN) socket.send(Buffer.from(RESET))
      shown.begin(socket)
    }
  }

  #end(shown: Shown): void {
    if (!this.#shown.delete(shown) || this.#front !== shown) return
    const next = [...this.#shown].at(-1)
    if (next) {
      for (const socket of this.#watchers.keys())
        if (socket.readyState === socket.OPEN) socket.send(Buffer.from(RESET))
      this.#show(next)
    } else for (const socket of this.#watchers.keys()) say(socket, { t: 'ended' })
  }

  #output(shown: Shown, chunk: Buffer): void {
    shown.keep(chunk)
    if (this.#front !== shown) return
    for (const socket of this.#watchers.keys()) {
      if (socket.readyState !== socket.OPEN) continue
      if (socket.bufferedAmount > BEHIND_MAX) socket.close(closeCodes.tooSlow)
      else socket.send(chunk)
    }
  }
}
