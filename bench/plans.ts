/**
 * A polling plan for 1,000 variables: compiled, compared with only serializing and hashing it, which an unchanged plan
 * costs, too. Then the newest values of 10,000 variables by page, through the api, compared with the bare rows of
 * `variable_latest`.
 */
import { createHash } from 'node:crypto'
import { buildServer } from '#api/server'
import { openContext } from '#infra/context'
import { readEnv } from '#infra/env'
import { compilePlan, type PlanSource } from '#schema/monitor/plan/compile'
import type { VariableRow } from '#schema/monitor/plan/rows'
import { addTemplate, addTerminals } from '#test/collecting'
import { seedTenants, TEST_PASSWORD } from '#test/tenants'
import { benchDatabase } from './bench-fleet.ts'

const VARIABLES = 1_000
const TERMINALS = 100
const VARIABLES_OF_EACH = 100
const PAGE = 50
const ROUNDS = 60
const WARM_UP = 10
const TARGET_MS = 50

const variable = (slot: number): VariableRow => ({
  templateId: 1,
  name: `V${slot}`,
  slot,
  registerType: slot % 2 ? 'input' : 'holding',
  // Every fifth leaves a hole that is worth bridging, every fiftieth one that is not.
  address: 2 * slot + 4 * Math.floor(slot / 5) + 40 * Math.floor(slot / 50),
  dataType: 'float32',
  byteOrder: null,
  bit: null,
  length: null,
  noValue: null,
  powerAddress: null,
  factor: 0.1,
  addend: 0,
  precision: 1,
  functionType: 'gauge',
  access: 'read',
  min: null,
  max: null,
  reportType: 'both',
  cycleS: slot % 3 ? 60 : 10,
  deadband: 1,
  minIntervalMs: 0,
  ioController: 'modbus',
  interfaceNumber: null,
  formula: null,
  hidden: false,
})
const source: PlanSource = {
  terminals: [
    {
      id: 1,
      templateId: 1,
      protocol: 'modbusTcp',
      slaveId: 1,
      slaveAddress: '10.0.0.1',
      port: null,
      serialPort: null,
      baudRate: null,
      parity: null,
      dataBits: null,
      stopBits: null,
    },
  ],
  templates: [
    {
      id: 1,
      byteOrder: 'ABCD',
      maxGap: 8,
      maxRegisters: 125,
      timeoutMs: 1_000,
      pauseMs: 0,
      connectDelayMs: 0,
      retries: 2,
      pollMs: 5_000,
    },
  ],
  variables: Array.from({ length: VARIABLES }, (_, slot) => variable(slot)),
  interfaces: true,
}

type Timed = { p50: number; p95: number }
async function time(work: () => unknown): Promise<Timed> {
  const took: number[] = []
  for (let n = 0; n < ROUNDS + WARM_UP; n++) {
    const began = performance.now()
    await work()
    if (n >= WARM_UP) took.push(performance.now() - began)
  }
  took.sort((one, other) => one - other)
  const at = (share: number) => Number((took[Math.ceil(share * took.length) - 1] ?? 0).toFixed(1))
  return { p50: at(0.5), p95: at(0.95) }
}

async function pages() {
  const database = await benchDatabase()
  const { sql } = database
  try {
    const env = readEnv({ NODE_ENV: 'test', DATABASE_URL: database.url, DATA_DIR: database.dir })
    const context = openContext('bench', env, database.url)
    const { a } = await seedTenants(context)
    await sql`update users set mon_state = 1`
    const templateId = await addTemplate(sql, a.customerId)
    const devices = await sql<{ id: number }[]>`
      insert into devices (customer_id, group_id, sn, name, secret_hash)
      select ${a.customerId}, ${a.groups.root}, 'PAGE-' || n, 'PAGE-' || n, '' from generate_series(1, ${TERMINALS}) n returning id`
    await addTerminals(
      sql,
      devices.map(({ id }) => id),
      templateId,
    )
    await sql`
      insert into variables (template_id, slot, name, unit, register_type, address, data_type)
      select ${templateId}, slot, 'V' || slot, 'V', 'holding', 2 * slot, 'float32' from generate_series(0, ${VARIABLES_OF_EACH - 1}) slot`
    await sql`
      update terminal_latest set at = array(select (extract(epoch from now()) * 1000)::bigint - n from generate_series(1, ${VARIABLES_OF_EACH}) n),
        vals = array(select n::float8 from generate_series(1, ${VARIABLES_OF_EACH}) n)`
    await sql`
      insert into variable_hours (at, integral, known_s, terminal_id, good, bad, first_ms, last_ms, slot, stands)
      select date_trunc('hour', now()) - make_interval(hours => h), 3600.0 * h, 3600, t.id, 60, 0, 0, 0, slot, true
      from terminals t, generate_series(1, 48) h, generate_series(0, ${VARIABLES_OF_EACH - 1}) slot`
    await sql`analyze`
    const app = await buildServer(context)
    const post = async (call: string, payload: object, token?: string) => {
      const answer = await app.inject({
        method: 'POST',
        url: `/api/${call}`,
        payload,
        headers: token ? { token } : {},
      })
      return answer.json() as { code: number; data: { token: string; total: number; list: unknown[] } }
    }
    const login = await post('userLogin', { username: a.admin.username, password: TEST_PASSWORD })
    const ask = async (body: object) => {
      const { code, data } = await post(
        'variable/getVariableValues',
        { limit: PAGE, ...body },
        login.data.token,
      )
      if (code !== 0 || data.list.length !== PAGE || data.total !== TERMINALS * VARIABLES_OF_EACH)
        throw new Error(`answered ${code} with ${data?.list.length} of ${data?.total}`)
    }
    const first = await time(() => ask({}))
    const last = await time(() => ask({ offset: (TERMINALS * VARIABLES_OF_EACH) / PAGE }))
    const byTime = await time(() => ask({ sort: 'at' }))
    const bare = await time(() => sql`select * from variable_latest order by terminal_id, slot limit ${PAGE}`)
    await app.close()
    await context.close()
    return { first, last, byTime, bare }
  } finally {
    await database.close()
  }
}

export async function run() {
  const compiled = await time(() => compilePlan(source))
  const plan = compilePlan(source)
  const hashed = await time(() => createHash('sha256').update(JSON.stringify(plan)).digest('hex'))
  const { first, last, byTime, bare } = await pages()
  return {
    name: 'plans',
    figures: {
      variablesOfPlan: VARIABLES,
      requestsOfPlan: plan.terminals[0]?.reads.length ?? 0,
      compileMsP50: compiled.p50,
      compileMsP95: compiled.p95,
      jsonAndHashMsP50: hashed.p50,
      valuesListed: TERMINALS * VARIABLES_OF_EACH,
      firstPageMsP50: first.p50,
      firstPageMsP95: first.p95,
      lastPageMsP50: last.p50,
      lastPageMsP95: last.p95,
      byTimeMsP50: byTime.p50,
      byTimeMsP95: byTime.p95,
      bareRowsMsP50: bare.p50,
      bareRowsMsP95: bare.p95,
      targetMs: TARGET_MS,
    },
  }
}
