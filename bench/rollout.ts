/**
 * Rollouts in waves to 100 and to 10,000 simulated devices, with broker, api and workers as separate processes over a
 * durable database: milliseconds, queue jobs and SQL statements per device. The baseline is the small rollout of the
 * same run: figures per device should be the same. When the first wave has been sent, and what a paused task still sends.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { startDeviceSim } from '#device-sim/start'
import type { Context } from '#infra/context'
import { addDevices, addPackage, seedTenants, simulated, TEST_PASSWORD, type TestDevice } from '#test/tenants'
import { count, onPlatform, type Platform } from './counted-platform.ts'
import { post } from './upgrade.ts'

const PACKAGE_BYTES = 16_384
const FIRST_PERCENT = 5
const AT_ONCE = 500
const POLL_MS = 200
const PAUSED_MS = 4_000
/** Until then, what is already on its way may leave. */
const PAUSE_GRACE_MS = 1_000

type Ask = <T>(name: string, body: object) => Promise<T>
type Rolled = {
  seconds: number
  done: number
  firstWaveMs: number
  sentWhilePaused?: number
  lastSentAfterPauseMs?: number
  jobs: number
  statements: number
}

async function until<T>(what: () => Promise<T | undefined>): Promise<{ found: T; polls: number }> {
  for (let polls = 1; ; polls++) {
    const found = await what()
    if (found !== undefined) return { found, polls }
    await sleep(POLL_MS)
  }
}

/**
 * How long it was paused, how many devices were sent something after the grace, and when the last message left, counted
 * from the reply of the call.
 */
async function pause(
  sql: Context['sql'],
  ask: Ask,
  taskId: number,
): Promise<{ ms: number; sent: number; lastMs: number }> {
  await ask('task/pauseTask', { taskId })
  const since = Date.now()
  await sleep(PAUSED_MS)
  const [late] = await sql<{ n: number; lastMs: number }[]>`
    select count(*) filter (where e.at > ${new Date(since + PAUSE_GRACE_MS)})::int as n,
      coalesce(extract(epoch from max(e.at) filter (where e.at > ${new Date(since)}) - ${new Date(since)}::timestamptz) * 1000, 0)::int as "lastMs"
    from task_events e join task_items i on i.id = e.item_id where i.task_id = ${taskId} and e.what = 'sent'`
  const ms = Date.now() - since
  await ask('task/resumeTask', { taskId })
  return { ms, sent: late?.n ?? -1, lastMs: late?.lastMs ?? -1 }
}

/** One rollout: a first wave, a pause in the middle of the second, its end. The pause is no part of the time. */
async function rollOut(
  context: Context,
  ask: Ask,
  fleet: readonly TestDevice[],
  spId: number,
): Promise<Rolled> {
  const { sql } = context
  const before = await count(context)
  const start = performance.now()
  const { taskId } = await ask<{ taskId: number }>('levelUp/addLevelUp', {
    name: `Bench ${fleet.length}`,
    spId,
    dids: fleet.map(({ id }) => id),
    waves: [{ by: 'percent', value: FIRST_PERCENT }],
    maxInFlight: AT_ONCE,
  })
  const half = await until(async () => {
    const [row] = await sql<{ ended: number }[]>`
      select count(*)::int as ended from task_items where task_id = ${taskId} and outcome is not null`
    return (row?.ended ?? 0) * 2 > fleet.length ? true : undefined
  })
  // A smaller one has everything under way by now.
  const paused = fleet.length > 2 * AT_ONCE ? await pause(sql, ask, taskId) : null
  const ended = await until(async () => {
    const [task] = await sql<{ status: string }[]>`select status from tasks where id = ${taskId}`
    return task?.status === 'completed' ? true : undefined
  })
  const seconds = (performance.now() - start - (paused?.ms ?? 0)) / 1000
  const after = await count(context)
  const [row] = await sql<{ done: number; firstWaveMs: number }[]>`
    select (select count(*)::int from task_items where task_id = ${taskId} and outcome = 'done') as done,
      (select extract(epoch from max(e.at) - (select created_at from tasks where id = ${taskId})) * 1000 from task_events e
        join task_items i on i.id = e.item_id where i.task_id = ${taskId} and i.wave = 0 and e.what = 'sent')::int as "firstWaveMs"`
  return {
    seconds,
    done: row?.done ?? 0,
    firstWaveMs: row?.firstWaveMs ?? -1,
    ...(paused ? { sentWhilePaused: paused.sent, lastSentAfterPauseMs: paused.lastMs } : {}),
    jobs: after.jobs - before.jobs,
    statements: after.statements - before.statements - half.polls - ended.polls,
  }
}

async function measure({ context, dir, ports }: Platform, sizes: number[]) {
  const { a } = await seedTenants(context)
  const most = Math.max(...sizes)
  const fleet = await addDevices(context.sql, a.customerId, a.groups.root, 'ROLL-', most)
  const sim = await startDeviceSim({
    count: 0,
    seed: 1,
    mqttUrl: `mqtt://127.0.0.1:${ports.mqtt}`,
    dataDir: join(dir, 'sim'),
    ...simulated(fleet),
    faults: {},
    speed: 1000,
    statusEveryS: 300,
    log: context.log,
  })
  const api = `http://127.0.0.1:${ports.http}/api`
  try {
    await sim.whenOnline(300_000)
    await sleep(5000)
    const { token } = await post<{ token: string }>(`${api}/userLogin`, {
      username: a.admin.username,
      password: TEST_PASSWORD,
    })
    const figures: Record<string, number | string> = {}
    const perDevice: Record<string, number>[] = []
    for (const [n, devices] of sizes.entries()) {
      const content = gzipSync(randomBytes(PACKAGE_BYTES))
      const made = await addPackage(context, { customerId: null, model: 'R200', version: `9${n}.0`, content })
      const rolled = await rollOut(
        context,
        (name, body) => post(`${api}/${name}`, body, token),
        fleet.slice(0, devices),
        made.id,
      )
      const each = {
        msPerDevice: (rolled.seconds * 1000) / devices,
        jobsPerDevice: rolled.jobs / devices,
        statementsPerDevice: rolled.statements / devices,
      }
      perDevice.push(each)
      for (const [name, value] of Object.entries({ ...rolled, ...each }))
        figures[`${devices}: ${name}`] = Number(value.toFixed(2))
    }
    const [small, big] = [perDevice[0], perDevice.at(-1)]
    for (const name of Object.keys(small ?? {}))
      figures[`ratio of ${name}`] = Number(((big?.[name] ?? 0) / (small?.[name] ?? 1)).toFixed(2))
    return figures
  } finally {
    await sim.close()
  }
}

export async function run(
  sizes: number[] = [100, 10_000],
): Promise<{ name: string; figures: Record<string, number | string> }> {
  return { name: 'rollout', figures: await onPlatform((platform) => measure(platform, sizes)) }
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { sizes: { type: 'string' } } })
  const figures = await run(values.sizes?.split(',').map(Number))
  process.stdout.write(`${JSON.stringify(figures)}\n`)
  process.exit(0)
}
