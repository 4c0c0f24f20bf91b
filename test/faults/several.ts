/**
 * The trial of several machines: everything that can be killed or taken away is, one after the other, under a fleet that
 * keeps a ledger. Each step lasts until every device is connected, and shown so, again, and their samples are acknowledged.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TOLERATED } from '#broker/shared/balance'
import { startDeviceSim } from '#device-sim/start'
import { addDevices, addPackage, seedTenants, simulated, TEST_PASSWORD } from '../tenants.ts'
import { makeArchive } from '../walks/make-archive.ts'
import { until } from '../walks/until.ts'
import { completed } from '../walks/watch-task.ts'
import { startLedgerFleet } from './ledger-fleet.ts'
import { type Machine, type RoomName, roomNames, startMachine } from './machine.ts'
import { comparePresence, compareSamples, perBroker } from './verdict.ts'

export type Trial = {
  devices: number
  /** Of these, so many are simulated devices that are upgraded; the others keep the ledger. */
  upgraded: number
  sampleEveryMs: number
  /** How long Redis and PostgreSQL are away. */
  awayMs: number
  leaveS: number
  checkMs: number
  /** In turn, until the upgrade is complete. */
  killsInUpgrade: readonly RoomName[]
  killEveryMs: number
  speed: number
  /** Processes that are killed each by itself. */
  kills: readonly RoomName[]
  /** The rolling restart, in this order. */
  renewed: readonly RoomName[]
}
export type Step = { step: string; seconds: number; acknowledged: number; perBroker: string }
type Told = (step: Step) => void

/** The smaller share of the fleet is at least so much of the larger one. */
export const BALANCED = 0.75
/** Brokers leave a few devices too many alone, which is much of a small fleet. */
const isBalanced = (shares: readonly number[]) => {
  const [least = 0, most = 0] = shares
  return shares.length === 2 && (ratioOf(shares) >= BALANCED || (most - least) / 2 <= TOLERATED.devices)
}

const WHOLE_MS = 120_000
/** Of the smaller share to the larger one; 0 unless there are two. */
const ratioOf = ([least = 0, most = 0, ...more]: readonly number[]) =>
  most === 0 || more.length > 0 ? 0 : Number((least / most).toFixed(2))
const seconds = (from: number) => Number(((performance.now() - from) / 1000).toFixed(1))

async function post<T>(machine: Machine, name: string, body: object, token = ''): Promise<T> {
  const answer = await fetch(`${machine.url}/api/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token },
    body: JSON.stringify(body),
  })
  const { code, data, message } = (await answer.json()) as { code: number; data: T; message: string }
  if (code !== 0) throw new Error(`${name}: ${code} ${message}`)
  return data
}

async function onMachine(machine: Machine, trial: Trial, told: Told) {
  const { context } = machine
  const { sql } = context
  const { a } = await seedTenants(context)
  const make = (prefix: string, count: number) => addDevices(sql, a.customerId, a.groups.root, prefix, count)
  const talking = await make('LEDGER-', trial.devices - trial.upgraded)
  const flashing = await make('FLASH-', trial.upgraded)
  const sim = await startDeviceSim({
    count: 0,
    seed: 1,
    mqttUrl: `mqtt://127.0.0.1:${machine.mqttPort}`,
    dataDir: join(machine.dir, 'sim'),
    ...simulated(flashing),
    faults: {},
    speed: trial.speed,
    log: context.log,
  })
  const fleet = startLedgerFleet(talking, machine.mqttPort, trial.sampleEveryMs)
  const connected = () => fleet.online() + sim.onlineCount()
  const shown = async () => {
    const [row] = await sql<{ n: number }[]>`select count(*)::int as n from device_states where online`
    return row?.n ?? 0
  }
  const whole = () =>
    until(
      `${trial.devices} devices are online`,
      async () => connected() === trial.devices && (await shown()) === trial.devices,
      WHOLE_MS,
      100,
    ).catch(async (error: Error) => {
      throw new Error(`${error.message}: ${connected()} connected, ${await shown()} shown`)
    })
  const step = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
    const [from, before] = [performance.now(), fleet.acknowledged()]
    const made = await act()
    await whole()
    const goal = fleet.acknowledged() + talking.length
    await until('the fleet is heard again', () => fleet.acknowledged() >= goal, WHOLE_MS, 50)
    told({
      step: name,
      seconds: seconds(from),
      acknowledged: fleet.acknowledged() - before,
      perBroker: (await perBroker(sql)).join(' + '),
    })
    return made
  }

  const upgrade = async () => {
    const content = await makeArchive(60_000)
    const made = await addPackage(context, { customerId: null, model: 'R200', version: '9.0.0', content })
    const login = { username: a.admin.username, password: TEST_PASSWORD }
    const { token } = await post<{ token: string }>(machine, 'userLogin', login)
    const body = { name: 'During kills', spId: made.id, dids: flashing.map(({ id }) => id) }
    const { taskId } = await post<{ taskId: number }>(machine, 'levelUp/addLevelUp', body, token)
    const finished = completed(context, taskId, 600_000)
    let over = false
    void finished
      .catch(() => undefined)
      .then(() => {
        over = true
      })
    let kills = 0
    for (const name of trial.killsInUpgrade) {
      await sleep(trial.killEveryMs)
      if (over) break
      await machine.kill(name)
      kills++
    }
    const items = await finished
    const once = items.filter(
      ({ id, sn, outcome }) =>
        outcome === 'done' && sim.device(sn).installs(id) === 1 && sim.device(sn).firmware === '9.0.0',
    )
    return { kills, items: items.length, flashedOnce: once.length }
  }

  try {
    await step('start', async () => sleep(trial.sampleEveryMs * 2))
    for (const name of trial.kills) await step(`kill -9 of ${name}`, () => machine.kill(name))
    await step(`Redis away for ${trial.awayMs / 1000} s, back empty`, () => machine.redisAway(trial.awayMs))
    await step('Redis flushed', async () => {
      await machine.redisFlushed()
      await sleep(trial.sampleEveryMs * 2)
    })
    await step(`PostgreSQL away for ${trial.awayMs / 1000} s`, () => machine.postgresAway(trial.awayMs))
    const upgraded = await step(`upgrade of ${trial.upgraded}, during kills`, upgrade)
    await step('rolling restart', async () => {
      for (const name of trial.renewed) await machine.renew(name)
    })
    await step('balanced again', () =>
      until('like shares', async () => isBalanced(await perBroker(sql)), WHOLE_MS, 200).catch(() => null),
    )
    const balance = await perBroker(sql)
    const last = performance.now()
    fleet.quiet()
    await until('nothing waits for its acknowledgement', () => fleet.waiting() === 0, WHOLE_MS, 50)
    return {
      drainedSeconds: seconds(last),
      samples: await compareSamples(sql, fleet.all),
      presence: await comparePresence(sql, fleet.all),
      upgraded,
      balance,
      ratio: ratioOf(balance),
      endedByThemselves: machine.endedByThemselves(),
    }
  } finally {
    fleet.stop()
    await sim.close()
  }
}
export type Verdict = Awaited<ReturnType<typeof onMachine>>

/** What must not be, one line each. */
export function faultsIn({ samples, presence, upgraded, balance, endedByThemselves }: Verdict, trial: Trial) {
  const wrong: [boolean, string][] = [
    [samples.acknowledged === 0, 'nothing was acknowledged'],
    [samples.lost > 0, `${samples.lost} acknowledged samples are not stored`],
    [samples.doubled > 0, `${samples.doubled} samples are stored twice`],
    [samples.foreign > 0, `${samples.foreign} stored samples were never sent`],
    [presence.shownOffline > 0, `${presence.shownOffline} devices were shown offline while connected`],
    [presence.shownOnline > 0, `${presence.shownOnline} devices were shown online while they were not`],
    [presence.openTwice > 0, `${presence.openTwice} devices have two open presence records`],
    [upgraded.kills === 0, 'the upgrade was over before anything was killed'],
    [
      upgraded.flashedOnce !== trial.upgraded,
      `${upgraded.flashedOnce} of ${trial.upgraded} devices flashed once`,
    ],
    [!isBalanced(balance), `the fleet is not balanced: ${balance.join(' + ')}`],
    [endedByThemselves.length > 0, `ended by themselves: ${endedByThemselves.join(', ')}`],
  ]
  return wrong.filter(([is]) => is).map(([, line]) => line)
}

/** Throws if a step never comes to its end; the folder with the logs is then kept, and named. */
export async function runSeveral(trial: Trial, told: Told = () => undefined): Promise<Verdict> {
  const machine = await startMachine(trial)
  let good = false
  try {
    const verdict = await onMachine(machine, trial, told)
    good = faultsIn(verdict, trial).length === 0
    return verdict
  } finally {
    await machine.close({ keepLogs: !good })
    if (!good) process.stderr.write(`logs: ${machine.dir}\n`)
  }
}

export const shortTrial: Trial = {
  devices: 40,
  upgraded: 10,
  sampleEveryMs: 250,
  awayMs: 1_500,
  leaveS: 1,
  checkMs: 100,
  kills: ['broker1', 'api2', 'workers1'],
  renewed: ['api1', 'workers1', 'broker1', 'broker2'],
  killsInUpgrade: ['workers2', 'broker2'],
  killEveryMs: 300,
  speed: 30,
}

export const fullTrial = (devices: number): Trial => ({
  devices,
  upgraded: Math.round(devices * 0.3),
  sampleEveryMs: 5_000,
  awayMs: 5_000,
  leaveS: 15,
  checkMs: 2_000,
  kills: roomNames,
  renewed: roomNames,
  killsInUpgrade: ['workers1', 'broker2', 'api1', 'workers2', 'broker1', 'api2', 'workers1', 'broker2'],
  killEveryMs: 1_500,
  speed: 30,
})
