/**
 * Values forwarded to a customer's MQTT broker on the same machine, from the stored rows, acknowledged at QoS 1, while gateways report.
 * The target is Debian's Mosquitto, or else bare Aedes. The baseline is a bare client that publishes the same messages to the same broker,
 * as many at once; it reads nothing and remembers no position.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openBrokerLine } from '#infra/monitor/outbound-mqtt'
import type { Sql } from '#infra/postgres'
import { seal } from '#infra/secrets'
import { composeReport } from '#schema/monitor/north-message'
import { startBareMosquitto } from './bare-mosquitto.ts'
import { benchDevices, startChild } from './bench-fleet.ts'
import { onPlatform } from './counted-platform.ts'
import { dialAll, pump } from './mqtt-load.ts'
import { PLAN, seedReadings, slots, VALUES } from './variables.ts'

type Options = { gateways: number; reportsPerSecond: number; backlog: number; seconds: number }

/** As in workers/monitor/north-read.ts. */
const BATCH = 200
/** What one commit of the broker stores when it is busy. */
const REPORTS_PER_COMMIT = 50
const WARM_MS = 3_000
const POLL_MS = 50

/** What waits for the target, stored as the broker does: many reports in each transaction. */
async function storeBacklog(sql: Sql, reports: number): Promise<void> {
  await sql.unsafe(`
    do $$ declare ids int[] := array(select id from terminals order by id); n int := 0; begin
      perform set_config('synchronous_commit', 'off', false);
      while n < ${reports} loop
        insert into variable_reports (terminal_id, at, plan, slots, vals)
        select ids[1 + (n + i) % cardinality(ids)],
          date_trunc('second', now()) - interval '2 hours' + make_interval(secs => ((n + i) / cardinality(ids))),
          ${PLAN}, '{${slots.join(',')}}', array(select 230.5 + s from generate_series(1, ${VALUES}) s)
        from generate_series(0, ${REPORTS_PER_COMMIT - 1}) i;
        n := n + ${REPORTS_PER_COMMIT};
        commit;
      end loop;
    end $$`)
}

/** Values a second of a bare client. */
async function bare(address: string, seconds: number): Promise<number> {
  const values = Object.fromEntries(slots.map((slot) => [`Variable ${slot}`, 230.5 + slot]))
  const body = composeReport(
    {
      project: 'Plant',
      sn: 'BENCH-1',
      device: 'BENCH-1',
      terminalId: 1,
      terminal: 'Terminal 1',
      serial: null,
      at: new Date(),
      values,
      quality: {},
      units: {},
    },
    null,
  )
  const line = await openBrokerLine({
    address,
    clientId: 'bench-bare',
    username: undefined,
    password: undefined,
    allowPrivate: true,
  })
  const began = performance.now()
  let batches = 0
  for (; performance.now() - began < seconds * 1000; batches++)
    await Promise.all(Array.from({ length: BATCH }, () => line.publish('bench/values', body, 15_000)))
  const tookS = (performance.now() - began) / 1000
  line.close()
  return (batches * BATCH * VALUES) / tookS
}

export async function run(over: Partial<Options> = {}) {
  const options: Options = { gateways: 500, reportsPerSecond: 500, backlog: 200_000, seconds: 20, ...over }
  const target = (await startBareMosquitto()) ?? (await startChild('bench/bare-aedes.ts', {}))
  const address = `mqtt://127.0.0.1:${target.port}`
  try {
    return await onPlatform(
      async ({ context, ports, spent }) => {
        const { sql, env } = context
        const all = await benchDevices(sql, options.gateways)
        const terminals = await seedReadings(sql, all)
        await sql`update terminals set template_since = now() - interval '1 day'`
        await sql`
          insert into variables (template_id, slot, name, unit, data_type)
          select distinct t.template_id, s, 'Variable ' || s, 'V', 'float32' from terminals t, unnest(${slots}::int[]) s`
        await sql`
          insert into projects (customer_id, group_id, name, type) select customer_id, id, 'Plant', 'energy' from groups`
        await sql`
          insert into north_targets (customer_id, project_id, name, kind, address_sealed, address_shown, topic, caught_up_at, due_at, enabled)
          select customer_id, id, 'Bench', 'mqtt', ${seal(address, env.JWT_SECRET)}, 'shown', 'bench/{sn}', now(), now(), false from projects`
        await storeBacklog(sql, options.backlog)
        const alone = await bare(address, options.seconds / 4)
        const sent = async () => {
          const [row] = await sql<{ n: number; waiting: boolean; fault: string | null }[]>`
            select sent_count::float8 as n, waiting, fault from north_targets`
          if (!row || row.fault !== null) throw new Error(`the target failed: ${row?.fault}`)
          return row
        }
        const sockets = await dialAll(ports.mqtt, all)
        const reporting = pump(sockets, all, {
          window: 1,
          warmMs: WARM_MS,
          ms: options.seconds * 1000,
          watch: () => [],
          from: Date.now(),
          perSecond: options.reportsPerSecond,
          says: (index, at) => ({
            name: 'variables',
            payload: { plan: PLAN, t: terminals[index], at, i: slots, v: slots.map((slot) => 2_305 + slot) },
          }),
        })
        await sleep(WARM_MS)
        await sql`update north_targets set enabled = true, due_at = now()`
        while ((await sent()).n === 0) await sleep(POLL_MS)
        const before = { ...spent(), n: (await sent()).n, ms: performance.now() }
        const until = before.ms + (options.seconds - 1) * 1000
        let last = await sent()
        while (performance.now() < until && last.waiting) {
          await sleep(POLL_MS)
          last = await sent()
        }
        const tookS = (performance.now() - before.ms) / 1000
        const reports = last.n - before.n
        const used = spent()
        const { perSecond, cut } = await reporting
        for (const socket of sockets) socket.destroy()
        const micros = (room: 'workers' | 'postgres') =>
          Number((((used[room] - before[room]) * 1e6) / (reports * VALUES)).toFixed(1))
        const forwarded = (reports * VALUES) / tookS
        return {
          name: 'north',
          figures: {
            target: target.child.spawnfile.endsWith('mosquitto') ? 'Mosquitto' : 'bare Aedes',
            valuesPerReport: VALUES,
            forwardedValuesPerSecond: Math.round(forwarded),
            caughtUp: last.waiting ? 'no' : 'yes',
            ingestedValuesPerSecond: Math.round(perSecond * VALUES),
            connectionsCut: cut,
            bareClientValuesPerSecond: Math.round(alone),
            ratio: Number((forwarded / alone).toFixed(2)),
            workersMicrosecondsPerValue: micros('workers'),
            postgresMicrosecondsPerValue: micros('postgres'),
          },
        }
      },
      { WEBHOOK_ALLOW_PRIVATE: 'true' },
    )
  } finally {
    await target.stop()
  }
}

if (import.meta.main) {
  const { values: given } = parseArgs({
    options: {
      gateways: { type: 'string' },
      reportsPerSecond: { type: 'string' },
      backlog: { type: 'string' },
      seconds: { type: 'string' },
    },
  })
  const over = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, Number(value)]))
  process.stdout.write(`${JSON.stringify(await run(over), null, 2)}\n`)
  process.exit(0)
}
