/** Between a browser's terminal and a shell: bytes both ways, as fast as the slower side takes them. */
import type { ClientChannel } from 'ssh2'
import type { WebSocket } from 'ws'
import { closeCodes } from '#schema/remote/forward-frame'
import { type TerminalAsk, type TerminalSaid, terminalAsk, UNSHOWN_MAX } from '#schema/remote/terminal-frame'
import { openShell, ShellFault } from './open-shell.ts'
import type { Tunnel } from './tunnels.ts'

function readAsk(data: Buffer): TerminalAsk | null {
  try {
    return terminalAsk.safeParse(JSON.parse(String(data))).data ?? null
  } catch {
    return null
  }
}

export function converse(socket: WebSocket, tunnel: Tunnel): void {
  let shell: ClientChannel | null = null
  let opening = false
  let unshown = 0
  const say = (said: TerminalSaid) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(said))
  const ended = () => socket.close(closeCodes.sessionEnded)
  tunnel.once('close', ended)

  const log = async (login: TerminalAsk & { t: 'login' }) => {
    if (opening || shell !== null) return
    opening = true
    try {
      const opened = await openShell(tunnel, login)
      if (socket.readyState !== socket.OPEN) return opened.close()
      shell = opened
      unshown = 0
      say({ t: 'open' })
      const forward = (chunk: Buffer) => {
        socket.send(chunk)
        unshown += chunk.length
        if (unshown > UNSHOWN_MAX) opened.pause()
      }
      opened.on('data', forward)
      opened.stderr.on('data', forward)
      opened.on('close', () => {
        shell = null
        say({ t: 'ended' })
      })
      opened.on('drain', () => socket.resume())
    } catch (error) {
      say({ t: 'refused', why: error instanceof ShellFault ? error.why : 'failed' })
    } finally {
      opening = false
    }
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) {
      // Input that the device does not take: the browser is not read on.
      if (shell !== null && !shell.write(data)) socket.pause()
      return
    }
    const ask = readAsk(data)
    if (ask === null) return socket.close(closeCodes.malformed)
    if (ask.t === 'login') void log(ask)
    else if (ask.t === 'size') shell?.setWindow(ask.rows, ask.columns, 0, 0)
    else {
      unshown = Math.max(0, unshown - ask.bytes)
      if (unshown <= UNSHOWN_MAX / 2) shell?.resume()
    }
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    tunnel.off('close', ended)
    shell?.close()
  })
}
