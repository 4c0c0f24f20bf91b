import { covers, type Look, observes } from '../observer.ts'

async function observeSim({ tx }: Look): Promise<void> {
  const switched = tx`m.iccid is not null and d.iccid is not null and m.iccid <> d.iccid`
  await tx`
    insert into observed (rule_id, device_id, subject, beyond, detail)
    select r.id, d.id, '', true, m.iccid || ' → ' || d.iccid
    from alarm_rules r join devices d on ${covers(tx)} join alarm_marks m on m.device_id = d.id
    where r.enabled and r.kind = 'simSwitched' and ${switched}`
  await tx`
    update alarm_marks m set iccid = d.iccid from devices d
    where d.id = m.device_id and d.iccid is not null and d.iccid is distinct from m.iccid`
}

export const simSwitchedObserver = observes('simSwitched', observeSim)
