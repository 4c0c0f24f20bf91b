import { type Look, observeLevel, observes } from '../observer.ts'

async function observeReboots({ tx, at }: Look): Promise<void> {
  await tx`
    update alarm_marks m set boot_id = d.boot_id, boots = case when m.boot_id is null then m.boots else
      (array(select b from unnest(m.boots) b where b > ${at}::timestamptz - interval '1 day' order by b desc limit 29)) || ${at}::timestamptz end
    from devices d where d.id = m.device_id and d.boot_id is not null and d.boot_id is distinct from m.boot_id`
  await observeLevel(
    tx,
    'reboots',
    tx`join alarm_marks m on m.device_id = d.id`,
    tx`(select count(*) from unnest(m.boots) b where b > ${at}::timestamptz - make_interval(mins => r.window_minutes))`,
  )
}

export const rebootsObserver = observes('reboots', observeReboots)
