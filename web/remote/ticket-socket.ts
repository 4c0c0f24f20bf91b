/**
 * A WebSocket that is opened with a ticket. The ticket takes a moment: who leaves the page meanwhile must not be left with a
 * connection that nobody sees and nobody ends, and of two attempts only the last one may speak.
 */
import { TERMINAL_PATH, TERMINAL_PROTOCOL } from '#schema/remote/terminal-frame'

type Handlers = {
  /** @throws ApiError */
  ticket: () => Promise<string>
  /** The socket is made, but not open yet. */
  onMade?: () => void
  onOpen: () => void
  onMessage: (data: ArrayBuffer | string) => void
  /** It ended by itself. */
  onClose: (code: number) => void
  /** There was no ticket. */
  onFault: (error: unknown) => void
}

export class TicketSocket {
  #socket: WebSocket | null = null
  /** Of the last attempt. */
  #turn = 0

  async open({ ticket, onMade, onOpen, onMessage, onClose, onFault }: Handlers): Promise<void> {
    this.close()
    const turn = this.#turn
    const isLast = () => turn === this.#turn
    let held: string
    try {
      held = await ticket()
    } catch (error) {
      if (isLast()) onFault(error)
      return
    }
    if (!isLast()) return
    const address = location.origin.replace(/^http/, 'ws') + TERMINAL_PATH
    const socket = new WebSocket(address, [TERMINAL_PROTOCOL, held])
    socket.binaryType = 'arraybuffer'
    this.#socket = socket
    onMade?.()
    socket.onopen = () => isLast() && onOpen()
    socket.onmessage = ({ data }) => isLast() && onMessage(data as ArrayBuffer | string)
    socket.onclose = ({ code }) => {
      if (!isLast()) return
      this.#socket = null
      onClose(code)
    }
  }

  get isOpen(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    if (this.isOpen) this.#socket?.send(data)
  }

  /** Nothing is heard of it any more, nor of an attempt that still waits for its ticket. */
  close(): void {
    this.#turn += 1
    this.#socket?.close()
    this.#socket = null
  }
}
