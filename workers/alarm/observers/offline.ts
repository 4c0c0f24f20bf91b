import { RETURN_GRACE_MS } from '#schema/alarm/alarm'
import { BROKER_LOST_MS } from '#schema/platform/upkeep'
import { covers, type Look, observes, open } from '../observer.ts'

/**
 * Devices whose broker is down are unknown, not offline; after its return they get time to reconnect. So do
 * devices that had left shortly before: they could not reconnect meanwhile.
 */
async function observeOffline({ tx, at, graces }: Look): Promise<void> {
  const [alive] = await tx<{ up: Date | null }[]>`
    select min(started_at) as up from brokers where beat_at > ${at}::timestamptz - make_interval(secs => ${BROKER_LOST_MS / 1000})`
  if (!alive?.up) return
  const counted = new Date(alive.up.getTime() + RETURN_GRACE_MS)
  await tx`
    insert into observed (rule_id, device_id, subject, beyond, value, since)
    select r.id, d.id, '', true, extract(epoch from ${at}::timestamptz - s.online_changed_at) / 60, s.online_changed_at
    from alarm_rules r join devices d on ${covers(tx)} join device_states s on s.device_id = d.id
    where r.enabled and r.kind = 'offline' and not s.online and ${at}::timestamptz >= ${counted}::timestamptz
      and greatest(s.online_changed_at, case when s.offline_reason in ('brokerLost', 'brokerStopped')
        then ${counted}::timestamptz end) <= ${at}::timestamptz - make_interval(secs => greatest(r.threshold * 60,
          (select g.seconds from unnest(${[...graces.keys()]}::int[], ${[...graces.values()]}::int[]) as g(id, seconds) where g.id = r.customer_id), 0))
    union all
    select a.rule_id, a.device_id, '', false, null, null from ${open(tx, 'offline')} join device_states s on s.device_id = d.id where s.online`
}

export const offlineObserver = observes('offline', observeOffline)
