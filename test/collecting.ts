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

/** A terminal of the gateway, with the next slave id. */
export async function addTerminal(sql: Sql, device: Of, templateId?: number): Promise<number> {
  const template = templateId ?? (await addTemplate(sql, device.customerId))
  made++
  const [row] = await sql<{ id: number }[]>`
    insert into terminals (device_id, name, template_id, protocol, slave_id, slave_address, serial_port, location)
    values (${device.id}, ${`Terminal ${made}`}, ${template}, 'modbusRtu', ${made}, 'bus1', 1, 'Hall 1') returning id`
  return row?.id ?? 0
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

/** The newest value of a slot, as if the gateway had reported it; for pages and rules that read `variable_latest`. */
export async function setLatest(
  sql: Sql,
  terminalId: number,
  slot: number,
  value: number | null,
  over: { at?: Date; quality?: number } = {},
): Promise<void> {
  const at = (over.at ?? new Date()).getTime()
  const quality = over.quality ?? 0
  await sql`
    update terminal_latest set version = version + 1, at[${slot + 1}] = ${at}, vals[${slot + 1}] = ${value},
      quality[${slot + 1}] = ${quality} where terminal_id = ${terminalId}`
}
