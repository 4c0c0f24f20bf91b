import { furnish } from '../furnish.ts'

/** A template with a variable, its terminal, a notice about it and an alarm; their texts carry the tenant's name. */
export const furnishVariableNotice = furnish(async ({ sql }, tenant) => {
  const { name, customerId } = tenant
  const device = tenant.devices[0]
  const one = async (query: Promise<readonly { id: number }[]>) => (await query)[0]?.id ?? 0
  const templateId = await one(sql`
    insert into collection_templates (customer_id, name, type) values (${customerId}, ${`${name} watched`}, 'climate') returning id`)
  const variableId = await one(sql`
    insert into variables (template_id, slot, name, unit, register_type, address, data_type)
    values (${templateId}, 0, ${`${name} temperature`}, '°C', 'holding', 0, 'int16') returning id`)
  const terminalId = await one(sql`
    insert into terminals (device_id, name, template_id, protocol, slave_id, slave_address)
    values (${device?.id ?? 0}, ${`${name} watched`}, ${templateId}, 'modbusTcp', 9, '192.0.2.9') returning id`)
  const ruleId = await one(sql`
    insert into alarm_rules (customer_id, name, kind, severity, scope, time_zone, language, alert_text, recovery_text)
    values (${customerId}, ${`${name} hot`}, 'variable', 'major', 'devices', 'UTC', 'en-US', ${`${name} alert`}, ${`${name} recovery`}) returning id`)
  await sql`insert into alarm_rule_terminals (rule_id, terminal_id) values (${ruleId}, ${terminalId})`
  await sql`
    insert into alarm_conditions (rule_id, variable_id, variable_name, unit, operator, low)
    values (${ruleId}, ${variableId}, ${`${name} temperature`}, '°C', 'gt', 80)`
  await sql`
    insert into alarms (customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, subject,
      terminal_id, variable_id, terminal_name, variable_name, condition, started_at, last_at)
    values (${customerId}, ${ruleId}, ${`${name} hot`}, 'variable', 'major', ${device?.id ?? 0}, ${device?.sn ?? ''}, ${`${name} device`},
      ${tenant.groups.root}, ${`${name} group`}, ${`${terminalId}/${variableId}`}, ${terminalId}, ${variableId}, ${`${name} watched`},
      ${`${name} temperature`}, ${sql.json({ operator: 'gt', low: 80, high: null, bit: null, withinS: null, minutes: null, forS: 0, formula: null, unit: '°C' })},
      now(), now())`
  const rule = { ruleId }
  const watched = {
    variableId,
    terminalIds: [terminalId],
    terminalScope: 'terminals',
    operator: 'gt',
    low: 80,
  }
  const pairs = { terminalIds: [terminalId], variableIds: [variableId] }
  const past = { ...pairs, from: new Date(Date.now() - 60_000).toISOString() }
  return {
    own: {
      'variableHistory/getVariableHistory': past,
      'variableHistory/exportVariableHistory': past,
      'variableHistory/estimateVariableHistory': past,
      'variableHistory/getHistoryChoices': pairs,
      'variableNotice/getVariableNotice': rule,
      'variableNotice/createVariableNotice': watched,
      'variableNotice/updateVariableNotice': { ...rule, ...watched, name: `${name} hotter` },
      'variableNotice/enableVariableNotice': rule,
      'variableNotice/deleteVariableNotice': rule,
      'variableNotice/getNoticeVariables': { variableId },
      'variableNotice/getNoticeTerminals': { variableId },
      'variableNotice/tryNoticeFormula': { variableId, formula: '1 + 1' },
      'variableAlarm/getVariableAlarmList': { terminalId },
      'variableAlarm/getAlarmSpans': past,
    },
  }
})
