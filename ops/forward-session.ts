/** A port of a device, or of a machine in its LAN, on the operator's own machine: what `ops forward`, `ssh` and `web` share. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { openRemoteForward } from '#schema/remote/remote-session'
import { ask } from './client.ts'
import { Exit, exitCodes, usage } from './exit.ts'
import { openLocalPort } from './forward.ts'
import { closeSession, watchSession, whenConnected } from './remote-session.ts'
import { oneDevice } from './target.ts'

export type Target = { host?: string; port?: number }

export function portOf(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : usage(`"${text}" is no port (1 to 65535)`)
}

/** `192.168.1.10:502`, or `502` of the device itself. */
export function targetOf(text: string): Target & { port: number } {
  const at = text.lastIndexOf(':')
  return at < 0 ? { port: portOf(text) } : { host: text.slice(0, at), port: portOf(text.slice(at + 1)) }
}

/** Resolves with its exit code, as a shell counts it; null: there is no such program. */
export function runHere([program = '', ...args]: readonly string[]): Promise<number | null> {
  // Ctrl-C is for the program, which ends as it likes.
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  const child = spawn(program, args, { stdio: 'inherit' })
  // Whoever ends this process, such as `timeout`, means the program.
  const passOn = () => child.kill('SIGTERM')
  process.on('SIGTERM', passOn)
  return new Promise<number | null>((done) => {
    child.once('error', () => done(null))
    child.once('close', (code, signal) => done(code ?? (signal ? 128 + constants.signals[signal] : 0)))
  }).finally(() => process.off('SIGINT', ignore).off('SIGTERM', passOn))
}

const interruption = () =>
  new Promise<void>((done) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => done())
  })

export type Use = { port: number; ends: Promise<unknown> }

/** Opens the port, uses it until that ends or the session does, and closes both. @throws Exit 130 if it was not used at all */
export async function forward(
  sn: string,
  target: Target & { port: number },
  local: number,
  use: (opened: Use) => Promise<unknown>,
): Promise<void> {
  const deviceId = await oneDevice(sn)
  const here = await openLocalPort(local)
  const stop = new AbortController()
  try {
    const { sessionId } = await ask(openRemoteForward, { deviceId, ...target })
    const ends = interruption()
    try {
      const session = await Promise.race([whenConnected({ sessionId }), ends])
      if (!session) throw new Exit(exitCodes.interrupted)
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
