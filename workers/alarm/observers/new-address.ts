import { covers, type Look, observes } from '../observer.ts'

async function observeAddresses({ tx }: Look): Promise<void> {
  const moved = tx`s.online and s.remote_ip is not null and s.remote_ip is distinct from m.remote_ip`
  await tx`
    insert into observed (rule_id, device_id, subject, beyond, detail)
    select r.id, d.id, '', true, s.remote_ip
    from alarm_rules r join devices d on ${covers(tx)} join alarm_marks m on m.device_id = d.id join device_states s on s.device_id = d.id
    where r.enabled and r.kind = 'newAddress' and m.remote_ip is not null and ${moved}
      and not exists (select 1 from presence_records p where p.device_id = d.id and p.ip = s.remote_ip
        and p.connection_id is distinct from s.connection_id and p.online_at >= coalesce(d.owned_since, '-infinity'))`
  await tx`update alarm_marks m set remote_ip = s.remote_ip from device_states s where s.device_id = m.device_id and ${moved}`
}

export const newAddressObserver = observes('newAddress', observeAddresses)
