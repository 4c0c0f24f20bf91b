import { furnish } from '../furnish.ts'

export const furnishReport = furnish(async ({ sql }, tenant) => {
  // One can be asked, and to one a report can be sent.
  const confirmed = `confirmed@${tenant.name.toLowerCase()}.test`
  await sql`insert into recipients (customer_id, email, asked_at, expires_at, confirmed_at)
    values (${tenant.customerId}, ${confirmed}, now(), now() + interval '1 day', now())`
  const [made] = await sql<{ id: number }[]>`
    insert into report_schedules (customer_id, owner_id, name, report, filter, every, day_number, minute, zone, language, recipients, next_run_at)
    values (${tenant.customerId}, ${tenant.admin.id}, ${`${tenant.name} report`}, 'online', ${sql.json({ range: '7d', zone: 'UTC', previous: false })},
      'day', 1, 480, 'UTC', 'en-US', ${[`${tenant.name}@example.test`, confirmed]}, now() + interval '1 day') returning id`
  const device = tenant.devices[0]
  await sql`
    insert into device_hours (device_id, hour, customer_id, group_id, known_s, online_s)
    values (${device?.id ?? 0}, date_trunc('hour', now()), ${tenant.customerId}, ${device?.groupId ?? 0}, 3600, 1800)`
  await sql`
    insert into version_days (day, customer_id, group_id, model, firmware, devices)
    values ((now() at time zone 'UTC')::date, ${tenant.customerId}, 0, ${`${tenant.name}-1`}, ${`${tenant.name} 1.0`}, 4)`
  return {
    own: {
      'report/modifyReportSchedule': { id: made?.id },
      'report/deleteReportSchedule': { id: made?.id },
      'report/sendReportNow': { id: made?.id },
      'report/askRecipient': { id: made?.id },
    },
  }
})
