/** Compiles the plans of the gateways that triggers have marked: whose terminals, templates or variables have changed. */
import { createHash } from 'node:crypto'
import { INTERFACES_FEATURE, PLAN_BYTES_MAX } from '#schema/monitor/collection'
import { compilePlan, type PlanSource } from '#schema/monitor/plan/compile'
import type { TemplateRow, TerminalRow, VariableRow } from '#schema/monitor/plan/rows'
import type { Transaction, WorkerContext } from '../kit/processor.ts'

const AT_ONCE = 50
/** Revisions are seconds since then: a gateway that comes from another installation never has one of ours by chance. */
const REVISIONS_SINCE = Date.UTC(2026, 0, 1)

type Stale = { deviceId: number; revision: number | null; hash: string | null }

/**
 * Locked: a concurrent change marks the gateway again afterwards. `hash` null: its plan is not kept, however equal the new one is,
 * as with a copy of a template. The broker stores no values by a plan that is older than the template of their terminal.
 */
const takeStale = (tx: Transaction) => tx<Stale[]>`
  select c.device_id as "deviceId", c.revision,
    case when p.created_at >= all(select t.template_since from terminals t where t.device_id = c.device_id) then p.hash end as hash
  from collection_states c left join poll_plans p on p.device_id = c.device_id and p.revision = c.revision
  where c.stale_since is not null order by c.device_id limit ${AT_ONCE} for update of c skip locked`

async function readSources(tx: Transaction, deviceIds: readonly number[]): Promise<Map<number, PlanSource>> {
  const terminals = await tx<(TerminalRow & { deviceId: number })[]>`
    select device_id as "deviceId", id, template_id as "templateId", protocol, slave_id as "slaveId",
      slave_address as "slaveAddress", port, serial_port as "serialPort", baud_rate as "baudRate", parity,
      data_bits as "dataBits", stop_bits as "stopBits"
    from terminals t where device_id = any(${deviceIds}::int[]) and not t.hidden
      and not exists (select 1 from south_terminals l where l.terminal_id = t.id) order by id`
  const used = [...new Set(terminals.map(({ templateId }) => templateId))]
  const templates = await tx<TemplateRow[]>`
    select id, byte_order as "byteOrder", max_gap as "maxGap", max_registers as "maxRegisters", timeout_ms as "timeoutMs",
      pause_ms as "pauseMs", connect_delay_ms as "connectDelayMs", retries, poll_ms as "pollMs"
    from collection_templates where id = any(${used}::int[]) order by id`
  const variables = await tx<VariableRow[]>`
    select template_id as "templateId", name, slot, register_type as "registerType", address, data_type as "dataType",
      byte_order as "byteOrder", bit, length, no_value as "noValue", power_address as "powerAddress", factor, addend,
      precision, function_type as "functionType", access, min, max, report_type as "reportType", cycle_s as "cycleS",
      deadband, min_interval_ms as "minIntervalMs", io_controller as "ioController",
      interface_number as "interfaceNumber", formula, hidden
    from variables where template_id = any(${used}::int[]) order by template_id, slot`
  const capable = await tx<{ id: number }[]>`
    select id from devices where id = any(${deviceIds}::int[]) and features ? ${INTERFACES_FEATURE}`
  const withInterfaces = new Set(capable.map(({ id }) => id))
  const own = Map.groupBy(terminals, ({ deviceId }) => deviceId)
  return new Map(
    deviceIds.map((id) => {
      const its = own.get(id) ?? []
      const ids = new Set(its.map(({ templateId }) => templateId))
      return [
        id,
        {
          terminals: its,
          templates: templates.filter((template) => ids.has(template.id)),
          variables: variables.filter(({ templateId }) => ids.has(templateId)),
          interfaces: withInterfaces.has(id),
        },
      ]
    }),
  )
}

/** An equal plan keeps its revision; null: too large for one message. */
function compile(source: PlanSource, { revision, hash }: Stale, now: Date) {
  const { buses, terminals, scales, lint } = compilePlan(source)
  const text = JSON.stringify({ buses, terminals })
  if (text.length > PLAN_BYTES_MAX)
    return { revision, lint: [{ kind: 'tooLarge', bytes: text.length }], polled: null, made: null }
  const polled = terminals.map(({ t }) => t)
  const found = createHash('sha256').update(text).update(JSON.stringify(scales)).digest('hex')
  if (found === hash) return { revision, lint, polled, made: null }
  const seconds = Math.floor((now.getTime() - REVISIONS_SINCE) / 1000)
  const next = Math.max((revision ?? 0) + 1, seconds)
  const document = { revision: next, buses, terminals }
  return { revision: next, lint, polled, made: { revision: next, hash: found, document, scales } }
}

/**
 * What a gateway said last of a slave that it no longer polls (hidden, linked to a foreign source, without anything to
 * read) would stay for ever. Locked rows are skipped: whoever has them marks the gateway again, and waits for what is
 * locked here.
 */
const forgetStates = (
  tx: Transaction,
  of: readonly { deviceId: number; polled: readonly number[] | null }[],
) => tx`
  delete from terminal_states where terminal_id in (
    select s.terminal_id
    from jsonb_to_recordset(${tx.json(of.filter(({ polled }) => polled !== null))}) as v("deviceId" integer, polled jsonb)
      join terminals t on t.device_id = v."deviceId" and not v.polled @> to_jsonb(t.id)
      join terminal_states s on s.terminal_id = t.id
    for update of s skip locked)`

async function compileSome(ctx: WorkerContext): Promise<{ looked: number; made: number }> {
  return ctx.sql.begin(async (tx) => {
    const stale = await takeStale(tx)
    if (stale.length === 0) return { looked: 0, made: 0 }
    const sources = await readSources(
      tx,
      stale.map(({ deviceId }) => deviceId),
    )
    const compiled = stale.map((one) => ({
      deviceId: one.deviceId,
      ...compile(sources.get(one.deviceId) as PlanSource, one, ctx.now()),
    }))
    const made = compiled.flatMap(({ deviceId, made: plan }) => (plan ? [{ deviceId, ...plan }] : []))
    await tx`
      insert into poll_plans (device_id, revision, hash, document, scales, created_at)
      select "deviceId", revision, hash, document, scales, clock_timestamp()
      from jsonb_to_recordset(${tx.json(made)}) as v("deviceId" integer, revision integer, hash text, document jsonb, scales jsonb)`
    await tx`
      update collection_states c set revision = v.revision, lint = v.lint, stale_since = null,
        sent_at = case when c.revision is distinct from v.revision then null else c.sent_at end,
        -- Of the plan before; its text may name what a former owner had.
        refused_revision = case when c.revision is not distinct from v.revision then c.refused_revision end,
        refused_reason = case when c.revision is not distinct from v.revision then c.refused_reason end
      from jsonb_to_recordset(${tx.json(compiled.map(({ deviceId, revision, lint }) => ({ deviceId, revision, lint })))})
        as v("deviceId" integer, revision integer, lint jsonb)
      where c.device_id = v."deviceId"`
    await forgetStates(
      tx,
      compiled.map(({ deviceId, polled }) => ({ deviceId, polled })),
    )
    return { looked: stale.length, made: made.length }
  })
}

/** Until none is marked. Returns how many plans are new. */
export async function compilePlans(ctx: WorkerContext): Promise<number> {
  let total = 0
  for (;;) {
    const { looked, made } = await compileSome(ctx)
    total += made
    if (looked < AT_ONCE) return total
  }
}
