/** The WebSocket of a terminal, and the xterm behind it: both outlive a page that is only hidden. */
import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { type ITheme, Terminal } from '@xterm/xterm'
import { closeCodes } from '#schema/remote/forward-frame'
import { remoteRefusals } from '#schema/remote/remote-refusals'
import { getRemoteTicket } from '#schema/remote/remote-session'
import type { RecordingFault, TerminalAsk, TerminalFault, TerminalSaid } from '#schema/remote/terminal-frame'
import { ApiError, request } from '../kit/api.ts'
import { TicketSocket } from './ticket-socket.ts'

/**
 * `away`: the connection broke, and is made again as soon as the device is there; `elsewhere`: another window has joined the shell;
 * `over`: the session has ended.
 */
export type LineState = 'closed' | 'connecting' | 'login' | 'opening' | 'open' | 'away' | 'elsewhere' | 'over'

const AGAIN_MS = 1_000
/** Larger input is sent in parts that the server takes. */
const FRAME_BYTES = 16_384
const SCROLLBACK = 5_000
export const FONT_SIZE = 14
const TITLE_MAX = 60

export class TerminalLine {
  readonly terminal: Terminal
  readonly search = new SearchAddon()
  readonly #fit = new FitAddon()
  readonly #watchers = new Set<() => void>()
  readonly #socket = new TicketSocket()
  #place: HTMLElement | null = null
  #session: string | null = null
  #again: ReturnType<typeof setTimeout> | undefined
  /** The shell that it shows, or joins. */
  #shell: string | null
  /** What it has of it, in bytes. */
  #received = 0
  /** Until there it repeats what a page has shown before: questions of the device in it are answered already. */
  #repeatedTo = 0
  #drawn = 0
  state: LineState = 'closed'
  fault: TerminalFault | null = null
  recorded = false
  /** Why it is not recorded although it should be. */
  unrecorded: RecordingFault | null = null
  /** The title set by the device, used for the tab only: untrusted text. */
  title = ''
  /** That logged in last. */
  account: string | null = null
  /** Whether it takes the keyboard when its shell opens. */
  isFront = true
  /** Who watches. */
  watchedBy: readonly string[] = []

  /** @param shell to join; null: it begins with a login */
  constructor(theme: ITheme, confirmLink: (url: string) => void, shell: string | null = null) {
    this.#shell = shell
    this.terminal = new Terminal({
      theme,
      fontSize: FONT_SIZE,
      fontFamily: "'JetBrains Mono', 'Noto Sans Mono CJK SC', Menlo, Consolas, monospace",
      scrollback: SCROLLBACK,
      allowProposedApi: true,
      // Links in escape sequences hide where they lead, like those in text: both ask first.
      linkHandler: { activate: (_event, url) => confirmLink(url) },
    })
    this.terminal.loadAddon(this.#fit)
    this.terminal.loadAddon(this.search)
    this.terminal.loadAddon(new Unicode11Addon())
    this.terminal.loadAddon(new WebLinksAddon((_event, url) => confirmLink(url)))
    this.terminal.unicode.activeVersion = '11'
    this.terminal.onData((text) => this.#isRepeating || this.#send(new TextEncoder().encode(text)))
    this.terminal.onBinary((text) => this.#send(Uint8Array.from(text, (char) => char.charCodeAt(0))))
    this.terminal.onTitleChange((title) => {
      // Without characters that are not seen, or that turn the direction of others.
      this.title = title.replace(/\p{C}/gu, '').slice(0, TITLE_MAX)
      this.#be(this.state, this.fault)
    })
    this.terminal.attachCustomKeyEventHandler((event) => this.#copies(event))
    this.terminal.onResize(({ cols, rows }) => this.#ask({ t: 'size', columns: cols, rows }))
  }

  readonly watch = (watcher: () => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
  readonly read = () =>
    `${this.state} ${this.fault} ${this.recorded} ${this.unrecorded} ${this.title} ${this.watchedBy}`

  /** Whether it joins a shell, without a login. */
  get isJoining(): boolean {
    return this.#shell !== null && ['closed', 'connecting', 'opening'].includes(this.state)
  }

  get #isRepeating(): boolean {
    return this.#drawn < this.#repeatedTo
  }

  #be(state: LineState, fault: TerminalFault | null = null): void {
    this.state = state
    this.fault = fault
    for (const watcher of this.#watchers) watcher()
  }

  /**
   * With a selection Ctrl+C copies instead of interrupting, and Ctrl+Shift+C, which opens the tools of some browsers, does as in other
   * terminals. False: the key is not the shell's.
   */
  #copies(event: KeyboardEvent): boolean {
    const { type, code, ctrlKey, shiftKey, altKey, metaKey } = event
    const isCopy = type === 'keydown' && code === 'KeyC' && ctrlKey && !altKey && !metaKey
    if (!isCopy || !this.terminal.hasSelection()) return true
    // On an insecure origin only the browser's own Ctrl+C reaches the clipboard.
    if (navigator.clipboard) {
      event.preventDefault()
      void navigator.clipboard.writeText(this.terminal.getSelection()).catch(() => undefined)
      this.terminal.clearSelection()
    } else if (shiftKey) event.preventDefault()
    return false
  }

  /** Shown in this element; again without effect. */
  attach(place: HTMLElement): void {
    if (this.#place === place) return
    this.#place = place
    this.terminal.open(place)
    this.fit()
  }

  fit(): void {
    if (this.#place?.isConnected && this.#place.clientWidth > 0) this.#fit.fit()
  }

  /** A page that is shown again keeps its connection. */
  follow(sessionId: string): void {
    if (this.#session === sessionId) return
    this.#session = sessionId
    void this.connect(sessionId)
  }

  async connect(sessionId: string): Promise<void> {
    clearTimeout(this.#again)
    if (this.state !== 'away') this.#be('connecting')
    await this.#socket.open({
      ticket: async () =>
        (await request(getRemoteTicket, { sessionId }, new AbortController().signal)).ticket,
      onOpen: () => this.#begin(),
      onMessage: (data) => this.#hear(data),
      onClose: (code) => {
        if (code === closeCodes.sessionEnded) this.#be('over')
        else if (code === closeCodes.takenOver) this.#be('elsewhere')
        else this.#retry(sessionId)
      },
      onFault: (error) => {
        if (error instanceof ApiError && error.code === remoteRefusals.remoteEnded.code) this.#be('over')
        else this.#retry(sessionId)
      },
    })
  }

  /** Goes on with its shell, if it is still there. */
  #begin(): void {
    const { cols, rows } = this.terminal
    this.#be(this.#shell === null ? 'login' : 'opening')
    if (this.#shell !== null)
      this.#ask({ t: 'join', shell: this.#shell, from: this.#received, columns: cols, rows })
  }

  /** What was shown stays. The shell does, too, unless the tunnel broke: then the device has closed it. */
  #retry(sessionId: string): void {
    this.#be('away')
    clearTimeout(this.#again)
    this.#again = setTimeout(() => {
      if (this.state === 'away' && this.#session === sessionId) void this.connect(sessionId)
    }, AGAIN_MS)
  }

  login(username: string, password: string): void {
    const { cols, rows } = this.terminal
    this.account = username
    this.title = ''
    this.#be('opening')
    this.#ask({ t: 'login', username, password, columns: cols, rows })
  }

  /** As if it were typed, a line break as the Enter key. */
  type(text: string): void {
    this.#send(new TextEncoder().encode(text.replaceAll('\n', '\r')))
  }

  #hear(data: ArrayBuffer | string): void {
    if (typeof data !== 'string') {
      const bytes = data.byteLength
      this.#received += bytes
      // Acknowledged when it is drawn, so that no more output is sent than can be shown.
      this.terminal.write(new Uint8Array(data), () => {
        this.#drawn += bytes
        if (bytes > 0) this.#ask({ t: 'shown', bytes })
      })
      return
    }
    const said = JSON.parse(data) as TerminalSaid
    if (said.t === 'open') this.#join(said)
    this.#note(said)
    if (said.t === 'unrecorded' || said.t === 'watchers') this.#be(this.state, this.fault)
    else if (said.t === 'refused') this.#be('login', said.why === 'gone' ? null : said.why)
    // The end of a shell must not hide why it was ended.
    else if (said.t === 'ended' && this.state === 'open') this.#be('login')
    if (said.t !== 'open') return
    this.#be('open')
    this.fit()
    if (this.isFront) this.terminal.focus()
  }

  #join({ shell, from, seen }: TerminalSaid & { t: 'open' }): void {
    // A new shell writes below the former one; one that is joined comes with what it has shown.
    if (shell === this.#shell && from !== this.#received) this.terminal.reset()
    this.#shell = shell
    this.#received = from
    this.#drawn = from
    this.#repeatedTo = seen
  }

  #note(said: TerminalSaid): void {
    if (said.t === 'watchers') {
      this.watchedBy = said.names
      return
    }
    if (said.t === 'ended' || said.t === 'refused') {
      this.#shell = null
      this.#received = 0
    }
    this.watchedBy = said.t === 'unrecorded' ? this.watchedBy : []
    if (said.t === 'open') this.unrecorded = null
    this.recorded = said.t === 'open' && said.recorded
    if (said.t === 'unrecorded') this.unrecorded = said.why
  }

  #ask(ask: TerminalAsk): void {
    this.#socket.send(JSON.stringify(ask))
  }

  #send(input: Uint8Array<ArrayBuffer>): void {
    if (!this.#socket.isOpen || this.state !== 'open') return
    for (let at = 0; at < input.length; at += FRAME_BYTES)
      this.#socket.send(input.subarray(at, at + FRAME_BYTES))
  }

  /** Closed by its user; the shells of a page that is left can be joined later. */
  end(): void {
    this.#ask({ t: 'end' })
  }

  dispose(): void {
    clearTimeout(this.#again)
    this.#session = null
    this.#socket.close()
    this.#watchers.clear()
    this.terminal.dispose()
  }
}
