/** Between a browser's terminal and a shell: bytes both ways, as fast as the slower side takes them. */
import type { ClientChannel } from 'ssh2'
import type { WebSocket } from 'ws'
import { closeCodes } from '#schema/remote/forward-frame'
import {
  type RecordingFault,
  SHELLS_MAX,
  type TerminalAsk,
  type TerminalSaid,
  terminalAsk,
} from '#schema/remote/terminal-frame'
import { openShell } from './open-shell.ts'
import type { Recordings } from './recordings.ts'
import { ownerOf, Shell, type View } from './shell.ts'
import { ShellFault } from './shell-fault.ts'
import type { Who } from './ticket.ts'
import type { Tunnel, TunnelEnd } from './tunnels.ts'

/** Whose WebSocket it is, and how long their shells wait for a page. */
export type Opener = { readonly login: Who; readonly keepMs: number }

type Ask<T extends TerminalAsk['t']> = TerminalAsk & { t: T }

function readAsk(data: Buffer): TerminalAsk | null {
  try {
    return terminalAsk.safeParse(JSON.parse(String(data))).data ?? null
  } catch {
    return null
  }
}

/** Of which nothing has been read: it closes after its end, which is behind what the device has said already. */
const leave = (channel: ClientChannel) => {
  channel.close()
  channel.resume()
}

/** Logs in to the device. Nothing that the shell says is read before its recording has begun. */
async function startShell(
  tunnel: Tunnel,
  login: Ask<'login'>,
  { login: who, keepMs }: Opener,
  records: Recordings,
) {
  const channel = await openShell(tunnel, login)
  let isClosed = false
  channel.on('close', () => {
    isClosed = true
  })
  let shell: Shell | null = null
  /** Why its recording has failed before there was a shell to say so. */
  let early: RecordingFault | null = null
  try {
    const { recording, fault } = await records.begin(
      tunnel.session,
      { account: login.username, columns: login.columns, rows: login.rows },
      (why, required) => {
        if (required) return shell ? shell.end({ t: 'refused', why }) : leave(channel)
        if (!shell) {
          early = why
          return
        }
        shell.unrecorded = { t: 'unrecorded', why }
        shell.say(shell.unrecorded)
      },
    )
    if (isClosed || tunnel.closed) {
      recording?.end()
      throw new ShellFault('failed')
    }
    const made = new Shell({ channel, recording, owner: ownerOf(who), account: login.username, keepMs })
    shell = made
    const why = fault ?? early
    if (why !== null) made.unrecorded = { t: 'unrecorded', why }
    const end = () => made.end()
    tunnel.shells.set(made.id, made)
    tunnel.once('close', end)
    made.begin(
      tunnel.audience.begin(login, (names) => made.say({ t: 'watchers', names })),
      () => {
        tunnel.shells.delete(made.id)
        tunnel.off('close', end)
      },
    )
    return made
  } catch (error) {
    leave(channel)
    throw error
  }
}

export function converse(socket: WebSocket, tunnel: Tunnel, opener: Opener, recordings: Recordings): void {
  let shell: Shell | null = null
  let opening = false
  const say = (said: TerminalSaid) => {
    if (said.t === 'ended' || said.t === 'refused') shell = null
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(said))
  }
  const view: View = {
    say,
    send: (chunk) => socket.send(chunk),
    unsent: () => socket.bufferedAmount,
    resume: () => socket.resume(),
    takenOver: () => {
      shell = null
      socket.close(closeCodes.takenOver)
      // Of a page that is not read, because the device takes no input, the answer to the close would not be read either.
      socket.resume()
    },
  }
  const ended = (how: TunnelEnd) =>
    socket.close(how === 'ended' ? closeCodes.sessionEnded : closeCodes.interrupted)
  tunnel.once('close', ended)
  tunnel.pages.set(socket, opener.login)

  function show(found: Shell, from: number, size: { columns: number; rows: number } | null): void {
    shell = found
    found.show(view, from, size)
  }

  async function log(login: Ask<'login'>): Promise<void> {
    if (opening || shell !== null) return
    opening = true
    try {
      if (tunnel.shells.size >= SHELLS_MAX) throw new ShellFault('most')
      const made = await startShell(tunnel, login, opener, recordings)
      if (socket.readyState === socket.OPEN) show(made, 0, null)
      // Nobody has seen that it is there.
      else made.end()
    } catch (error) {
      say({ t: 'refused', why: error instanceof ShellFault ? error.why : 'failed' })
    } finally {
      opening = false
    }
  }

  function join({ shell: id, from, columns, rows }: Ask<'join'>): void {
    if (opening || shell !== null) return
    const found = tunnel.shells.get(id)
    if (found && !found.isOver && found.owner === ownerOf(opener.login)) show(found, from, { columns, rows })
    else say({ t: 'refused', why: 'gone' })
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) {
      // Input that the device does not take: the browser is not read on.
      if (shell !== null && !shell.type(data)) socket.pause()
      return
    }
    const ask = readAsk(data)
    if (ask === null) return socket.close(closeCodes.malformed)
    if (ask.t === 'login') void log(ask)
    else if (ask.t === 'join') join(ask)
    else if (ask.t === 'end') shell?.end()
    else if (ask.t === 'size') shell?.resize(ask)
    else shell?.shown(ask.bytes)
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    tunnel.off('close', ended)
    tunnel.pages.delete(socket)
    shell?.leave(view)
  })
}
