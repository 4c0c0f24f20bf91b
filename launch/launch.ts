/** `npm start`: the whole product on one machine. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#infra/embedded-postgres'
import { type Env, readEnv } from '#infra/env'
import { openFiles } from '#infra/files/open'
import { migrateDatabase, recordKey } from '#infra/migrate'
import { openDatabase } from '#infra/postgres'
import { failStart } from '#infra/run-room'
import { type Child, ChildFailed, startChild } from './child.ts'
import { launchDatabase } from './database.ts'
import { takeFolder } from './folder-lock.ts'
import { probePorts } from './probe-ports.ts'
import { seedAdmin, seedFirstCustomer, seedRoles, whichPassword } from './seed.ts'
import { type Demo, seedSimKeys } from './seed-demo.ts'
import { seedDemonstration } from './seed-demonstration.ts'
import { buildConsole } from './web-build.ts'

/** Ctrl-C reaches the children too, and their end may be noticed before the signal is. */
const CTRL_C_MS = 2_000

const dev = process.argv.includes('--dev')
const say = (line: string) => process.stdout.write(`${line}\n`)

type Seeded = { adminPassword: string | null; shown: string; demo: Demo | null; simKey: string | undefined }

/** `made` is told of new passwords as soon as they are in force. */
async function seed(env: Env, url: string, made: (seeded: Seeded) => void): Promise<Seeded> {
  const { sql, close } = openDatabase(url, { max: 2, applicationName: 'iot-launch' })
  try {
    await seedRoles(sql)
    const adminPassword = await seedAdmin(sql, env.ADMIN_PASSWORD)
    const shown = adminPassword ?? (await whichPassword(sql, env.ADMIN_PASSWORD))
    const seeded: Seeded = { adminPassword, shown, demo: null, simKey: undefined }
    made(seeded)
    const files = openFiles(env)
    const demo = env.SIM_DEVICES > 0 ? await seedDemonstration({ sql, files }, env, say) : null
    files.close()
    if (!demo) {
      await seedFirstCustomer(sql)
      return seeded
    }
    made({ ...seeded, demo })
    return { ...seeded, demo, simKey: await seedSimKeys(sql, env, demo) }
  } finally {
    await close()
  }
}

const passwordsOf = ({ demo }: Seeded): string[] =>
  (demo?.users ?? []).map(
    ({ username, password }) => `  demonstration user  ${username}  password ${password}  (shown once)`,
  )

function announce(env: Env, seeded: Seeded): void {
  for (const line of ['', ...passwordsOf(seeded)]) say(line)
  say(`Ready: ${env.PUBLIC_URL}  user admin  password ${seeded.shown}`)
}

/** The users have been created: the next start does not know their passwords. */
function announceUnready(seeded: Seeded): void {
  for (const line of passwordsOf(seeded)) say(line)
  if (seeded.adminPassword) say(`  user admin  password ${seeded.adminPassword}  (shown once)`)
}

async function main(): Promise<void> {
  let env: Env | undefined
  const children: Child[] = []
  let stopDatabase = async () => {}
  let leaveFolder = () => {}
  let stopping = false
  let unannounced: Seeded | undefined
  const stop = async (code: number) => {
    if (stopping) return
    stopping = true
    if (unannounced) announceUnready(unannounced)
    // Ctrl-C reaches them as well: they share the terminal, and end on their own.
    for (const child of children) child.expectEnd()
    for (const child of children.toReversed()) await child.stop()
    await stopDatabase()
    leaveFolder()
    process.exit(code)
  }
  process.on('SIGINT', () => void stop(0))
  process.on('SIGTERM', () => void stop(0))
  try {
    env = readEnv()
    leaveFolder = takeFolder(env.DATA_DIR)
    await probePorts(env)
    if (!dev && (await buildConsole())) say('console built')
    if (stopping) return
    say('starting the database …')
    const database = await launchDatabase(env)
    stopDatabase = database.stop
    await migrateDatabase(database.url, env.DATABASE_URL ? undefined : env.DATA_DIR)
    await recordKey(database.url, env)
    const seeded = await seed(env, database.url, (made) => {
      unannounced = made
      if (stopping) announceUnready(made)
    })
    const childEnv = {
      ...process.env,
      DATABASE_URL: database.url,
      DATA_DIR: env.DATA_DIR,
      // One port cannot serve three processes.
      HEALTH_PORT: '0',
      // Simulated devices get nothing else.
      ...(env.BROKER === 'external' ? { MQTT_URL: env.EXTERNAL_MQTT_URL } : {}),
      MQTT_WS_PORT: String(env.MQTT_WS_PORT || (await freePort())),
    }
    const start = async (name: string, extra: NodeJS.ProcessEnv = {}) => {
      if (stopping) return
      say(`starting ${name} …`)
      const child = startChild({
        name,
        script: `${name}/main.ts`,
        env: { ...childEnv, ...extra },
        logDir: join(env?.DATA_DIR ?? '', 'logs'),
        watch: dev,
      })
      children.push(child)
      await child.ready
    }
    // In parallel: each spends its first second loading its code, and they wait for each other by themselves.
    await Promise.all(['broker', 'workers', 'api'].map((name) => start(name)))
    if (seeded.simKey) await start('device-sim', { SIM_ENROLMENT_KEY: seeded.simKey })
    if (dev) await import('./dev-server.ts').then((server) => server.startDevServer(childEnv))
    if (stopping) return
    announce(env, seeded)
    unannounced = undefined
  } catch (error) {
    if (error instanceof ChildFailed) await sleep(CTRL_C_MS)
    if (stopping) return
    for (const child of children.toReversed()) await child.stop()
    await stopDatabase()
    leaveFolder()
    if (unannounced) announceUnready(unannounced)
    if (error instanceof ChildFailed) process.exit(1)
    failStart(error, env)
  }
}

await main()
