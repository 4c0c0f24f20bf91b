/**
 * Every declared list on a big installation: first page, search and each order, beside the statements it sends, sent
 * alone; and the reports and the map's data. New lists are measured without a line here.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { buildServer } from '#api/server'
import { openContext } from '#infra/context'
import { startEmbeddedPostgres } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { gather, schemaFolder } from '#infra/gather'
import { migrateDatabase } from '#infra/migrate'
import { type Call, isCall } from '#schema/kit/call'
import { bodyFor, type Ids } from '#test/sample-body'
import { seedTenants, TEST_PASSWORD } from '#test/tenants'
import { watchedContext } from '#test/watched-context'
import { rollUpFleetJob } from '#workers/jobs/roll-up-fleet'
import { SEEDED, seedInstallation } from './seed.ts'

const ROUNDS = 12
/** First rounds fill caches and compile: not counted. */
const WARM_UP = 3
const LIST_TARGET_MS = 50
const REPORT_TARGET_MS = 300

/** Lists of one device's past. */
const OF_ONE_DEVICE =
  /^(device|command|schedule|backup)\/get(Presence|Status|DeviceLog|Command|Schedule|Backup|SimSwitch|DeviceTimeline)/

type Watch = ReturnType<typeof watchedContext>
type Timed = { name: string; p95: number; ratio: number | null; target: number }

const round = (value: number) => Math.round(value * 10) / 10

async function slowest(ask: () => Promise<unknown>): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < ROUNDS + WARM_UP; i++) {
    const start = performance.now()
    await ask()
    if (i >= WARM_UP) took.push(performance.now() - start)
  }
  took.sort((a, b) => a - b)
  return round(took[Math.floor(took.length * 0.95)] ?? 0)
}

async function measure(
  app: FastifyInstance,
  watch: Watch,
  token: string,
  call: Call,
  as: { name: string; body: Record<string, unknown>; target: number },
): Promise<Timed | null> {
  const ask = () =>
    app.inject({
      method: call.method,
      url: call.path,
      headers: { token },
      ...(call.method === 'GET' ? { query: as.body as Record<string, string> } : { payload: as.body }),
    })
  const first = await ask()
  // A list of one thing needs its id; without one there is nothing to measure.
  if (
    first.statusCode !== 200 ||
    (first.headers['content-type']?.includes('json') && first.json().code !== 0)
  )
    return null
  watch.watched.length = 0
  await ask()
  const statements = watch.watched.filter(({ text }) => /^\s*(select|with|\()/i.test(text))
  const p95 = await slowest(ask)
  const plain = await slowest(() => Promise.all(statements.map((statement) => watch.run(statement))))
  return {
    name: `${call.name}, ${as.name}`,
    p95,
    ratio: plain > 0 ? round(p95 / plain) : null,
    target: as.target,
  }
}

function casesOf(
  call: Call & { sorts?: readonly string[] },
  ids: Ids,
): { name: string; body: Record<string, unknown>; target: number }[] {
  const body = bodyFor(call, ids)
  if (call.sorts)
    return [
      { name: 'first page', body, target: LIST_TARGET_MS },
      { name: 'search', body: { ...body, search: 'sn-00' }, target: LIST_TARGET_MS },
      ...call.sorts.map((sort) => ({ name: `by ${sort}`, body: { ...body, sort }, target: LIST_TARGET_MS })),
    ]
  if (/^report\/get\w+Report$/.test(call.name))
    return ['24h', '7d', '30d'].map((range) => ({
      name: range,
      body: { range, zone: 'Asia/Shanghai', previous: true },
      target: REPORT_TARGET_MS,
    }))
  return /AddressList|MapPoints|getDevicePoints/.test(call.name)
    ? [{ name: 'all devices', body, target: REPORT_TARGET_MS }]
    : []
}

export async function run(): Promise<{ name: string; figures: Record<string, number | string> }> {
  const dir = mkdtempSync(join(tmpdir(), 'iot-bench-'))
  const postgres = await startEmbeddedPostgres(join(dir, 'postgres'))
  await migrateDatabase(postgres.url)
  // Replies are checked against their declarations outside production only; the figure is for production.
  const env = readEnv({
    NODE_ENV: 'production',
    JWT_SECRET: 'bench-'.repeat(8),
    DATA_DIR: dir,
    LOG_LEVEL: 'silent',
  })
  const context = openContext('api', env, postgres.url)
  const watch = watchedContext(context)
  const app = await buildServer(watch.context)
  try {
    const tenants = await seedTenants(context)
    const started = performance.now()
    await seedInstallation(context)
    const figures: Record<string, number | string> = {
      'seeding, s': Math.round((performance.now() - started) / 1000),
      devices: SEEDED.devices,
      groups: SEEDED.groups,
      customers: SEEDED.customers,
    }
    const [device] = await context.sql<
      { id: number }[]
    >`select id from devices where deleted_at is null order by id desc limit 1`
    const login = await app.inject({
      method: 'POST',
      url: '/api/userLogin',
      payload: { username: tenants.superAdmin.username, password: TEST_PASSWORD },
    })
    const token = login.json().data.token as string
    const timed: Timed[] = []
    for (const call of await gather(schemaFolder, isCall)) {
      const ids: Ids = OF_ONE_DEVICE.test(call.name) ? { deviceId: device?.id } : {}
      for (const entry of casesOf(call, ids)) {
        const one = await measure(app, watch, token, call, entry)
        if (!one) continue
        timed.push(one)
        process.stderr.write(`${one.name}: ${one.p95} ms\n`)
        figures[`${one.name}, p95 ms`] = one.p95
        if (one.ratio !== null) figures[`${one.name}, to plain SQL`] = one.ratio
      }
    }
    figures['cases'] = timed.length
    const rolling = performance.now()
    await rollUpFleetJob.run({ ...context, line: undefined as never }, {})
    figures['sums of the present hour and day, s'] = round((performance.now() - rolling) / 1000)
    figures['above target'] = timed
      .filter(({ p95, target }) => p95 > target)
      .map(({ name, p95 }) => `${name} ${p95} ms`)
      .join('; ')
    return { name: 'every list, as the platform’s administrator', figures }
  } finally {
    await app.close()
    await watch.end()
    await context.close()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(`${JSON.stringify(await run(), null, 2)}\n`)
