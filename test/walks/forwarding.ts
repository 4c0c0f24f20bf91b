/** What the walks about forwarding share: plants of two customers, their targets, and receivers that take what arrives or stop acknowledging it. */
import { createServer as createWeb } from 'node:http'
import { type AddressInfo, createServer as createPlain, type Server, type Socket } from 'node:net'
import { Aedes } from 'aedes'
import { seal } from '#infra/secrets'
import type { NorthKind } from '#schema/monitor/north-kinds'
import { startCluster } from '../programs/kafka.ts'
import { addDevices, seedTenants, type Tenant } from '../tenants.ts'
import { type Rooms, startRooms } from './rooms.ts'

/** As many as the walks open: Kafka takes some thousands before a kill arrives. */
export const ALARMS = 15_000

export type Receiver = {
  kind: NorthKind
  address: string
  /** The numbers of what has arrived, in that order: the value of a report or an alarm. */
  arrived: () => readonly number[]
  /** Acknowledges nothing more once that many have arrived; `keeps`: and what comes then has arrived all the same. */
  hangAfter: (count: number, keeps?: boolean) => void
  /** Whether something came since then. */
  hangs: () => boolean
  close: () => Promise<unknown>
}

type Forwarded =
  | { type: 'values'; values: { Voltage: number } }
  | { type: 'alarm'; value: number; state: string }
/** Ends of alarms are numbered after their beginnings. */
const numberOf = (of: Forwarded) =>
  of.type === 'values' ? of.values.Voltage : of.value + (of.state === 'ended' ? ALARMS : 0)
const numberIn = (body: string) => numberOf(JSON.parse(body) as Forwarded)

/** @returns the port */
async function listen(server: Server): Promise<number> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}
/** Also ends connections that wait for an acknowledgement. */
function closer(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket.on('error', () => undefined))
    socket.once('close', () => sockets.delete(socket))
  })
  return () => {
    for (const socket of sockets) socket.destroy()
    return new Promise((done) => server.close(() => done()))
  }
}

/** What has arrived, and whether the next message is acknowledged. */
function inTray() {
  const values: number[] = []
  let limit = { count: Number.POSITIVE_INFINITY, keeps: true }
  let hangs = false
  return {
    /** Whether to acknowledge. */
    take: (more: readonly number[]): boolean => {
      hangs = values.length >= limit.count
      if (!hangs || limit.keeps) values.push(...more)
      return !hangs
    },
    of: {
      arrived: () => values,
      hangAfter: (count: number, keeps = true) => {
        limit = { count, keeps }
        hangs = false
      },
      hangs: () => hangs,
    },
  }
}

export async function startWebService(): Promise<Receiver> {
  const { take, of } = inTray()
  const server = createWeb((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const batch = JSON.parse(Buffer.concat(parts).toString()) as Forwarded[]
      if (take(batch.map(numberOf))) response.end()
    })
  })
  const close = closer(server)
  return { kind: 'http', address: `http://127.0.0.1:${await listen(server)}/in`, ...of, close }
}

export async function startBroker(): Promise<Receiver> {
  const { take, of } = inTray()
  const aedes = await Aedes.createBroker()
  aedes.authorizePublish = (_client, { payload }, allow) => {
    // Aedes acknowledges after this.
    if (take([numberIn(String(payload))])) allow(null)
  }
  const server = createPlain(aedes.handle)
  const close = closer(server)
  return {
    kind: 'mqtt',
    address: `mqtt://127.0.0.1:${await listen(server)}`,
    ...of,
    close: async () => {
      await close()
      await new Promise<void>((done) => aedes.close(() => done()))
    },
  }
}

/** librdkafka's cluster acknowledges always: a kill meets it where it happens to be. */
export async function startKafka(): Promise<Receiver> {
  const cluster = await startCluster('plant')
  let most = 0
  return {
    kind: 'kafka',
    address: cluster.address,
    arrived: () => cluster.printed.map((line) => numberIn(line.slice(line.indexOf('{')))),
    hangAfter: (count) => {
      most = count
    },
    hangs: () => cluster.printed.length >= most,
    close: cluster.close,
  }
}

/** Takes connections, and says nothing on them. */
export async function startSilent(kind: 'http' | 'mqtt'): Promise<Receiver> {
  const server = createPlain(() => undefined)
  const close = closer(server)
  const address = `${kind}://127.0.0.1:${await listen(server)}`
  return { kind, address, ...inTray().of, close }
}

type Plant = { project: number; terminal: number; rule: number }
const idOf = (rows: readonly Record<string, unknown>[]) => Number(rows[0]?.['id'])

async function addPlant({ context: { sql } }: Rooms, { customerId, groups }: Tenant): Promise<Plant> {
  const [device] = await addDevices(sql, customerId, groups.root, `NORTH-${customerId}-`, 1)
  const project = idOf(
    await sql`insert into projects (customer_id, group_id, name, type) values (${customerId}, ${groups.root}, 'Plant', 'energy') returning id`,
  )
  const template = idOf(
    await sql`insert into collection_templates (customer_id, name, type) values (${customerId}, 'Meter', 'powerMeter') returning id`,
  )
  await sql`insert into variables (template_id, slot, name, unit, data_type) values (${template}, 0, 'Voltage', 'V', 'float32')`
  const terminal = idOf(
    await sql`insert into terminals (device_id, name, template_id, template_since, protocol, slave_id, slave_address)
      values (${device?.id ?? 0}, 'Meter 1', ${template}, now() - interval '1 day', 'modbusTcp', 1, '192.0.2.1') returning id`,
  )
  const rule = idOf(
    await sql`insert into alarm_rules (customer_id, name, kind, severity, scope, time_zone, language, alert_text, recovery_text)
      values (${customerId}, 'Hot', 'temperature', 'major', 'customer', 'UTC', 'en-US', '{device}', '{device}') returning id`,
  )
  return { project, terminal, rule }
}

/** The processes, and a plant of each of two customers; values and targets are written as the broker and the console do. */
export async function startForwarding() {
  const rooms = await startRooms({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  const { sql, env } = rooms.context
  const tenants = await seedTenants(rooms.context)
  return {
    rooms,
    plants: { a: await addPlant(rooms, tenants.a), b: await addPlant(rooms, tenants.b) },
    aim: async (
      { project }: Plant,
      { kind, address }: Receiver,
      { name = kind as string, values = true } = {},
    ) =>
      idOf(
        await sql`insert into north_targets (customer_id, project_id, name, kind, address_sealed, address_shown, topic, values, caught_up_at, due_at)
          select customer_id, id, ${name}, ${kind}, ${seal(address, env.JWT_SECRET)}, 'shown', 'plant', ${values}, now(), now()
          from projects where id = ${project} returning id`,
      ),
    /** The values `1` to `count`, a second apart, up to now. */
    store: async ({ terminal }: Plant, count: number) => {
      await sql`delete from variable_reports where terminal_id = ${terminal}`
      await sql`insert into variable_reports (terminal_id, at, plan, slots, vals)
        select ${terminal}, date_trunc('second', now()) - make_interval(secs => ${count} - n), 1, '{0}', array[n]::float8[] from generate_series(1, ${count}) n`
    },
    /** Each about a part of its own, which no rule observes: so they stay open until `endAlarms`. */
    openAlarms: ({ terminal, rule }: Plant) => sql`
      insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_name, subject, value, started_at, last_at, notified)
      select d.customer_id, ${rule}, 'Hot', 'temperature', 'major', d.id, d.sn, d.name, '', 'part ' || n, n, now(), now(), 'all'
      from terminals t join devices d on d.id = t.device_id, generate_series(1, ${ALARMS}) n where t.id = ${terminal} order by n`,
    endAlarms: ({ rule }: Plant) => sql`
      update alarms set ended_at = now(), end_reason = 'recovered' where rule_id = ${rule} and ended_at is null`,
    target: async (id: number) => {
      const [row] = await sql<{ waiting: boolean; fault: string | null; failures: number }[]>`
        select waiting, fault, failures from north_targets where id = ${id}`
      return row
    },
    /** What a dead process held is taken over after its lease, most of a minute: not waited for. */
    endLease: (id: number) =>
      sql`update north_targets set leased_until = now(), due_at = now() where id = ${id}`,
    removeTarget: (id: number) => sql`delete from north_targets where id = ${id}`,
  }
}

/** Steps between neighbours that are not 1, and how far each goes back. */
export const stepsBack = (arrived: readonly number[]): number[] =>
  arrived.flatMap((value, index) => {
    const step = value - (arrived[index - 1] ?? 0)
    return step === 1 ? [] : [step]
  })
