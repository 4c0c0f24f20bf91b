/**
 * Time from publishing a value beyond its limit to the record of the alarm, under half of the required report rate, and
 * under half of the maximum that the same machine accepts in the same run. All variables of the load are monitored by
 * the same rule. The record counts when its transaction is committed, as PostgreSQL announces it.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'mqtt-packet'
import type { Sql } from '#infra/postgres'
import { addTemplate, addTerminals, plainScale } from '#test/collecting'
import { benchDatabase, benchDevices, startChild } from './bench-fleet.ts'
import { dial, dialAll, pump } from './mqtt-load.ts'

const CONNECTIONS = 1_000
/** Each crosses its limit once: an alarm that comes back is not a new record. */
const PROBES = 200
const EVERY_MS = 100
const VALUES = 10
const PLAN = 1
const LIMIT = 80
const slots = Array.from({ length: VALUES }, (_, slot) => slot)
const below = slots.map((slot) => 20 + slot)
const TARGETS = { p50: 100, p99: 500 }
/** Samples that the platform must take on two cores. */
const REQUIRED_PER_SECOND = 150_000

async function seed(sql: Sql): Promise<Map<string, number>> {
  const devices = await sql<{ id: number; sn: string; customerId: number }[]>`
    select id, sn, customer_id as "customerId" from devices order by id`
  const customerId = devices[0]?.customerId ?? 0
  const templateId = await addTemplate(sql, customerId)
  const [watched] = await sql<{ id: number }[]>`
    insert into variables (template_id, slot, name, unit, register_type, address, data_type, cycle_s, report_type)
    select ${templateId}, slot, 'V' || slot, 'V', 'holding', 2 * slot, 'float32', 1, 'both' from generate_series(0, ${VALUES - 1}) slot
    returning id`
  const terminals = await addTerminals(
    sql,
    devices.map(({ id }) => id),
    templateId,
  )
  const scales = slots.map((slot) => plainScale(slot))
  await sql`
    insert into poll_plans (device_id, revision, hash, document, scales, created_at)
    select device_id, ${PLAN}, '', '{}', jsonb_build_object(id, ${sql.json(scales)}::jsonb), clock_timestamp() from terminals`
  await sql`
    update collection_states set revision = ${PLAN}, running_revision = ${PLAN}, stale_since = null`
  const [rule] = await sql<{ id: number }[]>`
    insert into alarm_rules (customer_id, name, kind, severity, scope, mode, time_zone, language, alert_text, recovery_text, updated_at)
    values (${customerId}, 'Too high', 'variable', 'major', 'customer', 'once', 'UTC', 'en-US', '{terminal} {value}', '{terminal} {value}', now() - interval '1 hour')
    returning id`
  await sql`
    insert into alarm_conditions (rule_id, variable_id, variable_name, unit, operator, low)
    values (${rule?.id ?? 0}, ${watched?.id ?? 0}, 'V0', 'V', 'gt', ${LIMIT})`
  await sql.unsafe(`
    create function tell_record() returns trigger language plpgsql as $$
    begin perform pg_notify('bench_records', split_part(new.subject, '/', 1)); return null; end $$;
    create trigger bench_records after insert on alarms for each row execute function tell_record();
    create function tell_turn() returns trigger language plpgsql as $$
    begin perform pg_notify('bench_turns', new.terminal_id::text); return null; end $$;
    create trigger bench_turns after insert on variable_truths for each row execute function tell_turn()`)
  return new Map(devices.map(({ sn }, i) => [sn, terminals[i] ?? 0]))
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0

/** The first time that each terminal is announced, in ms since its value was sent; sorted, when it is stopped. */
async function stopwatch(sql: Sql, channel: string, sentAt: ReadonlyMap<number, number>) {
  const took = new Map<number, number>()
  const listening = await sql.listen(channel, (terminal) => {
    const at = sentAt.get(Number(terminal))
    if (at !== undefined && !took.has(Number(terminal))) took.set(Number(terminal), performance.now() - at)
  })
  return async () => {
    await listening.unlisten()
    return [...took.values()].sort((one, other) => one - other)
  }
}

const named = (what: string, figures: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(figures).map(([name, value]) => [`${what}, ${name}`, value]))

export async function run() {
  const database = await benchDatabase()
  const { sql } = database
  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: database.dir,
    JWT_SECRET: randomBytes(32).toString('hex'),
  }
  try {
    const all = await benchDevices(sql, CONNECTIONS + PROBES)
    const terminalOf = await seed(sql)
    const broker = await startChild('broker/main.ts', env)
    const workers = await startChild(
      'workers/main.ts',
      { ...env, MQTT_PORT: String(broker.port) },
      broker.port,
    )
    // A broker that has just started is no reason to hold alarms back in this run.
    await sql`update brokers set started_at = started_at - interval '5 minutes'`
    const load = all.slice(0, CONNECTIONS)
    const probes = all.slice(CONNECTIONS)
    const sockets = await dialAll(broker.port, load)
    const lines = await Promise.all(probes.map((who) => dial(broker.port, who)))
    // Presence is written, and the broker has read the notices.
    await sleep(8_000)
    const says = (index: number, at: number) => ({
      name: 'variables',
      payload: { plan: PLAN, t: terminalOf.get(load[index]?.sn ?? ''), at, i: slots, v: below },
    })
    const most = await pump(sockets, load, {
      window: 5,
      warmMs: 1_500,
      ms: 5_000,
      watch: () => [],
      says,
      from: Date.now() - 60_000,
    })
    /** `from` and `to` of the probes, under this load. */
    const measure = async (perSecond: number, from: number, to: number) => {
      const sentAt = new Map<number, number>()
      const stored = await stopwatch(sql, 'bench_turns', sentAt)
      const recorded = await stopwatch(sql, 'bench_records', sentAt)
      const beyond = [LIMIT + 10, ...below.slice(1)]
      const probing = (async () => {
        await sleep(2_000)
        for (let i = from; i < to; i++) {
          const sn = probes[i]?.sn ?? ''
          const t = terminalOf.get(sn) ?? 0
          const payload = JSON.stringify({ plan: PLAN, t, at: Date.now(), i: slots, v: beyond })
          sentAt.set(t, performance.now())
          const packet = { cmd: 'publish', topic: `v1/${sn}/up/variables`, payload, qos: 1 } as const
          lines[i]?.write(generate({ ...packet, messageId: 1, retain: false, dup: false }))
          await sleep(EVERY_MS)
        }
      })()
      const pumped = await pump(sockets, load, {
        window: 0,
        warmMs: 1_500,
        ms: (to - from) * EVERY_MS,
        watch: () => [],
        says,
        perSecond,
        from: Date.now(),
      })
      await probing
      await sleep(8_000)
      const [turns, records] = [await stored(), await recorded()]
      return {
        connectionsCut: pumped.cut,
        samplesPerSecond: Math.round(pumped.perSecond * VALUES),
        records: records.length,
        // Stored with the change of truth: until then the broker has been at work, afterwards the workers.
        storedP50Ms: Math.round(quantile(turns, 0.5)),
        storedP99Ms: Math.round(quantile(turns, 0.99)),
        p50Ms: Math.round(quantile(records, 0.5)),
        p99Ms: Math.round(quantile(records, 0.99)),
        slowestMs: Math.round(records.at(-1) ?? 0),
      }
    }
    const required = await measure(REQUIRED_PER_SECOND / VALUES / 2, 0, PROBES / 2)
    const own = await measure(most.perSecond / 2, PROBES / 2, PROBES)
    for (const socket of [...sockets, ...lines]) socket.destroy()
    await workers.stop('SIGKILL')
    await broker.stop('SIGKILL')
    return {
      name: 'variable-alarms',
      figures: {
        connections: CONNECTIONS,
        valuesPerReport: VALUES,
        mostSamplesPerSecond: Math.round(most.perSecond * VALUES),
        ...named('halfOfRequired', required),
        ...named('halfOfMost', own),
        probesEach: PROBES / 2,
        targetP50Ms: TARGETS.p50,
        targetP99Ms: TARGETS.p99,
      },
    }
  } finally {
    await database.close()
  }
}
