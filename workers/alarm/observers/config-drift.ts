import { covers, type Look, observes, open } from '../observer.ts'

/** [decisions/040] A change caused by a task or command of the platform is not drift. */
const OURS_MINUTES = 15

async function observeDrift({ tx, at }: Look): Promise<void> {
  const since = tx`coalesce(d.hello_at, ${at}::timestamptz) - make_interval(mins => ${OURS_MINUTES})`
  await tx`
    update alarm_marks m set config_hash = d.config_hash from devices d
    where d.id = m.device_id and d.config_hash is not null and d.config_hash is distinct from m.config_hash
      and (m.config_hash is null
        or exists (select 1 from task_items i where i.device_id = d.id and i.outcome is not null and i.step_at > ${since})
        or exists (select 1 from commands c where c.device_id = d.id and c.state = 'done' and c.ended_at > ${since})
        or not exists (select 1 from alarm_rules r where r.enabled and r.kind = 'configDrift' and ${covers(tx)}))`
  // Set from here: real differences, without reordered and ignored ones. Otherwise any other hash than the known one.
  const judged = tx`(select c.device_id, c.drift from device_configs c where c.desired_hash is not null and c.level is not null)`
  await tx`
    insert into observed (rule_id, device_id, subject, beyond, detail)
    select r.id, d.id, '', true,
      case when c.drift > 0 then c.drift || ' ≠' else left(m.config_hash, 12) || ' → ' || left(d.config_hash, 12) end
    from alarm_rules r join devices d on ${covers(tx)} join alarm_marks m on m.device_id = d.id
      left join ${judged} c on c.device_id = d.id
    where r.enabled and r.kind = 'configDrift'
      and case when c.device_id is null then m.config_hash <> d.config_hash else c.drift > 0 end
    union all
    select a.rule_id, a.device_id, '', false, null
    from ${open(tx, 'configDrift')} join alarm_marks m on m.device_id = d.id left join ${judged} c on c.device_id = d.id
    where case when c.device_id is null then m.config_hash = d.config_hash else c.drift = 0 end`
}

export const configDriftObserver = observes('configDrift', observeDrift)
