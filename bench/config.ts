/**
 * Configuration of many devices: a template saved for 10,000 of them, whose effect is computed in the background, and
 * the devices out of step among 100,000. Baseline: reading the same documents with plain SQL, and counting all rows.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildServer } from '#api/server'
import { type Context, openContext } from '#infra/context'
import { startEmbeddedPostgres } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { migrateDatabase } from '#infra/migrate'
import { openDeviceLine } from '#infra/service-mqtt'
import { configure } from '#test/configured'
import { seedTenants, TEST_PASSWORD } from '#test/tenants'
import { compareTemplatesJob } from '#workers/config/compare-templates'

const DEVICES = 100_000
const REACHED = 10_000
/** One device in this number was changed on the device since. */
const DRIFTED = 50
const ROUNDS = 10

const median = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

async function timed<T>(work: () => Promise<T>): Promise<[number, T]> {
  const start = performance.now()
  const result = await work()
  return [Math.round(performance.now() - start), result]
}

async function medianOf(work: () => Promise<unknown>): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < ROUNDS; round++) took.push((await timed(work))[0])
  return median(took)
}

type Tenant = Awaited<ReturnType<typeof seedTenants>>['a']

/** Rows as a report leaves them: one device is read as such, the others run the same. */
async function seed(context: Context, { customerId, groups, devices }: Tenant): Promise<void> {
  const { sql } = context
  const [first] = devices
  await configure(context, first?.id ?? 0)
  await sql`
    insert into devices (customer_id, group_id, sn, name, model)
    select ${customerId}, case when n <= ${REACHED} then ${groups.branch}::int else ${groups.other}::int end,
      'CONF-' || n, 'Kiosk ' || n, 'R200' from generate_series(1, ${DEVICES}) n`
  await sql`
    insert into device_configs (device_id, level, abilities, running_hash, document_hash, document, packages, document_at, drift)
    select d.id, c.level, c.abilities, c.running_hash, c.document_hash,
      -- Those that no template reaches are never opened: their documents would fill gigabytes.
      case when d.group_id = ${groups.branch} then c.document end,
      c.packages, now(), case when d.id % ${DRIFTED} = 0 then 2 else 0 end
    from devices d cross join device_configs c where d.sn like 'CONF-%' and c.device_id = ${first?.id ?? 0}`
  await sql`vacuum analyze`
}

export async function run(): Promise<{ name: string; figures: Record<string, number | string> }> {
  const dir = mkdtempSync(join(tmpdir(), 'iot-bench-'))
  const postgres = await startEmbeddedPostgres(join(dir, 'postgres'))
  await migrateDatabase(postgres.url)
  const env = readEnv({
    NODE_ENV: 'production',
    JWT_SECRET: 'bench-'.repeat(8),
    DATA_DIR: dir,
    LOG_LEVEL: 'silent',
    SSH_PORT: '0',
  })
  const context = openContext('api', env, postgres.url)
  const line = openDeviceLine(env, 'bench')
  const app = await buildServer(context)
  try {
    const { a } = await seedTenants(context)
    await seed(context, a)
    const call = async (path: string, payload: object, token = '') => {
      const answer = await app.inject({ method: 'POST', url: `/api/${path}`, headers: { token }, payload })
      const { code, data, message } = answer.json() as { code: number; data: never; message: string }
      if (code !== 0) throw new Error(`${path}: ${message}`)
      return data
    }
    const { token } = (await call('userLogin', {
      username: a.admin.username,
      password: TEST_PASSWORD,
    })) as { token: string }
    const template = {
      name: 'Branches',
      pages: { wan: { metric: 42, hostname: 'branch' } },
      groupIds: [a.groups.branch],
    }
    const [saving] = await timed(() => call('configTemplate/addConfigTemplate', template, token))
    // Saved while the others are still being compared: it waits for the batch under way.
    let compared = 0
    const saves: number[] = []
    const { id } = (await call(
      'configTemplate/addConfigTemplate',
      { ...template, name: 'Second' },
      token,
    )) as {
      id: number
    }
    const start = performance.now()
    let worst = 0
    while (compared < REACHED) {
      const job = compareTemplatesJob.run({ ...context, line }, {}) as Promise<{ compared: number }>
      if (saves.length < 3) {
        const [took] = await timed(() =>
          call(
            'configTemplate/modifyConfigTemplate',
            { id, ...template, name: `Second ${saves.length}` },
            token,
          ),
        )
        saves.push(took)
        // What was compared before it was saved is compared again.
        compared = 0
      }
      const { compared: now } = await job
      compared += now
      worst = Math.max(worst, ...saves)
      if (now === 0) break
    }
    const background = Math.round(performance.now() - start)
    const [reading] = await timed(
      () => context.sql`select document from device_configs c join devices d on d.id = c.device_id
        where d.group_id = ${a.groups.branch}`,
    )
    const differing = { configState: 'differs', limit: 20 }
    return {
      name: 'configuration of many devices',
      figures: {
        'devices that the template reaches': REACHED,
        'template saved, ms': saving,
        'template saved while its effect is computed, worst of 3, ms': worst,
        'effect on all of them computed, with three saves between, ms': background,
        'their documents read by plain SQL, ms': reading,
        'devices in all': DEVICES,
        'first page and count of those out of step, p50 ms': await medianOf(() =>
          call('config/getConfigList', differing, token),
        ),
        'devices that need a person, p50 ms': await medianOf(() => call('device/getDeviceNeeds', {}, token)),
        'all rows counted by plain SQL, p50 ms': await medianOf(
          () => context.sql`select count(*) from device_configs where drift + 0 > 0`,
        ),
      },
    }
  } finally {
    await line.close()
    await app.close()
    await context.close()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}
