/** kill -9 of the worker while it forwards to Kafka: nothing is lost, and at most the batch that was on its way arrives twice. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seal } from '#infra/secrets'
import { noKafka, startCluster } from '../programs/kafka.ts'
import { addDevices, seedTenants } from '../tenants.ts'
import { type Rooms, startRooms } from './rooms.ts'
import { until } from './until.ts'

if (noKafka) process.stderr.write('SKIPPED: kill -9 while forwarding to Kafka (no kcat)\n')

const REPORTS = 30_000
/** As in workers/monitor/north-read.ts. */
const BATCH = 200
const KILLS = 3

describe.skipIf(noKafka)('forwarding to Kafka', () => {
  let rooms: Rooms
  let cluster: Awaited<ReturnType<typeof startCluster>>
  let terminal = 0
  let project = 0

  beforeAll(async () => {
    rooms = await startRooms({ WEBHOOK_ALLOW_PRIVATE: 'true' })
    cluster = await startCluster('plant')
    const { sql } = rooms.context
    const { customerId, groups } = (await seedTenants(rooms.context)).a
    const [device] = await addDevices(sql, customerId, groups.root, 'KAFKA-', 1)
    const idOf = (rows: readonly Record<string, unknown>[]) => Number(rows[0]?.['id'])
    project = idOf(
      await sql`insert into projects (customer_id, group_id, name, type) values (${customerId}, ${groups.root}, 'Plant', 'energy') returning id`,
    )
    const template = idOf(
      await sql`insert into collection_templates (customer_id, name, type) values (${customerId}, 'Meter', 'powerMeter') returning id`,
    )
    await sql`insert into variables (template_id, slot, name, unit, data_type) values (${template}, 0, 'Voltage', 'V', 'float32')`
    terminal = idOf(
      await sql`insert into terminals (device_id, name, template_id, template_since, protocol, slave_id, slave_address)
        values (${device?.id ?? 0}, 'Meter 1', ${template}, now() - interval '1 day', 'modbusTcp', 1, '192.0.2.1') returning id`,
    )
  }, 120_000)
  afterAll(async () => {
    await rooms?.close()
    await cluster?.close()
  }, 60_000)

  it('loses nothing with kill -9 of the worker, and sends at most one batch again for each', async () => {
    const { sql, env } = rooms.context
    const target = Number(
      (
        await sql`insert into north_targets (customer_id, project_id, name, kind, address_sealed, address_shown, topic, alarms_since, caught_up_at, due_at)
          select customer_id, id, 'Kafka', 'kafka', ${seal(cluster.address, env.JWT_SECRET)}, 'shown', 'plant', now(), now(), now()
          from projects where id = ${project} returning id`
      )[0]?.['id'],
    )
    await sql`insert into variable_reports (terminal_id, at, plan, slots, vals)
      select ${terminal}, date_trunc('second', now()) - make_interval(secs => ${REPORTS} - n), 1, '{0}', array[n]::float8[] from generate_series(1, ${REPORTS}) n`
    const values = () =>
      cluster.printed.map(
        (line) =>
          (JSON.parse(line.slice(line.indexOf(' '))) as { values: { Voltage: number } }).values.Voltage,
      )
    for (let kill = 1; kill <= KILLS; kill++) {
      const from = cluster.printed.length
      await until('it forwards', () => cluster.printed.length >= from + 3 * BATCH + kill * 37, 60_000, 1)
      await rooms.kill('workers')
      expect(cluster.printed.length).toBeLessThan(REPORTS)
      // What the dead one held is taken over after its lease, most of a minute: not waited for here.
      await sql`update north_targets set leased_until = now(), due_at = now() where id = ${target}`
    }
    await until(
      'everything has arrived',
      async () => {
        const [row] = await sql<
          { waiting: boolean }[]
        >`select waiting from north_targets where id = ${target}`
        return values().at(-1) === REPORTS && row?.waiting === false
      },
      120_000,
      200,
    )
    const arrived = values()
    expect(new Set(arrived).size).toBe(REPORTS)
    const jumps = arrived.flatMap((value, index) => {
      const step = value - (arrived[index - 1] ?? 0)
      return step === 1 ? [] : [step]
    })
    // Back by at most a batch, once for each kill, and never forward: in order otherwise.
    expect(jumps.length).toBeLessThanOrEqual(KILLS)
    for (const step of jumps) {
      expect(step).toBeLessThanOrEqual(0)
      expect(step).toBeGreaterThan(-BATCH)
    }
  }, 240_000)
})
