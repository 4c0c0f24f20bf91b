/** Gateways with terminals and plans as rows, for tests and benchmarks of the data path. */
import type { Context } from '#infra/context'
import type { VariableScale } from '#schema/monitor/scale'

type Sql = Context['sql']
type Of = { id: number; customerId: number }

let made = 0

/** A plain variable: the stored value is the raw one, to two places. */
export const plainScale = (slot: number, over: Partial<VariableScale> = {}): VariableScale => ({
  slot,
  type: 'float32',
  factor: 1,
  addend: 0,
  precision: 2,
  min: null,
  max: null,
  ...over,
})

export async function addTemplate(sql: Sql, customerId: number): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into collection_templates (customer_id, name, type) values (${customerId}, ${`Template ${++made}`}, 'other') returning id`
  return row?.id ?? 0
}

/** A terminal of each gateway, with the next slave id; in the order of the gateways. */
export async function addTerminals(
  sql: Sql,
  deviceIds: readonly number[],
  templateId: number,
): Promise<number[]> {
  made++
  const rows = await sql<{ id: number; deviceId: number }[]>`
    insert into terminals (device_id, name, template_id, protocol, slave_id, slave_address, serial_port, location)
    select id, ${`Terminal ${made}`}, ${templateId}, 'modbusRtu', ${made % 247}, 'bus1', 1, 'Hall 1'
    from unnest(${[...deviceIds]}::int[]) as id returning id, device_id as "deviceId"`
  const ids = new Map(rows.map(({ id, deviceId }) => [deviceId, id]))
  return deviceIds.map((id) => ids.get(id) ?? 0)
}

export async function addTerminal(sql: Sql, device: Of, templateId?: number): Promise<number> {
  const [id] = await addTerminals(sql, [device.id], templateId ?? (await addTemplate(sql, device.customerId)))
  return id ?? 0
}

/** A plan of the gateway that exists, as if it had been compiled. Returns its revision. */
export async function addPlan(
  sql: Sql,
  device: Pick<Of, 'id'>,
  scales: Record<number, readonly VariableScale[]>,
): Promise<number> {
  const revision = ++made
  await sql`
    insert into poll_plans (device_id, revision, hash, document, scales, created_at)
    values (${device.id}, ${revision}, '', ${sql.json({ revision, buses: [], terminals: [] })}, ${sql.json(scales)}, clock_timestamp())`
  await sql`
    insert into collection_states (device_id, revision, running_revision) values (${device.id}, ${revision}, ${revision})
    on conflict (device_id) do update set revision = excluded.revision, running_revision = excluded.revision`
  return revision
}
