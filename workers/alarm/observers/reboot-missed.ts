import { covers, type Look, observes, open } from '../observer.ts'

/**
 * [decisions/066] The last scheduled reboot that has passed: a successful one ends the alarm, and so does a
 * change of the schedule, because then a user has dealt with it.
 */
async function observeMissed({ tx }: Look): Promise<void> {
  const last = tx`left join schedules p on p.device_id = d.id and p.customer_id = d.customer_id
    left join lateral (select x.state, x.reason, x.due_at, x.ended_at from schedule_runs x
      where x.device_id = p.device_id and x.ended_at is not null and x.due_at >= coalesce(d.owned_since, '-infinity')
      order by x.due_at desc limit 1) l on true`
  const missed = tx`l.state in ('missed', 'failed') and l.ended_at >= p.updated_at`
  await tx`
    insert into observed (rule_id, device_id, subject, beyond, detail, since)
    select r.id, d.id, '', true, l.reason, l.due_at
    from alarm_rules r join devices d on ${covers(tx)} ${last} where r.enabled and r.kind = 'rebootMissed' and ${missed}
    union all
    select a.rule_id, a.device_id, '', false, null, null from ${open(tx, 'rebootMissed')} ${last} where (${missed}) is not true`
}

export const rebootMissedObserver = observes('rebootMissed', observeMissed)
