/** Another user's terminal, read-only. */
import { Unicode11Addon } from '@xterm/addon-unicode11'
import { type ITheme, Terminal } from '@xterm/xterm'
import { getWatchTicket } from '#schema/remote/remote-session'
import type { TerminalSaid } from '#schema/remote/terminal-frame'
import { request } from '../kit/api.ts'
import { TicketSocket } from './ticket-socket.ts'
import { stateAfterClose, stateAfterFault, type WatchState } from './watch-state.ts'

export class WatchLine {
  readonly terminal: Terminal
  readonly #watchers = new Set<() => void>()
  readonly #socket = new TicketSocket()
  #place: HTMLElement | null = null
  /** Whether there was a connection: then what was shown stays. */
  #reached = false
  state: WatchState = 'connecting'
  fault: string | null = null

  constructor(theme: ITheme) {
    this.terminal = new Terminal({
      theme,
      fontSize: 14,
      fontFamily: "'JetBrains Mono', 'Noto Sans Mono CJK SC', Menlo, Consolas, monospace",
      disableStdin: true,
      allowProposedApi: true,
      linkHandler: { activate: () => undefined },
    })
    this.terminal.loadAddon(new Unicode11Addon())
    this.terminal.unicode.activeVersion = '11'
  }

  readonly watch = (watcher: () => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
  readonly read = () => `${this.state} ${this.fault}`

  #be(state: WatchState, fault: string | null = null): void {
    this.state = state
    this.fault = fault
    for (const watcher of this.#watchers) watcher()
  }

  attach(place: HTMLElement): void {
    if (this.#place === place) return
    this.#place = place
    this.terminal.open(place)
  }

  get isShown(): boolean {
    return this.#place?.isConnected === true
  }

  async connect(sessionId: string): Promise<void> {
    this.#be('connecting')
    await this.#socket.open({
      ticket: async () => (await request(getWatchTicket, { sessionId }, new AbortController().signal)).ticket,
      // What was shown until now comes again.
      onMade: () => this.terminal.reset(),
      onOpen: () => {
        this.#reached = true
        this.#be('waiting')
      },
      onMessage: (data) => this.#hear(data),
      onClose: (code) => this.#be(stateAfterClose(code, this.#reached)),
      onFault: (error) => {
        const { state, fault } = stateAfterFault(error, this.#reached)
        this.#be(state, fault)
      },
    })
  }

  #hear(data: ArrayBuffer | string): void {
    if (typeof data !== 'string') {
      this.terminal.write(new Uint8Array(data))
      return
    }
    const said = JSON.parse(data) as TerminalSaid
    if (said.t === 'ended') this.#be('waiting')
    if (said.t !== 'size') return
    const { columns, rows } = said
    this.terminal.write('', () => this.terminal.resize(columns, rows))
    this.#be('live')
  }

  close(): void {
    this.#socket.close()
  }

  dispose(): void {
    this.close()
    this.#watchers.clear()
    this.terminal.dispose()
  }
}
