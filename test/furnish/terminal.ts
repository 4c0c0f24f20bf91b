import { randomUUID } from 'node:crypto'
import { furnish } from '../furnish.ts'

/** A project, a template with a variable that has a value, and a terminal; their texts carry the tenant's name. */
export const furnishTerminal = furnish(async ({ sql }, tenant) => {
  const { name, customerId } = tenant
  const one = async (query: Promise<readonly { id: number }[]>) => (await query)[0]?.id ?? 0
  const templateId = await one(sql`
    insert into collection_templates (customer_id, name, type, vendor, remark, next_slot)
    values (${customerId}, ${`${name} template`}, 'powerMeter', ${`${name} vendor`}, ${`${name} remark`}, 1) returning id`)
  const variableId = await one(sql`
    insert into variables (template_id, slot, name, unit, register_type, address, data_type)
    values (${templateId}, 0, ${`${name} voltage`}, 'V', 'input', 0, 'float32') returning id`)
  const terminalId = await one(sql`
    insert into terminals (device_id, name, template_id, template_since, protocol, slave_id, slave_address)
    values (${tenant.devices[0]?.id ?? 0}, ${`${name} meter`}, ${templateId}, now() - interval '2 days', 'modbusRtu', 1, 'bus1') returning id`)
  await sql`
    insert into variable_hours (terminal_id, slot, at, integral, known_s, min, max, first, last, good, bad, first_ms, last_ms, stands)
    select ${terminalId}, 0, date_trunc('hour', now(), 'UTC') - h * interval '1 hour', (230 + h % 5) * 3600.0, 3600, 229, 236, 230, 230 + h % 5,
      60, 0, 0, 3540000, true
    from generate_series(1, 24) h`
  await sql`update terminal_latest set at = array[(extract(epoch from now()) * 1000)::bigint], vals = '{230.5}' where terminal_id = ${terminalId}`
  await sql`insert into terminal_states (terminal_id, state, since) values (${terminalId}, 'answering', now())`
  const projectId = await one(sql`
    insert into projects (customer_id, group_id, name, type, user_id, created_by)
    values (${customerId}, ${tenant.groups.root}, ${`${name} project`}, 'energy', ${tenant.admin.id}, ${tenant.admin.id}) returning id`)
  const northId = await one(sql`
    insert into north_targets (customer_id, project_id, name, kind, address_sealed, address_shown, username, topic)
    values (${customerId}, ${projectId}, ${`${name} target`}, 'mqtt', 'sealed', ${`mqtts://${name}.example.test`}, ${`${name} user`},
      ${`${name}/{type}`}) returning id`)
  const kioskId = await one(sql`
    insert into kiosk_links (project_id, user_id, name, hash, expires_at)
    values (${projectId}, ${tenant.admin.id}, ${`${name} hall`}, ${randomUUID()}, now() + interval '1 day') returning id`)
  const widget = { x: 0, y: 0, w: 4, h: 3, title: '', variables: [{ terminalId, variableId }] }
  const panelId = await one(sql`
    insert into panels (project_id, name, widgets)
    values (${projectId}, ${`${name} panel`}, ${sql.json([
      { ...widget, key: 'a', kind: 'figure' },
      { ...widget, key: 'b', kind: 'gauge', x: 4, w: 5, h: 5 },
      { ...widget, key: 'c', kind: 'table', x: 9, w: 7, h: 5 },
      { ...widget, key: 'd', kind: 'switch', x: 16 },
      { ...widget, key: 'e', kind: 'trend', y: 5, w: 12, h: 6, hours: 24 },
      { ...widget, key: 'f', kind: 'map', x: 12, y: 5, w: 8, h: 6, variables: [] },
    ])}) returning id`)
  const southId = await one(sql`
    insert into south_accounts (customer_id, project_id, name, kind, username, secret_hash, topics)
    values (${customerId}, ${projectId}, ${`${name} source`}, 'neuron', ${`south.${name}`}, 'hash',
      ${[`${name}/#`]}) returning id`)
  await sql`insert into south_terminals (account_id, terminal_id, source) values (${southId}, ${terminalId}, ${`${name} node`})`
  await sql`
    insert into south_names (account_id, source, name, value, at) values (${southId}, ${`${name} node`}, ${`${name} tag`}, '1', now())`
  const of = (word: string, calls: readonly string[], id: number) =>
    calls.map((call) => [`${word}/${call}`, { id }] as const)
  return {
    shared: { projectId, terminalId, panelId },
    own: Object.fromEntries([
      // Notes of alarms have templates, too.
      ...['addTerminal', 'getTerminalList'].map((call) => [`terminal/${call}`, { templateId }] as const),
      ...['addVariable', 'saveVariables', 'tryFormula', 'getTemplateVariables', 'getVariableValues'].map(
        (call) => [`variable/${call}`, { templateId }] as const,
      ),
      ...of('terminal', ['hideTerminal', 'deleteTerminal'], terminalId),
      ['terminal/modifyTerminal', { id: terminalId, templateId }],
      ...of('north', ['modifyNorth', 'switchNorth', 'skipNorth', 'deleteNorth'], northId),
      ...of('panel', ['getPanel', 'getPanelPlaces', 'modifyPanel', 'savePanel', 'deletePanel'], panelId),
      ...of('kiosk', ['revokeKioskLink'], kioskId),
      ...of(
        'south',
        ['modifySouth', 'switchSouth', 'renewSouth', 'deleteSouth', 'getSouthNames', 'unlinkSouth'],
        southId,
      ),
      ['south/linkSouth', { id: southId, terminalId }],
      ...of('project', ['modifyProject', 'deleteProject'], projectId),
      ['project/getProjectHistory', { projectId }],
      ['project/getProjectTotals', {}],
      ['variable/setVariableValue', { terminalId, variableId }],
      ['variable/watchValues', { terminalIds: [terminalId], variableIds: [variableId] }],
      ...of('variable', ['modifyVariable', 'hideVariable', 'deleteVariable'], variableId),
      ...of(
        'collectionTemplate',
        ['getTemplate', 'getTemplateReach', 'modifyTemplate', 'copyTemplate', 'deleteTemplate'],
        templateId,
      ),
    ]),
  }
})
