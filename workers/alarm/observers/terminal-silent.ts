import { covers, type Look, observes, open } from '../observer.ts'

/**
 * While the gateway is offline, the state of its terminals is unknown: no alarm begins or ends. One that is no longer polled
 * has no state (workers/monitor/compile-plans.ts), and no alarm; nor one that is behind another gateway by now.
 */
async function observeTerminals({ tx }: Look): Promise<void> {
  await tx`
    insert into observed (rule_id, device_id, subject, beyond, since)
    select r.id, d.id, t.id::text, true, s.since
    from terminal_states s join terminals t on t.id = s.terminal_id and not t.hidden join devices d on d.id = t.device_id
      join device_states ds on ds.device_id = d.id and ds.online join alarm_rules r on ${covers(tx)}
    where r.enabled and r.kind = 'terminalSilent' and s.state <> 'answering'
    union all
    select a.rule_id, a.device_id, a.subject, false, null
    from ${open(tx, 'terminalSilent')} join device_states ds on ds.device_id = d.id
      left join terminals t on t.id::text = a.subject and not t.hidden left join terminal_states s on s.terminal_id = t.id
    where t.id is null or t.device_id <> d.id or s.terminal_id is null or (ds.online and s.state = 'answering')`
}

export const terminalSilentObserver = observes('terminalSilent', observeTerminals)
