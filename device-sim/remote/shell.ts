/** A made-up shell behind a real SSH server: a small `ash` whose commands show the simulated device, never the host. */
import { createHmac } from 'node:crypto'
import type { Duplex } from 'node:stream'
import ssh2, { type ServerChannel } from 'ssh2'
import { hostKeyFile } from '#infra/remote-key'
import { hostName } from '../config/lan.ts'
import type { Part } from '../world.ts'
import { isRoot } from './account.ts'
import { carryOut } from './commands.ts'
import { LineEditor } from './line-editor.ts'
import { type Dialogue, passwd } from './passwd.ts'
import { serveSftp } from './sftp.ts'
import { treeOf } from './tree.ts'

const BANNER = 'BusyBox built-in shell (ash)\r\n\r\n  Simulated device. `help` lists the commands.\r\n\r\n'

/** The host key of this device: always the same. */
const keyOf = ({ sn, world }: Part) =>
  hostKeyFile(createHmac('sha256', `sim ${world.seed}`).update(sn).digest('hex'))

async function write(channel: ServerChannel, lines: Iterable<string>, stop: AbortSignal): Promise<void> {
  let batch = ''
  for (const line of lines) {
    batch += `${line}\r\n`
    if (batch.length < 16_384) continue
    if (stop.aborted || channel.destroyed) return
    const free = channel.write(batch)
    batch = ''
    if (!free)
      await new Promise<void>((done) => {
        const go = () => {
          channel.off('drain', go)
          channel.off('close', go)
          done()
        }
        channel.once('drain', go).once('close', go)
      })
    // Others have their turn, and Ctrl+C is heard.
    else await new Promise((done) => setImmediate(done))
  }
  if (!stop.aborted && !channel.destroyed) channel.write(batch)
}

function talk(part: Part, channel: ServerChannel): void {
  const prompt = () => channel.write(`root@${hostName(part.config.doc)}:~# `)
  let running: AbortController | null = null
  let asking: Dialogue | null = null
  const run = async (line: string) => {
    running = new AbortController()
    await write(channel, carryOut(part, line), running.signal)
    running = null
    if (!channel.destroyed) prompt()
  }
  const editor = new LineEditor((text) => channel.write(text))
  const ask = async (dialogue: Dialogue, answer: string) => {
    const { value, done } = dialogue.next(answer)
    asking = done ? null : dialogue
    editor.echoes = done === true
    if (!done) return void channel.write(value)
    await value.done?.()
    channel.write(`\r\n${value.lines.join('\r\n')}\r\n`)
    prompt()
  }
  const interrupt = () => {
    if (running) return running.abort()
    if (asking) channel.write('\r\n')
    asking = null
    editor.echoes = true
    prompt()
  }
  channel.write(BANNER)
  prompt()
  channel.on('data', (chunk: Buffer) => {
    for (const event of editor.feed(chunk)) {
      if (event.kind === 'interrupt') interrupt()
      else if (event.kind === 'end' || (!asking && /^\s*(exit|logout)\s*$/.test(event.line))) {
        channel.exit(0)
        channel.end()
      } else if (asking) void ask(asking, event.line)
      else if (event.line.trim() === 'passwd') void ask(passwd(part), '')
      else if (event.line.trim() === '') prompt()
      else void run(event.line)
    }
  })
}

export function serveShell(part: Part, stream: Duplex): void {
  const server = new ssh2.Server({ hostKeys: [keyOf(part)], ident: 'dropbear_2022.83' }, (connection) => {
    connection.on('error', () => stream.destroy())
    connection.on('authentication', (auth) => {
      const right = auth.method === 'password' && isRoot(part, auth.username, auth.password)
      if (right) return auth.accept()
      if (auth.method !== 'none')
        part.note('warning', 'dropbear', `bad password attempt for '${auth.username.slice(0, 32)}'`)
      auth.reject(['password'])
    })
    connection.on('ready', () => {
      part.note('notice', 'dropbear', "password auth succeeded for 'root'")
      connection.on('session', (accept) => {
        const session = accept()
        session.on('pty', (yes) => yes?.())
        session.on('window-change', (yes) => yes?.())
        session.on('shell', (yes) => talk(part, yes()))
        session.on('sftp', (yes) => serveSftp(treeOf(part), yes()))
        session.on('exec', (yes, _no, { command }) => {
          const channel = yes()
          void write(channel, carryOut(part, command), new AbortController().signal).then(() => {
            channel.exit(0)
            channel.end()
          })
        })
      })
    })
  })
  server.injectSocket(stream as never)
}
