/**
 * The system's `ssh` as the SSH client of a simulated device: the command line of the agent for OpenWrt, but that its
 * forwarding ends at a socket file, which only this process serves. No port is opened on this machine.
 */
import { spawn } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { z } from 'zod'
import { SettingError } from '#infra/env'
import type { openTunnel } from '#schema/remote/open-tunnel'
import type { Part } from '../world.ts'
import { serverAt } from './servers.ts'

/** Each tunnel is a process of 8 MB. */
const AUTO_MAX = 100
const READY_MS = 10_000
/** How soon a service of the device that was stopped, or started, is so for the tunnel. */
const LOOK_MS = 500
const SAID_MAX = 8_192

const isProgram = (path: string) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** undefined: devices have a client of their own. @throws SettingError where the program is wanted and not there */
export function sshProgram(
  wanted: 'auto' | 'system' | 'own',
  devices: number,
  path = process.env['PATH'] ?? '',
): string | undefined {
  if (wanted === 'own' || (wanted === 'auto' && devices > AUTO_MAX)) return undefined
  const found = path
    .split(delimiter)
    .map((folder) => join(folder, 'ssh'))
    .find(isProgram)
  if (found === undefined && wanted === 'system') throw new SettingError('SIM_SSH: there is no program ssh')
  return found
}

/**
 * Ends the client when this process is gone, even if it was killed: the shell reads its end of the pipe, which nobody
 * writes to. `$@` is the client.
 */
const WATCHED = `exec 3<&0; "$@" </dev/null & s=$!
(cat <&3 >/dev/null; kill "$s") 2>/dev/null & w=$!
wait "$s"; c=$?; kill "$w" 2>/dev/null; exit "$c"`

/** Where the client connects to; nothing listens while the device has no service there, so that it is refused. */
function serveAt(path: string, part: Part, { targetHost, targetPort }: Args): () => void {
  const open = new Set<{ destroy(): unknown }>()
  let server: Server | null = null
  const look = () => {
    const isServed = serverAt(part, targetHost, targetPort) !== null
    if (!isServed) {
      server?.close()
      server = null
    } else if (server === null) {
      rmSync(path, { force: true })
      server = createServer({ allowHalfOpen: true }, (socket) => {
        open.add(socket)
        socket.on('error', () => socket.destroy()).on('close', () => open.delete(socket))
        const serve = serverAt(part, targetHost, targetPort)
        if (serve) serve(socket)
        else socket.destroy()
      })
      server.on('error', () => undefined).listen(path)
    }
  }
  look()
  const timer = setInterval(look, LOOK_MS)
  return () => {
    clearInterval(timer)
    server?.close()
    for (const socket of open) socket.destroy()
  }
}

type Args = z.output<typeof openTunnel.args>

/** Resolves when the server forwards. The tunnel ends with the device's power or network, or when the server closes it. */
export function digWithProgram(part: Part, program: string, args: Args): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'iot-sim-ssh-'))
  const file = (name: string, text: string, mode: number) => {
    writeFileSync(join(folder, name), text, { mode })
    return join(folder, name)
  }
  const askpass = file('askpass', '#!/bin/sh\nprintf "%s\\n" "$TUNNEL_PASSWORD"\n', 0o700)
  const keys = file('known_hosts', `[${args.host}]:${args.port} ${args.hostKey}\n`, 0o600)
  const stopServing = serveAt(join(folder, 'socket'), part, args)
  const options = {
    StrictHostKeyChecking: 'yes',
    UserKnownHostsFile: keys,
    GlobalKnownHostsFile: '/dev/null',
    ExitOnForwardFailure: 'yes',
    PreferredAuthentications: 'password',
    NumberOfPasswordPrompts: '1',
    ConnectTimeout: String(READY_MS / 1000),
    ServerAliveInterval: '8',
    ServerAliveCountMax: '2',
    // It says at this level that the forwarding is there.
    LogLevel: 'DEBUG1',
  }
  const line = [
    ...['-F', 'none', '-N', '-T', '-p', String(args.port)],
    ...Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]),
    ...['-R', `127.0.0.1:${args.listenPort}:${join(folder, 'socket')}`, '-l', args.username, '--', args.host],
  ]
  const child = spawn('/bin/sh', ['-c', WATCHED, 'sh', program, ...line], {
    stdio: ['pipe', 'ignore', 'pipe'],
    // A group of its own, so that both can be ended at once.
    detached: true,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      TUNNEL_PASSWORD: args.password,
      SSH_ASKPASS: askpass,
      SSH_ASKPASS_REQUIRE: 'force',
    },
  })
  const down = AbortSignal.any([part.power, part.lost()])
  const end = () => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, 'SIGKILL')
  }
  down.addEventListener('abort', end)
  return new Promise<void>((done, fail) => {
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + String(chunk)).slice(-SAID_MAX)
      if (!/^debug1: remote forward success/m.test(said)) return
      child.stderr.removeAllListeners('data').resume()
      done()
    })
    child.on('error', fail)
    child.once('close', () => {
      down.removeEventListener('abort', end)
      stopServing()
      rmSync(folder, { recursive: true, force: true })
      const lines = said.split(/\r?\n/).filter((text) => text !== '' && !text.startsWith('debug'))
      fail(new Error(lines.at(-1) ?? 'ssh ended'))
    })
    if (down.aborted) end()
  })
}
