/** The effect of each command on a simulated device matches its declaration: a false `effect` fails here. */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { command } from '#schema/command/command'
import { type Effect, effects, isCommand } from '#schema/kit/command'
import { ENROLMENT_KEY, order, type PretendCloud, quiet, startPretendCloud, until } from './pretend-cloud.ts'
import { type SimDevice, startDeviceSim } from './start.ts'
import { openStore } from './store.ts'

const commands = await gatherDeclared(isCommand)
const dataDir = mkdtempSync(join(tmpdir(), 'iot-sim-'))
/** One device for each command. */
const seen = new Map<string, Effect>()

const start = (cloud: PretendCloud) =>
  startDeviceSim({
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
    return { lost: memory.get('config') === '0', all: JSON.stringify([...memory, rows.get(sn)]) }
  })
  void store.close()
  return found
}

beforeAll(async () => {
  const cloud = await startPretendCloud({ statusEveryS: 5 })
  const snOf = ({ sn }: SimDevice) => sn
  const first = await start(cloud)
  await first.whenOnline(10_000)
  const sns = first.devices.map(snOf)
  await first.close()
  const before = flash(sns)
  const hellos = (sn: string) => cloud.of(sn, 'hello').length
  const greeted = sns.map(hellos)
  const sim = await start(cloud)
  await sim.whenOnline(10_000)
  await until('all hellos of this start have arrived', () =>
    sns.every((sn, i) => hellos(sn) > (greeted[i] ?? 0)),
  )
  // A connection lost on a busy machine is followed by a hello with the same boot id.
  const bootOf = (sn: string) => cloud.of(sn, 'hello').at(-1)?.payload['bootId']
  const boots = sns.map(bootOf)
  for (const [i, { name, exampleArgs }] of commands.entries())
    await cloud.tell(sns[i] ?? '', command, order(randomUUID(), name, exampleArgs as Record<string, unknown>))
  await until('all have ended', () =>
    sns.every((sn) => cloud.of(sn, 'reply').some(({ payload }) => payload['state'] !== 'accepted')),
  )
  await sim.close()
  const after = flash(sns)
  for (const [i, { name }] of commands.entries()) {
    const [was, is] = [before[i], after[i]]
    const restarted = bootOf(sns[i] ?? '') !== boots[i]
    const effect = is?.lost
      ? 'destroys'
      : restarted
        ? 'interrupts'
        : is?.all !== was?.all
          ? 'changes'
          : 'harmless'
    seen.set(name, effect)
  }
  await cloud.close()
}, 60_000)
afterAll(() => rmSync(dataDir, { recursive: true }))

it.each(commands)('$name has its declared effect: $effect', ({ name, effect }) => {
  const was = seen.get(name) ?? 'harmless'
  // A change may be temporary, such as a restarted service; losses and interruptions are always detected.
  expect(effects.indexOf(effect), `${name} ${was}`).toBeGreaterThanOrEqual(effects.indexOf(was))
  if (effect === 'interrupts' || effect === 'destroys') expect(was).toBe(effect)
})
