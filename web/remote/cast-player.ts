/** Replays a recording on an xterm of its own: to any moment, at any speed. */
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { type ITheme, Terminal } from '@xterm/xterm'
import type { Cast } from './cast.ts'
import { CastFeed } from './cast-feed.ts'

const TICK_MS = 40
/** Maximum length of a pause when pauses are skipped. */
const PAUSE_S = 1
const SCROLLBACK = 5_000

export class CastPlayer {
  readonly terminal: Terminal
  readonly cast: Cast
  readonly #watchers = new Set<() => void>()
  #timer: ReturnType<typeof setInterval> | undefined
  #place: HTMLElement | null = null
  readonly #feed: CastFeed
  positionS = 0
  speed = 1
  skipsPauses = true

  constructor(cast: Cast, theme: ITheme) {
    this.cast = cast
    this.terminal = new Terminal({
      theme,
      fontSize: 14,
      fontFamily: "'JetBrains Mono', 'Noto Sans Mono CJK SC', Menlo, Consolas, monospace",
      cols: cast.columns,
      rows: cast.rows,
      scrollback: SCROLLBACK,
      disableStdin: true,
      allowProposedApi: true,
      // What a device made clickable leads nowhere in a replay.
      linkHandler: { activate: () => undefined },
    })
    this.terminal.loadAddon(new Unicode11Addon())
    this.terminal.unicode.activeVersion = '11'
    this.#feed = new CastFeed(cast, this.terminal)
  }

  readonly watch = (watcher: () => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
  readonly read = () => `${this.isPlaying} ${this.positionS.toFixed(2)} ${this.speed} ${this.skipsPauses}`

  get isPlaying(): boolean {
    return this.#timer !== undefined
  }

  #tell(): void {
    for (const watcher of this.#watchers) watcher()
  }

  /** false: it is there already. */
  attach(place: HTMLElement): boolean {
    if (this.#place === place) return false
    this.#place = place
    this.terminal.open(place)
    return true
  }

  get isShown(): boolean {
    return this.#place?.isConnected === true
  }

  #showTo(positionS: number): void {
    this.positionS = positionS
    this.#feed.showTo(positionS)
  }

  seek(positionS: number): void {
    this.#showTo(Math.min(Math.max(0, positionS), this.cast.lengthS))
    this.#tell()
  }

  play(): void {
    if (this.isPlaying) return
    if (this.positionS >= this.cast.lengthS) this.seek(0)
    let lastMs = performance.now()
    this.#timer = setInterval(() => {
      const nowMs = performance.now()
      const passedS = ((nowMs - lastMs) / 1000) * this.speed
      lastMs = nowMs
      const next = this.#feed.nextS
      const jumps = this.skipsPauses && next !== null && next - this.positionS > PAUSE_S * this.speed
      this.#showTo(Math.min(this.cast.lengthS, jumps ? next : this.positionS + passedS))
      if (this.positionS >= this.cast.lengthS) this.pause()
      this.#tell()
    }, TICK_MS)
    this.#tell()
  }

  pause(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#tell()
  }

  set(how: Partial<Pick<CastPlayer, 'speed' | 'skipsPauses'>>): void {
    Object.assign(this, how)
    this.#tell()
  }

  dispose(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#watchers.clear()
    this.#feed.end()
    this.terminal.dispose()
  }
}
