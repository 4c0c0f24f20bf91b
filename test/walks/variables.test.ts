/**
 * kill -9 of the broker, the workers and PostgreSQL while gateways report, repeat, report late and out of order, and their
 * template is edited: every acknowledged sample is stored once, scaled by the plan that it was read by, and every change of
 * truth of a notice is recorded with it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PlanScales } from '#schema/monitor/scale'
import { addTemplate, addTerminals } from '../collecting.ts'
import { addDevices, seedTenants, type TestDevice } from '../tenants.ts'
import { LedgerGateway } from './ledger-gateway.ts'
import { type Rooms, startRooms } from './rooms.ts'
import { until } from './until.ts'

const GATEWAYS = 12
/** Of the watched value: it turns every hundred samples or so. */
const BIT = 7
let rooms: Rooms
let devices: TestDevice[]
let terminals: number[]
let templateId = 0

beforeAll(async () => {
  rooms = await startRooms()
  const { sql } = rooms.context
  const { a } = await seedTenants(rooms.context)
  devices = await addDevices(sql, a.customerId, a.groups.root, 'LEDGER-', GATEWAYS)
  templateId = await addTemplate(sql, a.customerId)
  await sql`
    insert into variables (template_id, slot, name, unit, register_type, address, data_type, factor, precision, cycle_s)
    select ${templateId}, slot, 'Variable ' || slot, 'V', 'holding', slot * 2, 'uint32', 1, 2, 86400 from generate_series(0, 1) slot`
  terminals = await addTerminals(
    sql,
    devices.map(({ id }) => id),
    templateId,
  )
  // They report as if it were an hour ago, and the others yesterday: the template must not be younger.
  await sql`update terminals set template_since = now() - interval '3 days'`
  const [rule] = await sql<{ id: number }[]>`
    insert into alarm_rules (customer_id, name, kind, severity, scope, mode, time_zone, language, alert_text, recovery_text)
    values (${a.customerId}, 'Watched', 'variable', 'minor', 'customer', 'once', 'UTC', 'en-US', '{terminal}', '{terminal}') returning id`
  await sql`
    insert into alarm_conditions (rule_id, variable_id, variable_name, unit, operator, bit)
    select ${rule?.id ?? 0}, id, name, unit, 'bitOn', ${BIT} from variables where template_id = ${templateId} and slot = 0`
  // The workers remove what they have read.
  await sql.unsafe(`
    create table truth_ledger as select terminal_id, at, holds from variable_truths;
    create function note_truth() returns trigger language plpgsql as $$
    begin insert into truth_ledger values (new.terminal_id, new.at, new.holds); return null; end $$;
    create trigger truths_noted after insert on variable_truths for each row execute function note_truth()`)
  // It reads the notices when it starts, before it listens.
  await rooms.kill('broker')
}, 180_000)
afterAll(() => rooms?.close(), 60_000)

/** What the broker has to have recorded: each sample that was the newest one when it came, in the order of sending. */
function turnsOf(gateway: LedgerGateway, stored: ReadonlyMap<number, Row>) {
  const inOrder = [...stored.values()]
    .flatMap((row) => {
      const sample = gateway.sent.get(row.at)
      return sample && !sample.late ? [{ row, order: sample.index }] : []
    })
    .sort((one, other) => one.order - other.order)
  const turns: { at: number; holds: boolean }[] = []
  let newest = 0
  let holds = false
  for (const { row } of inOrder) {
    if (row.at <= newest) continue
    newest = row.at
    const now = ((Math.trunc(row.a) >> BIT) & 1) === 1
    if (now !== holds) turns.push({ at: row.at, holds: now })
    holds = now
  }
  return turns
}

type Row = { terminalId: number; at: number; plan: number; a: number; b: number }

it('no acknowledged sample and no change of truth is missing, none is stored twice, and the newest values are the newest', async () => {
  const { sql } = rooms.context
  let stopping = false
  const gateways = devices.map(
    (device, n) => new LedgerGateway(rooms.env.MQTT_PORT, device, Date.now() - 3_600_000 + n),
  )
  const living = gateways.map((gateway) => gateway.live(() => stopping))
  await until('every gateway has its plan', () => gateways.every(({ plan }) => plan !== null), 60_000)
  for (const victim of ['broker', 'workers', 'postgres', 'broker', 'postgres'] as const) {
    await sleep(1_500)
    const [{ factor = 1 } = {}] = await sql<{ factor: number }[]>`
      update variables set factor = factor + 1 where template_id = ${templateId} returning factor`
    await rooms.kill(victim, 300)
    await until(
      `after the ${victim}: a plan with factor ${factor}`,
      () =>
        gateways.every(
          ({ plan, acknowledged }) => plan && [...acknowledged.values()].at(-1)?.plan === plan.revision,
        ),
      60_000,
    )
  }
  stopping = true
  await Promise.all(living)

  const plans = await sql<{ deviceId: number; revision: number; scales: PlanScales }[]>`
    select device_id as "deviceId", revision, scales from poll_plans`
  const factors = new Map(
    plans.flatMap(({ revision, deviceId, scales }) =>
      Object.values(scales).map((list) => [`${deviceId} ${revision}`, list[0]?.factor ?? 0] as const),
    ),
  )
  const rows = await sql<Row[]>`
    select terminal_id as "terminalId", (extract(epoch from at) * 1000)::float8 as at, plan, vals[1] as a, vals[2] as b
    from variable_reports`
  const byTerminal = Map.groupBy(rows, ({ terminalId }) => terminalId)
  let count = 0
  for (const [n, gateway] of gateways.entries()) {
    const own = byTerminal.get(terminals[n] ?? 0) ?? []
    const stored = new Map(own.map((row) => [row.at, row]))
    expect(stored.size, 'one row for each time').toBe(own.length)
    expect(
      [...gateway.acknowledged.keys()].filter((at) => !stored.has(at)),
      'missing',
    ).toEqual([])
    expect(
      [...stored.keys()].filter((at) => !gateway.sent.has(at)),
      'never sent',
    ).toEqual([])
    for (const sample of gateway.acknowledged.values()) {
      const factor = factors.get(`${devices[n]?.id ?? 0} ${sample.plan}`) ?? 0
      expect(stored.get(sample.at)).toMatchObject({
        plan: sample.plan,
        a: sample.n * factor,
        b: (sample.n + 1) * factor,
      })
    }
    const turns = await sql<{ at: number; holds: boolean }[]>`
      select (extract(epoch from at) * 1000)::float8 as at, holds from truth_ledger where terminal_id = ${terminals[n] ?? 0} order by at`
    expect([...turns], 'changes of truth').toEqual(turnsOf(gateway, stored))
    expect(turns.length).toBeGreaterThan(3)
    const newest = Math.max(
      ...[...gateway.acknowledged.values()].flatMap(({ at, late }) => (late ? [] : [at])),
    )
    const [shown] = await sql`
      select (extract(epoch from at) * 1000)::float8 as at, value from variable_latest
      where terminal_id = ${terminals[n] ?? 0} and slot = 0`
    expect(shown).toEqual({ at: newest, value: stored.get(newest)?.a })
    expect(gateway.repeated).toBeGreaterThan(0)
    count += gateway.acknowledged.size
  }
  expect(count).toBeGreaterThan(2_000)
  expect(Math.min(...gateways.map(({ reconnects }) => reconnects))).toBeGreaterThanOrEqual(2)
}, 240_000)
