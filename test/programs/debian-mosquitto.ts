/** Mosquitto from Debian's packages, with deploy/mosquitto.conf. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#infra/embedded-postgres'
import { root } from '../tracked-files.ts'
import { until } from '../walks/until.ts'

const MOSQUITTO = '/usr/sbin/mosquitto'
const CONTROL = '/usr/bin/mosquitto_ctrl'
const recipe = readFileSync(join(root, 'deploy/mosquitto.conf'), 'utf8')
const plugin = /^plugin (.*)$/m.exec(recipe)?.[1] ?? ''
export const noMosquitto = [MOSQUITTO, CONTROL, plugin].some((path) => !existsSync(path))

const answers = (port: number) =>
  new Promise<boolean>((done) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => done(true)).once('error', () => done(false))
    socket.once('connect', () => socket.destroy())
  })

/** A broker with a folder of its own, in which only the account of the platform exists. */
export async function startMosquitto() {
  const dir = mkdtempSync(join(tmpdir(), 'iot-mosquitto-'))
  const port = await freePort()
  const password = 'platform-password'
  const made = spawnSync(
    CONTROL,
    ['dynsec', 'init', join(dir, 'dynamic-security.json'), 'iot-platform', password],
    { encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`mosquitto_ctrl: ${made.stderr}`)
  const text = recipe
    .replace(/^listener 1883 .*$/m, `listener ${port} 127.0.0.1`)
    .replaceAll('/var/lib/mosquitto/', `${dir}/`)
  // Debian's would become another user, who may not read this folder.
  writeFileSync(join(dir, 'mosquitto.conf'), process.getuid?.() === 0 ? `${text}user root\n` : text)
  let child: ChildProcess | null = null
  let exited: Promise<unknown> = Promise.resolve()
  const start = async () => {
    let said = ''
    const started = spawn(MOSQUITTO, ['-c', join(dir, 'mosquitto.conf')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    started.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk}`.slice(-2000)
    })
    child = started
    exited = new Promise((done) => started.once('exit', done))
    await until('Mosquitto listens', () => answers(port), 10_000).catch((error: Error) => {
      throw new Error(`${error.message}: ${said}`)
    })
  }
  const end = async (signal: NodeJS.Signals) => {
    child?.kill(signal)
    await exited
  }
  await start()
  return {
    port,
    url: `mqtt://127.0.0.1:${port}`,
    /** The settings of the platform. */
    settings: {
      BROKER: 'external',
      EXTERNAL_MQTT_KIND: 'mosquitto',
      EXTERNAL_MQTT_URL: `mqtt://127.0.0.1:${port}`,
      EXTERNAL_MQTT_PASSWORD: password,
    },
    start,
    kill: () => end('SIGKILL'),
    stop: async () => {
      await end('SIGTERM')
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
