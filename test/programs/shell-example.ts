/** docs/examples/device.sh as a process. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../tracked-files.ts'

type Options = {
  sn: string
  host: string
  port: string
  /** An enrolment key. */
  key: string
  /** Its folder. */
  state: string
  /** A folder with programs that it finds before those of the system. */
  programs?: string
}

export function startShellExample({ sn, host, port, key, state, programs }: Options) {
  const path = [programs, process.env['PATH']].filter(Boolean).join(':')
  const child = spawn('sh', [join(root, 'docs/examples/device.sh'), sn], {
    env: { PATH: path, HOST: host, PORT: port, KEY: key, STATE: state, BOOT_S: '1' },
    // A group of its own, for `kill`.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      output += chunk
    })
  return {
    output: () => output,
    /** Including its children, such as mosquitto_sub. */
    kill: () => {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    },
  }
}
