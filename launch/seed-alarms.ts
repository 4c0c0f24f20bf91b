/** A newcomer sees an alarm when a simulated device loses its network: three rules and a contact, made once. */
import type { Context } from '#infra/context'
import { sayIn } from '#infra/say'
import { textsOf } from '#schema/alarm/alarm-text'

const LANGUAGE = 'zh-CN'

const rules = [
  {
    name: '设备离线',
    kind: 'offline',
    severity: 'major',
    threshold: 1,
    recoverAt: null,
    forMinutes: 0,
  },
  {
    name: '信号过弱',
    kind: 'signal',
    severity: 'warning',
    threshold: -110,
    recoverAt: -105,
    forMinutes: 5,
  },
  {
    name: '升级自动停止',
    kind: 'upgradePaused',
    severity: 'critical',
    threshold: null,
    recoverAt: null,
    forMinutes: 0,
  },
] as const

export async function seedDemoAlarms(sql: Context['sql'], customerId: number): Promise<void> {
  await sql.begin(async (tx) => {
    const [contact] = await tx<{ id: number }[]>`
      insert into contacts (customer_id, name, phone, email, remark)
      values (${customerId}, '值班人员', '13800138000', 'on-call@example.com', '演示')
      on conflict do nothing returning id`
    for (const { name, kind, severity, threshold, recoverAt, forMinutes } of rules) {
      const texts = textsOf(kind, sayIn(LANGUAGE))
      const [rule] = await tx<{ id: number }[]>`
        insert into alarm_rules (customer_id, name, kind, severity, threshold, recover_at, for_minutes, scope, time_zone, language, alert_text, recovery_text)
        values (${customerId}, ${name}, ${kind}, ${severity}, ${threshold}, ${recoverAt}, ${forMinutes}, 'customer', 'Asia/Shanghai', ${LANGUAGE},
          ${texts.alert}, ${texts.recovery})
        on conflict do nothing returning id`
      if (contact && rule)
        await tx`insert into alarm_rule_contacts (rule_id, contact_id) values (${rule.id}, ${contact.id})`
    }
  })
}
