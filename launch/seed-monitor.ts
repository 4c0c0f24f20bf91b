/**
 * The demonstration's monitoring: a project, templates of the library, and terminals behind three of its gateways,
 * which poll the simulated slaves of this machine [schema/monitor/simulated.ts].
 */
import type { Transaction } from '#infra/postgres'
import { sayIn } from '#infra/say'
import type { LibraryTemplate } from '#schema/monitor/library/library-template'
import { type Candidate, filledTemplate } from '#schema/monitor/panel-templates'
import { simulatedEquipment } from '#schema/monitor/simulated'
import { templateValues } from '#schema/monitor/template/from-library'
import { AS_TEMPLATE } from '#schema/monitor/variable'
import { demoNames } from './demo-names.ts'
import type { Demo } from './seed-demo.ts'
import { type PastTerminal, pastBegins, seedValues } from './seed-values.ts'

type Sql = Transaction

/** The same language as that of the demonstration's other names. */
const LANGUAGE = 'zh-CN'
/** Number of slaves behind one gateway: a serial bus supports only a few at its speed. */
const EACH = 4

async function addTemplate(sql: Sql, customerId: number, template: LibraryTemplate): Promise<number> {
  const { variables, ...facts } = templateValues(template, LANGUAGE)
  const [made] = await sql<{ id: number }[]>`
    insert into collection_templates ${sql({
      customer_id: customerId,
      name: facts.name,
      type: facts.type,
      vendor: facts.vendor,
      remark: facts.remark,
      library_key: facts.libraryKey,
      byte_order: facts.byteOrder,
      max_gap: facts.maxGap,
      max_registers: facts.maxRegisters,
      timeout_ms: facts.timeoutMs,
      pause_ms: facts.pauseMs,
      connect_delay_ms: facts.connectDelayMs,
      next_slot: variables.length,
    })} returning id`
  const id = made?.id ?? 0
  for (const [slot, variable] of variables.entries())
    await sql`
      insert into variables ${sql({
        template_id: id,
        slot,
        name: variable.name,
        unit: variable.unit,
        register_type: variable.registerType,
        address: variable.address,
        data_type: variable.dataType,
        byte_order: variable.byteOrder === AS_TEMPLATE ? null : variable.byteOrder,
        bit: variable.bit ?? null,
        length: variable.length ?? null,
        no_value: variable.noValue ?? null,
        power_address: variable.powerAddress ?? null,
        factor: variable.factor,
        precision: variable.precision,
        function_type: variable.functionType,
        access: variable.access,
        min: variable.min ?? null,
        max: variable.max ?? null,
        report_type: variable.reportType,
        cycle_s: variable.cycleS,
        deadband: variable.deadband,
      })}`
  return id
}

/** The three ways to a slave: the serial bus of the gateway, Modbus TCP, serial frames over TCP. */
const waysOf = (port: number) =>
  [
    {
      protocol: 'modbusRtu',
      slave_address: 'bus1',
      serial_port: 1,
      baud_rate: 115_200,
      parity: 'none',
      data_bits: 8,
      stop_bits: 1,
    },
    { protocol: 'modbusTcp', slave_address: '127.0.0.1', port },
    { protocol: 'modbusRtuTcp', slave_address: '127.0.0.1', port: port + 1 },
  ] as const

/** A computed variable from the meters' measurements, as users get it from the template. */
async function addPanel(sql: Sql, projectId: number, customerId: number): Promise<void> {
  const measured = await sql<Candidate[]>`
    select t.id as "terminalId", v.id as "variableId", v.name, v.unit, v.function_type as "functionType"
    from terminals t join devices d on d.id = t.device_id join variables v on v.template_id = t.template_id
    where d.customer_id = ${customerId} order by t.id, v.slot`
  const say = sayIn(LANGUAGE)
  const widgets = filledTemplate('powerRoom', measured, (title) => say(`panel:title.${title}`))
  await sql`
    insert into panels ${sql({ project_id: projectId, name: demoNames.panel, widgets: sql.json(widgets) })}`
}

export async function seedMonitor(sql: Sql, demo: Demo, port: number): Promise<void> {
  const { customerId, groupIds } = demo
  const [project] = await sql<{ id: number }[]>`
    insert into projects ${sql({ customer_id: customerId, group_id: groupIds[0] ?? 0, name: demoNames.project, type: 'building' })}
    returning id`
  const gateways = await sql<{ id: number }[]>`
    select id from devices where customer_id = ${customerId} and deleted_at is null order by id limit 3`
  if (port === 0) return
  const now = Date.now()
  const past: PastTerminal[] = []
  for (const [at, { unit, template }] of simulatedEquipment.slice(0, EACH * 3).entries()) {
    const place = at % 3
    const gateway = gateways[place]
    const templateId = await addTemplate(sql, customerId, template)
    if (!gateway) continue
    const [terminal] = await sql<{ id: number }[]>`
      insert into terminals ${sql({
        created_at: pastBegins(now),
        template_since: pastBegins(now),
        device_id: gateway.id,
        name: demoNames.terminal(template.name[1], unit),
        template_id: templateId,
        slave_id: unit,
        location: demoNames.hall(place + 1),
        ...waysOf(port)[place],
      })} returning id`
    if (terminal) past.push({ id: terminal.id, deviceId: gateway.id, unit, template })
  }
  await seedValues(sql, past, now)
  await addPanel(sql, project?.id ?? 0, customerId)
}
