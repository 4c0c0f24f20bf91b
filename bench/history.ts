/**
 * History of variables that are read every second: a year of one variable, drawn from hours; a day of samples of eight;
 * a week of samples as CSV. Each is compared with plain SQL in the same run. A week of reports is summed by the job
 * itself; the hours of the other weeks are copies of those (31 million samples of a year would take longer to store
 * than everything else).
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { openContext } from '#infra/context'
import { freePort } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { ensurePartitions } from '#infra/partitions'
import { hashPassword } from '#infra/secrets'
import { seedRoles } from '#launch/seed'
import { addTemplate, addTerminals } from '#test/collecting'
import { rollUpVariablesJob } from '#workers/monitor/roll-up-variables'
import { benchDatabase, benchDevices, startChild } from './bench-fleet.ts'

const VARIABLES = 8
const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS
const WEEKS = 52
const ROUNDS = 7
const PASSWORD = 'bench-horse-7'

const median = (all: readonly number[]) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0
async function timed(work: () => Promise<unknown>): Promise<number> {
  const took: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const began = performance.now()
    await work()
    took.push(performance.now() - began)
  }
  return Math.round(median(took))
}
const rssMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

export async function run(): Promise<{ name: string; figures: Record<string, number | string> }> {
  const database = await benchDatabase()
  const { sql } = database
  const context = openContext('bench', readEnv({ DATA_DIR: database.dir, LOG_LEVEL: 'error' }), database.url)
  try {
    await seedRoles(sql)
    await benchDevices(sql, 1)
    const [device] = await sql<{ id: number; customerId: number }[]>`
      select id, customer_id as "customerId" from devices`
    const { id: deviceId, customerId } = device ?? { id: 0, customerId: 0 }
    const templateId = await addTemplate(sql, customerId)
    const variables = await sql<{ id: number }[]>`
      insert into variables (template_id, slot, name, unit, register_type, address, data_type, precision, cycle_s, function_type)
      select ${templateId}, n, 'V' || n, 'V', 'input', n, 'float32', 2, 1, case n when 0 then 'counter' else 'gauge' end
      from generate_series(0, ${VARIABLES - 1}) n returning id`
    const [terminalId = 0] = await addTerminals(sql, [deviceId], templateId)
    await sql`update terminals set template_since = to_timestamp(0)`
    const end = Math.floor(Date.now() / DAY_MS) * DAY_MS
    await ensurePartitions(sql, context.now(), { daysBack: 8, tables: ['variable_reports'] })
    const slots = Array.from({ length: VARIABLES }, (_, n) => n)
    const vals = slots.map((n) =>
      n === 0 ? 's' : `round((230 + ${n} + 10 * sin(s / ${97 + n}.0))::numeric, 2)`,
    )
    let began = performance.now()
    for (let day = end - WEEK_MS; day < end; day += DAY_MS)
      await sql.unsafe(
        `insert into variable_reports (at, terminal_id, plan, slots, vals)
        select to_timestamp($1::float8 + s), $2, 1, '{${slots}}', array[${vals}]::float8[] from generate_series(0, 86399) s`,
        [day / 1000, terminalId],
      )
    const storedS = (performance.now() - began) / 1000
    const line = { connected: () => false, publish: async () => undefined, close: async () => undefined }
    began = performance.now()
    const { hours } = (await rollUpVariablesJob.run({ ...context, line }, {})) as { hours: number }
    const summedS = (performance.now() - began) / 1000
    for (const table of ['variable_hours', 'variable_quarters'])
      await sql.unsafe(
        `insert into ${table} (at, integral, known_s, min, max, first, last, terminal_id, good, bad, first_ms, last_ms, slot, stands, steps)
        select at - w * interval '7 days', integral, known_s, min, max, first, last, terminal_id, good, bad, first_ms, last_ms, slot, stands, steps
        from ${table}, generate_series(1, ${WEEKS}) w`,
      )
    await sql`analyze`

    const hash = await hashPassword(PASSWORD, { memory: 8, passes: 1, parallelism: 1, tagLength: 32 })
    await sql`
      insert into users (username, password_hash, type, role_id, customer_id, mon_state)
      select 'bench', ${hash}, 'customerAdmin', (select id from roles where customer_id is null and name = 'customerAdmin'), ${customerId}, 1`
    const http = await freePort()
    const api = await startChild('api/main.ts', {
      DATABASE_URL: database.url,
      DATA_DIR: database.dir,
      JWT_SECRET: randomBytes(32).toString('hex'),
      HTTP_PORT: String(http),
      HTTP_HOST: '127.0.0.1',
      SSH_PORT: '0',
      NODE_ENV: 'production',
    })
    const post = (call: string, body: object, token?: string) =>
      fetch(`http://127.0.0.1:${http}/api/${call}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(token ? { token } : {}) },
        body: JSON.stringify(body),
      })
    const login = (await (await post('userLogin', { username: 'bench', password: PASSWORD })).json()) as {
      data: { token: string }
    }
    const of = (count: number, step: string, days: number) => ({
      terminalIds: Array.from({ length: count }, () => terminalId),
      variableIds: variables.slice(0, count).map(({ id }) => id),
      from: new Date(end - days * DAY_MS).toISOString(),
      to: new Date(end).toISOString(),
      step,
      zone: 'UTC',
    })
    let points = 0
    const ask = async (body: object) => {
      const answer = (await (
        await post('variableHistory/getVariableHistory', body, login.data.token)
      ).json()) as { code: number; message: string; data: { at: string[]; thinnedFrom: number | null } }
      if (answer.code !== 0) throw new Error(answer.message)
      points = answer.data.at.length
    }
    const yearMs = await timed(() => ask(of(1, 'hour', 364)))
    const yearPoints = points
    const yearDaysMs = await timed(() => ask(of(1, 'day', 364)))
    const yearSqlMs = await timed(
      () => sql`
        select at, integral / known_s, min, max, last from variable_hours
        where terminal_id = ${terminalId} and slot = 0 and at >= ${new Date(end - 364 * DAY_MS)} order by at`,
    )
    const dayMs = await timed(() => ask(of(VARIABLES, 'raw', 1)))
    const daySqlMs = await timed(
      () => sql`
        select at, to_json(vals) from variable_reports where terminal_id = ${terminalId} and at >= ${new Date(end - DAY_MS)} and at < ${new Date(end)}`,
    )

    const startMb = rssMb(api.child.pid ?? 0)
    let [bytes, highestMb] = [0, startMb]
    began = performance.now()
    const file = await post(
      'variableHistory/exportVariableHistory',
      of(VARIABLES, 'raw', 7),
      login.data.token,
    )
    for await (const chunk of file.body ?? []) {
      bytes += chunk.length
      highestMb = Math.max(highestMb, rssMb(api.child.pid ?? 0))
    }
    const csvS = (performance.now() - began) / 1000
    began = performance.now()
    let copied = 0
    await sql.begin(async (tx) => {
      const copy = await tx`
        copy (select r.at, 'BENCH-0', 'Terminal', 'V' || u.slot, 'V', u.val, 'Good' from variable_reports r, unnest(r.slots, r.vals) as u(slot, val))
        to stdout with (format csv)`.readable()
      for await (const chunk of copy) copied += (chunk as Buffer).length
    })
    const copyS = (performance.now() - began) / 1000
    await api.stop()
    const mbS = (size: number, seconds: number) => Number((size / 1e6 / seconds).toFixed(1))
    return {
      name: 'history',
      figures: {
        variables: VARIABLES,
        samplesStoredPerSecond: Math.round((7 * 86_400 * VARIABLES) / storedS),
        hoursSummed: hours,
        samplesSummedPerSecond: Math.round((7 * 86_400 * VARIABLES) / summedS),
        yearByHoursMs: yearMs,
        yearByHoursPoints: yearPoints,
        yearByDaysMs: yearDaysMs,
        yearPlainSqlMs: yearSqlMs,
        dayOfSamplesMs: dayMs,
        dayPlainSqlMs: daySqlMs,
        csvMegabytes: Math.round(bytes / 1e6),
        csvMegabytesPerSecond: mbS(bytes, csvS),
        plainCopyMegabytesPerSecond: mbS(copied, copyS),
        apiMegabytesBeforeCsv: Math.round(startMb),
        apiMegabytesHighest: Math.round(highestMb),
      },
    }
  } finally {
    await context.close()
    await database.close()
  }
}

if (import.meta.main) process.stdout.write(`${JSON.stringify(await run(), null, 2)}\n`)
