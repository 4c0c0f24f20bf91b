import { kindsWhere } from '#schema/alarm/alarm-kind'
import type { Transaction } from '../kit/processor.ts'
import { covers } from './observer.ts'

const marked = kindsWhere((facts) => facts.marked === true)

/**
 * Stores the values that changes are compared with; `alarm_marks` holds them for the devices covered by such
 * rules.
 */
export async function markDevices(tx: Transaction): Promise<void> {
  await tx`
    insert into alarm_marks (device_id, iccid, remote_ip, config_hash, boot_id)
    select distinct d.id, d.iccid, s.remote_ip, d.config_hash, d.boot_id
    from alarm_rules r join devices d on ${covers(tx)} left join device_states s on s.device_id = d.id
    where r.enabled and r.kind = any(${marked}::text[]) and not exists (select 1 from alarm_marks m where m.device_id = d.id)
    on conflict do nothing`
  await tx`
    delete from alarm_marks m where not exists (
      select 1 from devices d join alarm_rules r on ${covers(tx)} where d.id = m.device_id and r.enabled and r.kind = any(${marked}::text[]))`
}
