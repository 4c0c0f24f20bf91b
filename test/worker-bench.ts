/** For tests of the workers: a device line that records messages, and devices that exist only as rows. */
import { randomUUID } from 'node:crypto'
import type { DeviceLine } from '#infra/service-mqtt'
import { reboot } from '#schema/device/commands/power'
import type { WorkerContext } from '#workers/kit/processor'
import { testContext } from './harness.ts'
import { byForce } from './move-check.ts'
import { addPackage, seedTenants, type TestDevice, type TestUser } from './tenants.ts'

export type Said = { sn: string; name: string; payload: Record<string, unknown> }
export type FakeLine = DeviceLine & { said: Said[]; up: boolean; fail: boolean }

function fakeLine(): FakeLine {
  const line: FakeLine = {
    said: [],
    up: true,
    fail: false,
    connected: () => line.up,
    publish: async (sn, message, payload) => {
      if (line.fail) throw new Error('the broker did not acknowledge')
      const parsed = message.payload.parse(payload) as Record<string, unknown>
      line.said.push({ sn, name: message.name, payload: parsed })
    },
    close: async () => undefined,
  }
  return line
}

/** The defaults of the parameters. */
export const UPGRADE_DEADLINES = {
  sent: 60,
  connected: 60,
  downloading: 120,
  downloaded: 120,
  upgrading: 600,
}

export type Bench = Awaited<ReturnType<typeof openBench>>

/** A worker context with a clock that advances only by `pass`, on a database with two tenants. */
export async function openBench() {
  const base = await testContext()
  let clock = Date.now()
  const line = fakeLine()
  const ctx: WorkerContext & { line: FakeLine } = { ...base, line, now: () => new Date(clock) }
  const tenants = await seedTenants(ctx)
  const { sql } = ctx
  // A broker that is there all the time: without one nothing is overdue.
  await sql`insert into brokers (id, started_at, beat_at) values ('bench', to_timestamp(0), 'infinity')`
  const bench = {
    ctx,
    line,
    tenants,
    pass: (ms: number) => {
      clock += ms
    },
    heard: (name: string) => line.said.filter((entry) => entry.name === name),
    /** The device connects and its hello has been processed. */
    greet: async (device: TestDevice, bootId = 'boot-1', firmware = '1.0.0') => {
      await sql`
        update device_states set online = true, last_login_at = ${ctx.now()}, connection_id = ${randomUUID()}
        where device_id = ${device.id}`
      await sql`update devices set hello_at = ${ctx.now()}, boot_id = ${bootId}, firmware = ${firmware} where id = ${device.id}`
    },
    leave: (device: TestDevice) =>
      sql`update device_states set online = false where device_id = ${device.id}`,
    /** Inserts a report like the broker. */
    report: (device: TestDevice, name: string, payload: object) => sql`
      insert into inbox (device_id, name, payload, received_at)
      values (${device.id}, ${name}, ${sql.json(payload)}, ${ctx.now()})`,
    progress: (device: TestDevice, item: string, step: string, more: object = {}) =>
      bench.report(device, 'progress', { item, at: 0, step, ...more }),
    hello: (device: TestDevice, bootId: string, firmware: string, more: object = {}) =>
      bench.report(device, 'hello', { at: 0, bootId, model: 'R200', firmware, ...more }),
    task: async (devices: readonly TestDevice[], of: { version?: string; startAt?: Date } = {}) => {
      const version = of.version ?? '2.0.0'
      const found = await addPackage(ctx, {
        customerId: null,
        model: 'R200',
        version: `${version}-${randomUUID()}`,
      })
      const [row] = await sql<{ id: number }[]>`
        insert into tasks (kind, customer_id, name, package_id, package_name, type, model, version, size_bytes, sha256, md5,
          keep_config, start_at, wait_offline_minutes, deadlines, created_by, responsible_id)
        values ('upgrade', ${devices[0]?.customerId ?? null}, 'T', ${found.id}, 'R200 firmware', 'upgrade', 'R200', ${version},
          ${found.sizeBytes}, ${found.sha256}, ${found.md5}, true, ${of.startAt ?? ctx.now()}, 15, ${sql.json(UPGRADE_DEADLINES)},
          ${tenants.superAdmin.id}, ${tenants.superAdmin.id}) returning id`
      const taskId = row?.id ?? 0
      const items = await sql<{ id: string; deviceId: number }[]>`
        insert into task_items (id, task_id, device_id, customer_id, deadline_at)
        select gen_random_uuid(), ${taskId}, id, customer_id, ${new Date(clock + 15 * 60_000)} from devices
        where id = any(${devices.map((device) => device.id)}) returning id, device_id as "deviceId"`
      const itemOf = (device: TestDevice) => items.find((item) => item.deviceId === device.id)?.id ?? ''
      return { taskId, itemOf }
    },
    /** A reboot of many, at the declared rate of the command. */
    reboot: async (
      devices: readonly TestDevice[],
      { waitMs = 3_600_000, sender = tenants.a.admin }: { waitMs?: number; sender?: TestUser } = {},
    ) => {
      const { atOnce, perSecond, shareOfGroup } = reboot.bulk ?? { atOnce: 0, perSecond: 0, shareOfGroup: 0 }
      const until = new Date(clock + waitMs)
      const [row] = await sql<{ id: number }[]>`
        insert into tasks (kind, command, args, customer_id, created_by, responsible_id, name, start_at, wait_offline_minutes,
          expires_at, deadlines, max_in_flight, max_per_second, group_share, max_failure_percent, matching)
        values ('reboot', 'reboot', '{"delayS":0}', ${sender.customerId}, ${sender.id}, ${sender.id}, 'R', ${ctx.now()}, 60,
          ${until}, '{"sent":300,"upgrading":300}', ${atOnce}, ${perSecond}, ${shareOfGroup}, 10, ${devices.length}) returning id`
      const taskId = row?.id ?? 0
      await sql`
        insert into task_items (id, task_id, device_id, customer_id, deadline_at, step_at)
        select gen_random_uuid(), ${taskId}, id, customer_id, ${until}, ${ctx.now()} from devices
        where id = any(${devices.map((device) => device.id)})`
      return taskId
    },
    /** Items by state: `waiting`, `away`, or the outcome. */
    standing: async (taskId?: number): Promise<Record<string, number>> => {
      const rows = await sql<{ what: string; n: number }[]>`
        select coalesce(outcome, case when sending = 'none' then 'waiting' else 'away' end) as what, count(*)::int as n
        from task_items where ${taskId === undefined ? sql`true` : sql`task_id = ${taskId}`} group by 1`
      return Object.fromEntries(rows.map(({ what, n }) => [what, n]))
    },
    /** Forces items into a state, bypassing the table of transitions. */
    force: (set: Partial<Record<'step' | 'sending' | 'outcome', string | null>>, ids: readonly string[]) =>
      byForce(sql, (tx) => tx`update task_items set ${tx(set)} where id = any(${[...ids]}::uuid[])`),
    item: async (id: string) => {
      const [row] = await sql<
        {
          step: string
          percent: number | null
          outcome: string | null
          failure: string | null
          sending: string
          offers: number
          events: string[]
          status: string
        }[]
      >`
        select i.step, i.percent, i.outcome, i.failure, i.sending, i.offers, t.status,
          array(select what from task_events e where e.item_id = i.id order by e.id) as events
        from task_items i join tasks t on t.id = i.task_id where i.id = ${id}`
      if (!row) throw new Error('no such item')
      return row
    },
  }
  return bench
}
