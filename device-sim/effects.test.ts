/** The effect of each command on a simulated device matches its declaration: a false `effect` fails here. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { configHash, packageHash } from '#infra/config-hash'
import { gatherDeclared } from '#infra/gather'
import { command } from '#schema/command/command'
import { type Effect, effects, isCommand } from '#schema/kit/command'
import { ENROLMENT_KEY, type FakeCloud, order, quiet, startFakeCloud, until } from './fake-cloud.ts'
import { type SimDevice, startDeviceSim } from './start.ts'
import { openStore } from './store.ts'

const commands = await gatherDeclared(isCommand)
const dataDir = mkdtempSync(join(tmpdir(), 'iot-sim-'))
/** One device for each command. */
const seen = new Map<string, Effect>()

/** The host name changed, on trial: an example cannot know the hashes of a device. */
function hostNameChange({ config }: SimDevice) {
  const before = config.text('system') ?? ''
  const text = before.replace(/hostname '.*'/, "hostname 'changed'")
  const hash = packageHash(text)
  return {
    revision: 7,
    base: { system: packageHash(before) },
    packages: [{ name: 'system', text, hash }],
    configHash: configHash({ ...config.hashes, system: hash }),
    confirmS: 30,
  }
}

const start = (cloud: FakeCloud) =>
  startDeviceSim({
    trialAtLeastMs: 1_000,
    count: commands.length,
    seed: 1,
    mqttUrl: cloud.url,
    enrolmentKey: ENROLMENT_KEY,
    dataDir,
    faults: {},
    speed: 100,
    log: quiet,
    models: ['R200'],
  })

/** The flash memory of the devices, while they are switched off. */
function flash(sns: readonly string[]) {
  const store = openStore(dataDir)
  const rows = new Map(store.devices().map((row) => [row.sn, row]))
  const found = sns.map((sn) => {
    const memory = new Map(store.memory(sn).map(({ key, value }) => [key, value]))
    // A device from the factory has not been configured; every simulated one has.
    const files = store.files(sn)
    return { lost: memory.get('config') === '0', all: JSON.stringify([...memory, rows.get(sn), files]) }
  })
  void store.close()
  return found
}

beforeAll(async () => {
  const cloud = await startFakeCloud({ statusEveryS: 5 })
  const snOf = ({ sn }: SimDevice) => sn
  const first = await start(cloud)
  await first.whenOnline(60_000)
  const sns = first.devices.map(snOf)
  await first.close()
  const before = flash(sns)
  const hellos = (sn: string) => cloud.of(sn, 'hello').length
  const greeted = sns.map(hellos)
  const sim = await start(cloud)
  await sim.whenOnline(60_000)
  await until('all hellos of this start have arrived', () =>
    sns.every((sn, i) => hellos(sn) > (greeted[i] ?? 0)),
  )
  // A connection lost on a busy machine is followed by a hello with the same boot id.
  const bootOf = (sn: string) => cloud.of(sn, 'hello').at(-1)?.payload['bootId']
  const boots = sns.map(bootOf)
  const send = async (sn: string, name: string, args: object) => {
    const id = randomUUID()
    await cloud.tell(sn, command, order(id, name, args as Record<string, unknown>))
    return id
  }
  // Something must be on trial to be taken back.
  const takenBack = sim.device(sns[commands.findIndex(({ name }) => name === 'revertConfig')] ?? '')
  const greetings = hellos(takenBack.sn)
  await send(takenBack.sn, 'applyConfig', { ...hostNameChange(takenBack), confirmS: 900 })
  // It connects anew for a trial: a command that is sent before that is lost with the old connection.
  await until('the trial', () => takenBack.trial.pending !== undefined && hellos(takenBack.sn) > greetings)
  // Closed by the device itself, unlike one that a busy machine has lost.
  const closed = new Set<string>()
  for (const { sn, events } of sim.devices)
    events.on('offline', (reason) => {
      if (reason === 'disconnected') closed.add(sn)
    })
  const ids = await Promise.all(
    commands.map(({ name, exampleArgs }, i) => {
      const sn = sns[i] ?? ''
      const args = name === 'applyConfig' ? hostNameChange(sim.device(sn)) : exampleArgs
      return send(sn, name, args as object)
    }),
  )
  const ended = (id: string | undefined) =>
    cloud.heard.some(({ payload }) => payload['id'] === id && payload['state'] !== 'accepted')
  await until('all have ended', () => ids.every(ended), 20_000).catch((error: Error) => {
    const left = commands.flatMap(({ name }, i) => (ended(ids[i]) ? [] : [name]))
    throw new Error(`${error.message}: ${left.join()}`)
  })
  // A device closes its connection only after the platform has acknowledged its reply. What does not is said below.
  const interrupted = (i: number) => bootOf(sns[i] ?? '') !== boots[i] || closed.has(sns[i] ?? '')
  const isDeclaredTo = (effect: Effect) => effect === 'interrupts' || effect === 'destroys'
  await until(
    'all that interrupt their device have',
    () => commands.every(({ effect }, i) => !isDeclaredTo(effect) || interrupted(i)),
    20_000,
  ).catch(() => undefined)
  await sleep(500)
  await sim.close()
  const after = flash(sns)
  for (const [i, { name }] of commands.entries()) {
    const [was, is] = [before[i], after[i]]
    const effect = is?.lost
      ? 'destroys'
      : interrupted(i)
        ? 'interrupts'
        : is?.all !== was?.all
          ? 'changes'
          : 'harmless'
    seen.set(name, effect)
  }
  await cloud.close()
}, 180_000)
afterAll(() => rmSync(dataDir, { recursive: true }))

it.each(commands)('$name has its declared effect: $effect', ({ name, effect }) => {
  const was = seen.get(name) ?? 'harmless'
  // A change may be temporary, such as a restarted service; losses and interruptions are always detected.
  expect(effects.indexOf(effect), `${name} ${was}`).toBeGreaterThanOrEqual(effects.indexOf(was))
  if (effect === 'interrupts' || effect === 'destroys') expect(was).toBe(effect)
})
