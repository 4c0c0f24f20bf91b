/** `npm run device-sim`: the simulated fleet as a separate process; it needs no key or database of the platform. */
import { join, resolve } from 'node:path'
import { SettingError } from '#infra/env'
import { openLog } from '#infra/log'
import { settings } from '#infra/settings'
import { ownAddress } from '#infra/settings/own-address'
import { linesTo } from './gateway/lines.ts'
import { startSimulatedSlaves } from './gateway/simulated-slaves.ts'
import { sshProgram } from './remote/ssh-program.ts'
import { startDeviceSim } from './start.ts'

const own = settings.pick({
  DATA_DIR: true,
  LOG_LEVEL: true,
  MQTT_PORT: true,
  MQTT_URL: true,
  MQTT_HOST: true,
  SIM_DEVICES: true,
  SIM_ENROLMENT_KEY: true,
  SIM_FAULTS: true,
  SIM_MODBUS_HOSTS: true,
  SIM_MODBUS_PORT: true,
  SIM_SEED: true,
  SIM_SPEED: true,
  SIM_SSH: true,
})
/** As on a mobile link, so that a person can watch the steps. */
const DOWNLOAD_MS = 8_000

async function main(): Promise<void> {
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value?.trim() !== ''))
  const parsed = own.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new SettingError(`${String(issue?.path[0])}: ${issue?.message}`)
  }
  const env = parsed.data
  const log = openLog('device-sim', env.LOG_LEVEL)
  const port = env.SIM_MODBUS_PORT
  const slaves = port > 0 ? await startSimulatedSlaves(port, log) : []
  const serialPort = slaves.length > 1 ? port + 1 : undefined
  const sim = await startDeviceSim({
    count: env.SIM_DEVICES,
    seed: env.SIM_SEED,
    mqttUrl: env.MQTT_URL ?? `mqtt://${ownAddress(env.MQTT_HOST)}:${env.MQTT_PORT}`,
    enrolmentKey: env.SIM_ENROLMENT_KEY,
    dataDir: join(resolve(env.DATA_DIR), 'sim'),
    faults: env.SIM_FAULTS,
    speed: env.SIM_SPEED,
    downloadDelayMs: DOWNLOAD_MS / env.SIM_SPEED,
    mishaps: true,
    ssh: sshProgram(env.SIM_SSH, env.SIM_DEVICES),
    lines: linesTo({ serialPort, hosts: env.SIM_MODBUS_HOSTS }),
    log,
  })
  log.info({ devices: sim.devices.length, seed: env.SIM_SEED }, 'device-sim is ready')
  process.send?.({ ready: 'device-sim' })
  let closing = false
  const close = async (signal: string) => {
    if (closing) return
    closing = true
    log.info({ signal }, 'device-sim is stopping')
    await sim.close()
    for (const server of slaves) await server.close()
    process.exit(0)
  }
  process.on('SIGINT', () => void close('SIGINT'))
  process.on('SIGTERM', () => void close('SIGTERM'))
  // The launcher is gone: without it this process would never be stopped.
  process.on('disconnect', () => void close('disconnect'))
}

try {
  await main()
} catch (error) {
  const line = error instanceof SettingError ? error.message : ((error as Error).stack ?? String(error))
  process.stderr.write(`cannot start: ${line}\n`)
  process.exit(1)
}
