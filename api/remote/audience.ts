/** Who watches the terminal of a tunnel. They see what its newest shell shows, from a little while ago on; they type nothing. */
import type { WebSocket } from 'ws'
import { closeCodes } from '#schema/remote/forward-frame'
import type { TerminalSaid } from '#schema/remote/terminal-frame'

/** What a watcher is shown at first: the last that was written. */
const RECENT_BYTES = 64 * 1024
/** A watcher who does not take so much is disconnected: nobody's terminal waits for them. */
const BEHIND_MAX = 1024 * 1024

export type Watcher = {
  readonly userId: number
  readonly loginId: string | null
  readonly tokenId: number | null
  readonly name: string
}
type Size = { columns: number; rows: number }
export type Stage = { output(chunk: Buffer): void; resize(size: Size): void; end(): void }

const say = (socket: WebSocket, said: TerminalSaid) => {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(said))
}

export class Audience {
  readonly #watchers = new Map<WebSocket, Watcher>()
  #recent: Buffer[] = []
  #recentBytes = 0
  #size: Size | null = null
  #stage: Stage | null = null
  #told: (names: string[]) => void = () => undefined

  all(): [WebSocket, Watcher][] {
    return [...this.#watchers]
  }

  #tell(): void {
    this.#told([...new Set(this.all().map(([, { name }]) => name))])
  }

  join(socket: WebSocket, watcher: Watcher): void {
    this.#watchers.set(socket, watcher)
    socket.on('close', () => {
      this.#watchers.delete(socket)
      this.#tell()
    })
    if (this.#size) say(socket, { t: 'size', ...this.#size })
    if (this.#recentBytes > 0) socket.send(Buffer.concat(this.#recent))
    this.#tell()
  }

  /** A new shell: from now on it is the one that is watched. @param told who watches, whenever that changes */
  begin(size: Size, told: (names: string[]) => void): Stage {
    const stage: Stage = {
      output: (chunk) => this.#stage === stage && this.#output(chunk),
      resize: (changed) => this.#stage === stage && this.#resize(changed),
      end: () => {
        if (this.#stage !== stage) return
        this.#stage = null
        this.#told = () => undefined
        for (const socket of this.#watchers.keys()) say(socket, { t: 'ended' })
      },
    }
    this.#stage = stage
    this.#recent = []
    this.#recentBytes = 0
    this.#told = told
    this.#resize(size)
    if (this.#watchers.size > 0) this.#tell()
    return stage
  }

  #resize(size: Size): void {
    this.#size = { columns: size.columns, rows: size.rows }
    for (const socket of this.#watchers.keys()) say(socket, { t: 'size', ...this.#size })
  }

  #output(chunk: Buffer): void {
    this.#recent.push(chunk)
    this.#recentBytes += chunk.length
    for (let first = this.#recent[0]; first && this.#recentBytes - first.length > RECENT_BYTES; ) {
      this.#recent.shift()
      this.#recentBytes -= first.length
      first = this.#recent[0]
    }
    for (const socket of this.#watchers.keys()) {
      if (socket.readyState !== socket.OPEN) continue
      if (socket.bufferedAmount > BEHIND_MAX) socket.close(closeCodes.tooSlow)
      else socket.send(chunk)
    }
  }
}
