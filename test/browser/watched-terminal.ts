/** A terminal with six hours of samples, an alarm in the middle of them, and what else happened to its gateway. */
import type { Context } from '#infra/context'
import type { Tenant } from '#test/tenants'

export type Watched = {
  deviceId: number
  terminalId: number
  templateId: number
  variableId: number
  samples: number
}

const SAMPLES = 360

/** Anew for each test: nothing that another one has done is left. */
export async function watchedTerminal({ sql }: Pick<Context, 'sql'>, tenant: Tenant): Promise<Watched> {
  await sql`truncate collection_templates, terminals, alarms, panels, south_accounts, projects, alarm_rules, commands cascade`
  const { customerId } = tenant
  const deviceId = tenant.devices[0]?.id ?? 0
  const one = async (query: Promise<readonly { id: number }[]>) => (await query)[0]?.id ?? 0
  const templateId = await one(sql`
    insert into collection_templates (customer_id, name, type, next_slot) values (${customerId}, 'Boiler', 'climate', 2) returning id`)
  const variableId = await one(sql`
    insert into variables (template_id, slot, name, unit, register_type, address, data_type, precision, cycle_s, access)
    values (${templateId}, 0, 'Temperature', '°C', 'holding', 0, 'int16', 1, 60, 'readWrite') returning id`)
  await sql`
    insert into variables (template_id, slot, name, unit, register_type, address, data_type, cycle_s)
    values (${templateId}, 1, 'Pressure', 'bar', 'holding', 1, 'int16', 60)`
  const terminalId = await one(sql`
    insert into terminals (device_id, name, template_id, template_since, protocol, slave_id, slave_address)
    values (${deviceId}, 'Boiler 1', ${templateId}, now() - interval '2 days', 'modbusTcp', 7, '192.0.2.7') returning id`)
  await sql`
    insert into variable_reports (at, terminal_id, plan, slots, vals, quality)
    select now() - n * interval '1 minute', ${terminalId}, 1, '{0,1}',
      array[case when n between 100 and 110 then null when n between 150 and 200 then 95 + n % 3 else 60 + 10 * sin(n / 20.0) end, 4 + n % 2],
      case when n between 100 and 110 then '{1,0}'::smallint[] end
    from generate_series(1, ${SAMPLES}) n`
  await sql`
    update terminal_latest set at = array[ms, ms], vals = '{61.5,4}'
    from (select (extract(epoch from now()) * 1000)::bigint as ms) now where terminal_id = ${terminalId}`
  await sql`insert into terminal_states (terminal_id, state, since) values (${terminalId}, 'answering', now() - interval '6 hours')`
  await sql`
    insert into alarms (customer_id, rule_name, kind, severity, device_id, sn, device_name, group_name, subject, terminal_id, variable_id,
      terminal_name, variable_name, started_at, last_at, ended_at)
    values (${customerId}, 'Too hot', 'variable', 'critical', ${deviceId}, 'x', 'x', '', 'hot', ${terminalId}, ${variableId}, 'Boiler 1', 'Temperature',
      now() - interval '200 minutes', now() - interval '200 minutes', now() - interval '150 minutes')`
  return { deviceId, terminalId, templateId, variableId, samples: SAMPLES - 1 }
}
