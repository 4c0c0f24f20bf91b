/**
 * Every declared list on a big installation: first page, searches and each sort order, compared with the statements
 * it sends, sent directly; and the reports and the map's data; as the platform, as a customer's administrator, as a
 * confined user. New lists are included automatically. `BENCH_DIR=<folder>` keeps the seeded database there for the
 * next run; `BENCH_ONLY=<pattern>` measures only matching cases.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { buildServer } from '#api/server'
import { type Context, openContext } from '#infra/context'
import { startEmbeddedPostgres } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { gatherDeclared } from '#infra/gather'
import { migrateDatabase } from '#infra/migrate'
import { type Call, isCall } from '#schema/kit/call'
import { seedTenants, TEST_PASSWORD, type Tenants } from '#test/tenants'
import { watchedContext } from '#test/watched-context'
import { rollUpFleetJob } from '#workers/report/roll-up-fleet'
import { processorSeconds } from './bench-fleet.ts'
import { type Asker, askers, type Case, casesOf, idsFor, LIST_TARGET_MS } from './list-cases.ts'
import { SEEDED, seedInstallation } from './seed.ts'

const ROUNDS = 30
/** First rounds fill caches and compile: not counted. */
const WARM_UP = 3
/** How often the sums of the current hour are measured: they are a job that runs every minute. */
const SUMS = 3

type Watch = ReturnType<typeof watchedContext>
type Figures = Record<string, number | string>
/**
 * `processor`: processor time of a call in this process and the database, independent of other load on the machine.
 */
type Timed = {
  name: string
  p50: number
  p95: number
  processor: number
  ratio: number | null
  target: number
}

const round = (value: number) => Math.round(value * 10) / 10

/** Milliseconds: median and 95th percentile (nearest rank). */
async function time(
  ask: () => Promise<unknown>,
  used = () => 0,
): Promise<{ p50: number; p95: number; processor: number }> {
  const took: number[] = []
  let before = 0
  for (let i = 0; i < ROUNDS + WARM_UP; i++) {
    if (i === WARM_UP) before = used()
    const start = performance.now()
    await ask()
    if (i >= WARM_UP) took.push(performance.now() - start)
  }
  const processor = round((1000 * (used() - before)) / ROUNDS)
  took.sort((a, b) => a - b)
  const at = (share: number) => round(took[Math.ceil(took.length * share) - 1] ?? 0)
  return { p50: at(0.5), p95: at(0.95), processor }
}

let cases = 0

/** Each case uses its own address: a single address would hit the limit of requests per minute. */
function question(app: FastifyInstance, token: string, call: Call, body: Record<string, unknown>) {
  const remoteAddress = `10.0.${cases >> 8}.${cases++ & 255}`
  return async () => {
    const answer = await app.inject({
      method: call.method,
      url: call.path,
      headers: { token },
      remoteAddress,
      ...(call.method === 'GET' ? { query: body as Record<string, string> } : { payload: body }),
    })
    // Rejected or failed requests must not count as fast.
    if (answer.statusCode === 429 || answer.statusCode >= 500)
      throw new Error(`${call.name}: ${answer.statusCode} ${answer.payload.slice(0, 200)}`)
    return answer
  }
}

/** null: not permitted for this user, or a list of a single object that does not exist. */
async function measure(
  ask: ReturnType<typeof question>,
  watch: Watch,
  used: () => number,
  as: Pick<Case, 'name' | 'target'>,
  beside: boolean,
): Promise<Timed | null> {
  const first = await ask()
  if (
    first.statusCode !== 200 ||
    (first.headers['content-type']?.includes('json') && first.json().code !== 0)
  )
    return null
  watch.watched.length = 0
  await ask()
  const statements = watch.watched.filter(({ text }) => /^\s*(select|with|\()/i.test(text))
  const timed = await time(ask, used)
  const plain = beside
    ? await time(() => Promise.all(statements.map((statement) => watch.run(statement))))
    : null
  return { ...as, ...timed, ratio: plain && plain.p50 > 0 ? round(timed.p50 / plain.p50) : null }
}

async function logIn(app: FastifyInstance, { username }: Asker): Promise<string> {
  const login = await app.inject({
    method: 'POST',
    url: '/api/userLogin',
    payload: { username, password: TEST_PASSWORD },
  })
  const { data, message } = login.json()
  if (!data) throw new Error(`${username} cannot log in: ${message}`)
  return data.token
}

/** The longest of the runs (after a long one it pauses): the sums of the current hour and its day. */
async function sumPresent(context: Context): Promise<number> {
  const took: number[] = []
  for (let i = 0; i < SUMS; i++) {
    const start = performance.now()
    await rollUpFleetJob.run({ ...context, line: undefined as never }, {})
    took.push((performance.now() - start) / 1000)
  }
  return round(Math.max(...took))
}

/** A seeded database: one kept from an earlier run, or a new one. */
async function seeded(): Promise<{
  context: Context
  tenants: Tenants
  postgres: number
  figures: Figures
  end(): Promise<void>
}> {
  const kept = process.env['BENCH_DIR']
  const dir = kept ?? mkdtempSync(join(tmpdir(), 'iot-bench-'))
  const postgres = await startEmbeddedPostgres(join(dir, 'postgres'))
  await migrateDatabase(postgres.url)
  // Replies are validated outside production only; the figure is for production.
  const env = readEnv({
    NODE_ENV: 'production',
    JWT_SECRET: 'bench-'.repeat(8),
    DATA_DIR: dir,
    LOG_LEVEL: 'silent',
  })
  const context = openContext('api', env, postgres.url)
  const figures: Figures = {
    devices: SEEDED.devices,
    groups: SEEDED.groups,
    customers: SEEDED.customers,
  }
  const marker = join(dir, 'seeded.json')
  const found = existsSync(marker)
  const tenants = found ? (JSON.parse(readFileSync(marker, 'utf8')) as Tenants) : await seedTenants(context)
  if (!found) {
    const started = performance.now()
    await seedInstallation(postgres.url)
    figures['seeding, s'] = Math.round((performance.now() - started) / 1000)
    if (kept) writeFileSync(marker, JSON.stringify(tenants))
  }
  return {
    context,
    tenants,
    postgres: postgres.pid,
    figures,
    end: async () => {
      await context.close()
      await postgres.stop()
      if (!kept) rmSync(dir, { recursive: true, force: true })
    },
  }
}

/** All cases of all users; the plain statements only for the platform, which reads the most. */
export async function measureAll(
  context: Context,
  tenants: Tenants,
  postgres: number,
  only = /./,
): Promise<Timed[]> {
  const used = () => processorSeconds(process.pid) + processorSeconds(postgres, true)
  const watch = watchedContext(context)
  const app = await buildServer(watch.context)
  const calls = await gatherDeclared(isCall)
  const timed: Timed[] = []
  try {
    for (const [place, asker] of (await askers(context, tenants)).entries()) {
      const token = await logIn(app, asker)
      for (const call of calls)
        for (const entry of casesOf(call, idsFor(call, asker.deviceId))) {
          const name = `${asker.name}: ${call.name}, ${entry.name}`
          if (!only.test(name)) continue
          const one = await measure(
            question(app, token, call, entry.body),
            watch,
            used,
            { name, target: entry.target },
            place === 0,
          )
          if (!one) continue
          timed.push(one)
          const verdict = one.p95 > one.target ? ` ABOVE ${one.target}` : ''
          process.stderr.write(
            `${name}: p50 ${one.p50}, p95 ${one.p95} ms, processor ${one.processor}${verdict}\n`,
          )
        }
    }
    return timed
  } finally {
    await app.close()
    await watch.end()
  }
}

export async function run(): Promise<{ name: string; figures: Figures }> {
  const { context, tenants, postgres, figures, end } = await seeded()
  try {
    const timed = await measureAll(context, tenants, postgres, new RegExp(process.env['BENCH_ONLY'] ?? '.'))
    const middle = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? 0
    const slow = timed.filter(({ p95, target }) => p95 > target)
    figures['cases'] = timed.length
    figures['API to its own plain SQL, median of the medians'] = middle(
      timed.flatMap(({ ratio }) => ratio ?? []),
    )
    for (const { name } of await askers(context, tenants)) {
      const [slowest] = timed
        .filter((one) => one.name.startsWith(name) && one.target === LIST_TARGET_MS)
        .sort((a, b) => b.p95 - a.p95)
      figures[`slowest list as ${name}`] = slowest
        ? `${slowest.name.slice(name.length + 2)} ${slowest.p95} ms p95`
        : '–'
    }
    for (const { name, p50, p95 } of timed.filter(({ target }) => target !== LIST_TARGET_MS))
      figures[`${name}, p50 and p95 ms`] = `${p50} and ${p95}`
    figures['sums of the present hour and day, s'] = await sumPresent(context)
    figures['verdict'] =
      slow.length === 0
        ? `all ${timed.length} cases within their targets`
        : `${slow.length} of ${timed.length} cases ABOVE their target (by processor time ${slow.filter(({ processor, target }) => processor > target).length}): ${slow.map(({ name, p95, target }) => `${name} ${p95} of ${target} ms`).join('; ')}`
    return { name: 'every list, by everybody', figures }
  } finally {
    await end()
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(`${JSON.stringify(await run(), null, 2)}\n`)
