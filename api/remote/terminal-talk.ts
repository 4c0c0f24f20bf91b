/** Connects a browser's terminal with a shell: bytes in both directions, with back-pressure. */
import type { ClientChannel } from 'ssh2'
import type { WebSocket } from 'ws'
import { closeCodes } from '#schema/remote/forward-frame'
import { type TerminalAsk, type TerminalSaid, terminalAsk, UNSHOWN_MAX } from '#schema/remote/terminal-frame'
import type { Stage } from './audience.ts'
import { Flow } from './flow.ts'
import { openShell } from './open-shell.ts'
import type { Recording, Recordings } from './recordings.ts'
import { ShellFault } from './shell-fault.ts'
import type { Tunnel, TunnelEnd } from './tunnels.ts'

/** Limit of bytes waiting for the network: more than a well-behaved browser leaves unread. */
const UNSENT_MAX = 2 * UNSHOWN_MAX

type Login = TerminalAsk & { t: 'login' }
type Shell = { channel: ClientChannel; flow: Flow; recording: Recording | null; stage: Stage }

function readAsk(data: Buffer): TerminalAsk | null {
  try {
    return terminalAsk.safeParse(JSON.parse(String(data))).data ?? null
  } catch {
    return null
  }
}

export function converse(socket: WebSocket, tunnel: Tunnel, recordings: Recordings): void {
  let shell: Shell | null = null
  let opening = false
  let unshown = 0
  const say = (said: TerminalSaid) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(said))
  const ended = (how: TunnelEnd) =>
    socket.close(how === 'ended' ? closeCodes.sessionEnded : closeCodes.interrupted)
  tunnel.once('close', ended)

  /** The shell's output is not read before its recording has begun. */
  async function open(login: Login): Promise<void> {
    const channel = await openShell(tunnel, login)
    let over = false
    channel.on('close', () => {
      over = true
    })
    try {
      const { recording, fault } = await recordings.begin(
        tunnel.session,
        { account: login.username, columns: login.columns, rows: login.rows },
        (why, required) => {
          say(required ? { t: 'refused', why } : { t: 'unrecorded', why })
          if (!required) return
          // Immediately: the user's next input must not be lost while the device still closes its side.
          shell = null
          channel.close()
        },
      )
      if (over || socket.readyState !== socket.OPEN) {
        recording?.end()
        throw new ShellFault('failed')
      }
      const flow = new Flow(channel)
      say({ t: 'open', recorded: recording !== null })
      const stage = tunnel.audience.begin(login, (names) => say({ t: 'watchers', names }))
      shell = { channel, flow, recording, stage }
      unshown = 0
      if (fault !== null) say({ t: 'unrecorded', why: fault })
      connect(shell)
    } catch (error) {
      channel.close()
      throw error
    }
  }

  function connect(opened: Shell): void {
    const { channel, flow, recording, stage } = opened
    const forward = (chunk: Buffer) => {
      if (shell !== opened) return
      if (recording && !recording.output(chunk)) {
        flow.hold('recording')
        recording.drained(() => flow.release('recording'))
      }
      stage.output(chunk)
      socket.send(chunk)
      unshown += chunk.length
      // A browser that acknowledges more than it has received only slows itself down.
      if (unshown > UNSHOWN_MAX || socket.bufferedAmount > UNSENT_MAX) flow.hold('browser')
    }
    channel.on('data', forward)
    channel.stderr.on('data', forward)
    channel.on('drain', () => socket.resume())
    channel.on('close', () => {
      recording?.end()
      stage.end()
      if (shell !== opened) return
      shell = null
      say({ t: 'ended' })
    })
  }

  async function log(login: Login): Promise<void> {
    if (opening || shell !== null) return
    opening = true
    try {
      await open(login)
    } catch (error) {
      say({ t: 'refused', why: error instanceof ShellFault ? error.why : 'failed' })
    } finally {
      opening = false
    }
  }

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    if (isBinary) {
      shell?.stage.front()
      // The device does not accept more input: reading from the browser is paused.
      if (shell !== null && !shell.channel.write(data)) socket.pause()
      return
    }
    const ask = readAsk(data)
    if (ask === null) return socket.close(closeCodes.malformed)
    if (ask.t === 'login') void log(ask)
    else if (ask.t === 'size') {
      shell?.channel.setWindow(ask.rows, ask.columns, 0, 0)
      shell?.recording?.resize(ask)
      shell?.stage.resize(ask)
    } else {
      unshown = Math.max(0, unshown - ask.bytes)
      if (unshown <= UNSHOWN_MAX / 2 && socket.bufferedAmount <= UNSENT_MAX) shell?.flow.release('browser')
    }
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    tunnel.off('close', ended)
    shell?.recording?.end()
    shell?.stage.end()
    shell?.channel.close()
  })
}
