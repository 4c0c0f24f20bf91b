import { printerTroubles } from '#schema/printing/printer'
import { covers, type Look, observes, open } from '../observer.ts'

async function observePrinters({ tx }: Look): Promise<void> {
  const trouble = tx`(p.present and p.status = any(${[...printerTroubles]}::text[]))`
  await tx`
    insert into observed (rule_id, device_id, subject, beyond, detail, since)
    select r.id, d.id, p.local_id, true, coalesce(p.alias, p.type, p.local_id) || ': ' || p.status, p.status_at
    from printers p join devices d on d.id = p.device_id join alarm_rules r on ${covers(tx)}
    where r.enabled and r.kind = 'printerError' and ${trouble}
    union all
    select a.rule_id, a.device_id, a.subject, false, null, null
    from ${open(tx, 'printerError')} left join printers p on p.device_id = d.id and p.local_id = a.subject
    where p.id is null or not ${trouble}`
}

export const printerErrorObserver = observes('printerError', observePrinters)
