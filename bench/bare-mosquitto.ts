/** Another baseline: Debian's Mosquitto, which authenticates no client and stores nothing. */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#infra/embedded-postgres'
import { until } from '#test/walks/until'
import type { BenchBroker } from './bench-fleet.ts'

const MOSQUITTO = '/usr/sbin/mosquitto'

const answers = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1', () => done(true))
    socket.on('error', () => done(false)).on('connect', () => socket.destroy())
  })

/** null: it is not installed. */
export async function startBareMosquitto(): Promise<BenchBroker | null> {
  if (!existsSync(MOSQUITTO)) return null
  const port = await freePort()
  const dir = mkdtempSync(join(tmpdir(), 'iot-bench-mosquitto-'))
  const file = join(dir, 'mosquitto.conf')
  writeFileSync(
    file,
    `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\nlog_type error\nset_tcp_nodelay true\n`,
  )
  const child = spawn(MOSQUITTO, ['-c', file], { stdio: 'ignore' })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  await until('Mosquitto listens', () => answers(port), 10_000)
  // Another program may have taken the port meanwhile.
  if (child.exitCode !== null) throw new Error('Mosquitto ended at once')
  return {
    port,
    child,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal)
      await ended
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
