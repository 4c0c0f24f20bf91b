import { randomUUID } from 'node:crypto'
import { furnish } from '../furnish.ts'

/** A contact, a channel, a rule, an alarm, a notice and a window; their texts carry the tenant's name. */
export const furnishAlarm = furnish(async ({ sql }, tenant) => {
  const { name, customerId } = tenant
  const device = tenant.devices[0]
  const one = async (query: Promise<readonly { id: number }[]>) => (await query)[0]?.id ?? 0
  const contactId = await one(sql`
    insert into contacts (customer_id, name, phone, email, wechat, remark)
    values (${customerId}, ${`${name} contact`}, ${`1380013800${name.length}`}, ${`${name}@example.test`}, ${`${name} wechat`}, ${`${name} remark`}) returning id`)
  const channelId = await one(sql`
    insert into alarm_channels (customer_id, name, kind, url_sealed, url_shown)
    values (${customerId}, ${`${name} hook`}, 'webhook', 'unreadable', ${`https://${name}.example.test/`}) returning id`)
  const ruleId = await one(sql`
    insert into alarm_rules (customer_id, name, kind, severity, threshold, scope, time_zone, language, alert_text, recovery_text)
    values (${customerId}, ${`${name} rule`}, 'offline', 'major', 5, 'groups', 'UTC', 'en-US', ${`${name} alert`}, ${`${name} recovery`}) returning id`)
  await sql`insert into alarm_rule_groups (rule_id, group_id) values (${ruleId}, ${tenant.groups.root})`
  const incidentId = await one(sql`
    insert into alarm_incidents (customer_id, rule_id, ground, key, name, started_at)
    values (${customerId}, ${ruleId}, 'carrier', ${`${name} net`}, ${`${name} net`}, now()) returning id`)
  const alarmId = await one(sql`
    insert into alarms (incident_id, customer_id, rule_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, started_at, last_at)
    values (${incidentId}, ${customerId}, ${ruleId}, ${`${name} rule`}, 'offline', 'major', ${device?.id ?? 0}, ${device?.sn ?? ''}, ${`${name} device`},
      ${tenant.groups.root}, ${`${name} group`}, now(), now()) returning id`)
  const noticeId = randomUUID()
  await sql`insert into alarm_notices (id, customer_id, rule_id, kind, subject, payload) values (${noticeId}, ${customerId}, ${ruleId}, 'alert', ${`${name} notice`}, ${sql.json({ rule: null, incident: null, count: 0, alarms: [], text: `${name} text` })})`
  const deliveryId = await one(sql`
    insert into alarm_deliveries (notice_id, customer_id, channel_id, recipient, state) values (${noticeId}, ${customerId}, ${channelId}, ${`${name} hook`}, 'failed') returning id`)
  const maintenanceId = await one(sql`
    insert into maintenances (customer_id, name, scope, starts_at, ends_at, time_zone) values (${customerId}, ${`${name} window`}, 'customer', now(), now() + interval '1 hour', 'UTC') returning id`)
  const templateId = await one(
    sql`insert into alarm_note_templates (customer_id, text) values (${customerId}, ${`${name} note`}) returning id`,
  )
  return {
    shared: {
      contactId,
      channelId,
      ruleId,
      alarmIds: [alarmId],
      incidentId,
      deliveryId,
      maintenanceId,
      templateId,
    },
  }
})
