/**
 * Three rules and a contact, created once, so that a newcomer sees an alarm when a simulated device loses its
 * network.
 */
import type { Transaction } from '#infra/postgres'
import { sayIn } from '#infra/say'
import { textsOf } from '#schema/alarm/alarm-text'
import { DEFAULT_LANGUAGE } from '#schema/kit/refusal'
import { demoNames } from './demo-names.ts'

const say = sayIn(DEFAULT_LANGUAGE)

const rules = [
  {
    kind: 'offline',
    severity: 'major',
    threshold: 1,
    recoverAt: null,
    forMinutes: 0,
  },
  {
    kind: 'signal',
    severity: 'warning',
    threshold: -110,
    recoverAt: -105,
    forMinutes: 5,
  },
  {
    kind: 'taskPaused',
    severity: 'critical',
    threshold: null,
    recoverAt: null,
    forMinutes: 0,
  },
] as const

export async function seedDemoAlarms(tx: Transaction, customerId: number): Promise<void> {
  const [contact] = await tx<{ id: number }[]>`
    insert into contacts (customer_id, name, phone, email, remark)
    values (${customerId}, ${demoNames.onCall}, '13800138000', 'on-call@example.com', ${demoNames.remark})
    on conflict do nothing returning id`
  for (const { kind, severity, threshold, recoverAt, forMinutes } of rules) {
    const texts = textsOf(kind, say)
    const [rule] = await tx<{ id: number }[]>`
      insert into alarm_rules (customer_id, name, kind, severity, threshold, recover_at, for_minutes, scope, time_zone, language, alert_text, recovery_text)
      values (${customerId}, ${say(`alarm:kind.${kind}`)}, ${kind}, ${severity}, ${threshold}, ${recoverAt}, ${forMinutes}, 'customer', 'Asia/Shanghai', ${DEFAULT_LANGUAGE},
        ${texts.alert}, ${texts.recovery})
      on conflict do nothing returning id`
    if (contact && rule)
      await tx`insert into alarm_rule_contacts (rule_id, contact_id) values (${rule.id}, ${contact.id})`
  }
}
