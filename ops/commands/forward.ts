/** `ops forward`, `ops ssh` and `ops web`: a port of a device, or of a machine in its LAN, on the operator's own machine. */
import { spawn } from 'node:child_process'
import type { Command } from 'commander'
import { getRemoteTicket, openRemote, openRemoteForward, openRemoteLan } from '#schema/remote/remote-session'
import { cliCommand, formatOf } from '../cli-command.ts'
import { ask } from '../client.ts'
import { usage } from '../exit.ts'
import { openLocalPort } from '../forward.ts'
import { note, printOne } from '../print.ts'
import { closeSession, watchSession, whenConnected } from '../remote-session.ts'
import { deviceIds } from '../target.ts'
import { wholeNumber } from '../values.ts'

type Target = { host?: string; port?: number }

function portOf(text: string): number {
  const port = wholeNumber(text)
  return port <= 65_535 ? port : usage(`${text} is no port`)
}

/** `192.168.1.10:502`, or `502` of the device itself. */
function targetOf(text: string): Target & { port: number } {
  const at = text.lastIndexOf(':')
  return at < 0 ? { port: portOf(text) } : { host: text.slice(0, at), port: portOf(text.slice(at + 1)) }
}

const deviceOf = async (sn: string): Promise<number> => (await deviceIds([sn]))[0] ?? 0

/** Resolves with its exit code; null: there is no such program. */
function runHere([program = '', ...args]: readonly string[]): Promise<number | null> {
  // Ctrl-C is for the program, which ends as it likes.
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  return new Promise((done) => {
    const child = spawn(program, args, { stdio: 'inherit' })
    child.once('error', () => done(null))
    child.once('close', (code, signal) => done(code ?? (signal ? 128 : 0)))
  }).finally(() => process.off('SIGINT', ignore)) as Promise<number | null>
}

const interruption = () =>
  new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done())
  })

type Use = { port: number; ends: Promise<unknown> }

/** Opens the port, uses it until that ends or the session does, and closes both. */
async function forward(
  sn: string,
  target: Target & { port: number },
  local: number,
  use: (opened: Use) => Promise<unknown>,
): Promise<void> {
  const deviceId = await deviceOf(sn)
  const here = await openLocalPort(local)
  const stop = new AbortController()
  try {
    const { sessionId } = await ask(openRemoteForward, { deviceId, ...target })
    const ends = interruption()
    try {
      const session = await Promise.race([whenConnected({ sessionId }), ends])
      if (!session) return
      here.lead(sessionId)
      await Promise.race([use({ port: here.port, ends }), watchSession(sessionId, stop.signal)])
    } finally {
      stop.abort()
      await closeSession(sessionId)
    }
  } finally {
    here.close()
  }
}

/** Runs a command with the port, and ends with its exit code. */
async function runWith(command: readonly string[], { port }: Use): Promise<void> {
  const code = await runHere(command.map((part) => part.replaceAll('{port}', String(port))))
  if (code === null) usage(`${command[0]} cannot be started`)
  process.exitCode = code ?? 0
}

export const forwardCommand = cliCommand((program) => {
  program
    .command('forward')
    .description('a TCP port of a device, or of a machine in its LAN, as a port of this machine')
    .argument('<sn>', 'serial number of the device')
    .argument(
      '<target>',
      'address:port in its LAN, such as 192.168.1.10:502; or a port of the device itself',
      targetOf,
    )
    .argument(
      '[command...]',
      'after --: run this, with {port} replaced, and end with it; default: until Ctrl-C',
    )
    .option('--local <port>', 'port of this machine; default: a free one', portOf)
    .action(
      async (
        sn: string,
        target: Target & { port: number },
        command: string[],
        { local }: { local?: number },
      ) => {
        await forward(sn, target, local ?? 0, async (opened) => {
          if (command.length > 0) return runWith(command, opened)
          note(`127.0.0.1:${opened.port} leads to ${target.host ?? sn}:${target.port}; Ctrl-C ends it`)
          return opened.ends
        })
      },
    )
})

export const sshCommand = cliCommand((program) => {
  program
    .command('ssh')
    .description("the system's ssh to a device")
    .argument('<sn>', 'serial number of the device')
    .argument('[args...]', 'after --: arguments of ssh, such as a command')
    .option('--user <name>', 'account of the device', 'root')
    .option('--port <port>', 'of its SSH server', portOf, 22)
    .option('--print', 'print the command instead, and keep the port open until Ctrl-C')
    .action(async (sn: string, args: string[], options: { user: string; port: number; print?: true }) => {
      await forward(sn, { port: options.port }, 0, async (opened) => {
        // Every device is 127.0.0.1 here: its key is kept under its serial number.
        const line = ['ssh', '-p', String(opened.port), '-o', `HostKeyAlias=${sn}`, '-l', options.user]
        const command = [...line, '127.0.0.1', ...args]
        if (!options.print) {
          const code = await runHere(command)
          if (code !== null) {
            process.exitCode = code
            return
          }
          note('there is no ssh here; any other SSH client does:')
        }
        process.stdout.write(`${command.join(' ')}\n`)
        return opened.ends
      })
    })
})

type WebOptions = { lan?: Target & { port: number }; port?: number; https?: true }

async function printWeb(sn: string, { lan, port, https }: WebOptions, command: Command): Promise<void> {
  const body = { deviceId: await deviceOf(sn), scheme: https ? ('https' as const) : ('http' as const) }
  const opened = lan
    ? await ask(openRemoteLan, {
        ...body,
        host: lan.host ?? usage('--lan needs address:port'),
        port: lan.port,
      })
    : await ask(openRemote, { ...body, kind: 'web', port })
  const session = await whenConnected(opened)
  const { url } = await ask(getRemoteTicket, { sessionId: session.sessionId })
  if (formatOf(command) === 'json') printOne('json', { url, expiresAt: session.expiresAt })
  else process.stdout.write(`${url}\n`)
  note(
    `opens once, within 30 s; the session lasts until ${session.expiresAt}, or until nothing happens for long`,
  )
}

export const webCommand = cliCommand((program) => {
  program
    .command('web')
    .description('prints the address under which the web page of a device opens')
    .argument('<sn>', 'serial number of the device')
    .option('--lan <address:port>', 'the page of a machine in its LAN instead', targetOf)
    .option('--port <port>', 'of the device; default: 80 or 443', portOf)
    .option('--https', 'the page is encrypted')
    .action((sn: string, options: WebOptions, command: Command) => printWeb(sn, options, command))
})
