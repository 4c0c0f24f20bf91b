/**
 * A big installation as rows: 100,000 devices, 1,000 groups, 200 customers, 30 days of sums. Takes some minutes on
 * two cores.
 */
import postgres from 'postgres'

export const SEEDED = {
  customers: 200,
  groups: 1000,
  devices: 100_000,
  days: 30,
  models: 4,
  hoursOfDevices: 48,
}

type Sql = postgres.Sql

/** The current hour, determined once: seeding may last beyond its end. */
async function presentHour(sql: Sql): Promise<Date> {
  const [row] = await sql<{ hour: Date }[]>`select date_trunc('hour', now(), 'UTC') as hour`
  return row?.hour ?? new Date()
}
const HOUR_MS = 3_600_000
const daysBack = Array.from({ length: SEEDED.days + 1 }, (_, i) => SEEDED.days - i)

/** Customers of equal size, five groups each in a tree of three levels, devices spread over them. */
async function seedFleet(sql: Sql): Promise<void> {
  await sql`insert into customers (name, contact, phone, email) select 'Customer ' || lpad(n::text, 3, '0'), 'Contact ' || n, '1390000' || n, 'c' || n || '@example.test'
    from generate_series(1, ${SEEDED.customers}) n`
  const perCustomer = SEEDED.groups / SEEDED.customers
  for (let place = 0; place < perCustomer; place++)
    await sql`
      insert into groups (customer_id, name, parent_id, level, is_default)
      select c.id, case ${place}::int when 0 then 'Default' else 'Site ' || ${place}::int end,
        -- The first two stand at the top, then one below the first, and two below that.
        case when ${place}::int < 2 then null else (select id from groups g where g.customer_id = c.id and g.level = ${Math.min(place - 1, 2)}::int order by id limit 1) end,
        ${Math.min(Math.max(place, 1), 3)}::int, ${place}::int = 0
      from customers c where c.name like 'Customer %'`
  await sql`
    insert into devices (customer_id, group_id, sn, name, secret_hash, secret_used_at, model, firmware, mac, imei, iccid, address, longitude, latitude, hello_at, created_at)
    select g.customer_id, g.id, 'SN-' || lpad(((n * 7919::bigint) % 1000003)::text, 7, '0') || '-' || n, 'Kiosk ' || md5(n::text),
      case when n % 1000 <> 7 then md5(n::text) end, case when n % 1000 <> 7 then now() - interval '60 days' end,
      (array['R200', 'G300', 'P100', 'S50'])[1 + n % 4], '1.' || n % 9 || '.0', substr(regexp_replace(md5(n::text), '(..)', '\\1:', 'g'), 1, 17),
      '86' || lpad(n::text, 13, '0'), '8986' || lpad(n::text, 15, '0'), 'Street ' || n, 75 + (n * 7919::bigint % 60000) / 1000.0, 18 + (n * 104729::bigint % 35000) / 1000.0,
      now() - n * interval '1 second', now() - interval '60 days'
    from generate_series(1, ${SEEDED.devices}) n
      join (select id, customer_id, row_number() over (order by customer_id, id) - 1 as place from groups) g on g.place = (n * 7::bigint) % ${SEEDED.groups}`
  await sql`
    insert into device_states (device_id, online, online_changed_at, last_seen_at, last_login_at, status_at, ip, signal_dbm, network_mode, rx_bytes, tx_bytes, interfaces)
    select id, id % 10 < 9, now(), now() - (id % 3600) * interval '1 second', now() - interval '1 day', now(), '10.' || id / 65536 || '.' || (id / 256) % 256 || '.' || id % 256,
      -50 - id % 60, 'LTE', id * 1000::bigint, id * 100::bigint, '[{"name":"wwan0","up":true,"ip":"10.64.3.17","rxBytes":91823377,"txBytes":1203911}]'
    from devices on conflict (device_id) do nothing`
  await sql`
    insert into presence_records (connection_id, device_id, broker_id, online_at, offline_at, reason)
    select gen_random_uuid(), id, 'seeded', now() - (d + 1) * interval '1 day' + (id % 86400) * interval '1 second',
      case when d = 0 and id % 10 < 9 then null else now() - (d + 1) * interval '1 day' + (id % 86400 + 60000) * interval '1 second' end, 'keepalive'
    from devices, generate_series(0, 3) d`
}

/** The hours of every group and model, then the coarser keys as the job computes them. */
async function seedFleetHours(sql: Sql): Promise<void> {
  const hour = await presentHour(sql)
  const start = new Date(hour.getTime() - SEEDED.days * 24 * HOUR_MS)
  for (let day = 0; day <= SEEDED.days; day++) {
    const from = new Date(start.getTime() + day * 24 * HOUR_MS)
    const to = new Date(Math.min(from.getTime() + 23 * HOUR_MS, hour.getTime()))
    await sql`
    insert into fleet_hours (hour, customer_id, group_id, model, devices, known_s, online_s, rx_bytes, tx_bytes, signal_sum, signal_devices,
      signal_min, signal_max, excellent, good, fair, poor)
    select h, coalesce(customer_id, 0), coalesce(group_id, 0), coalesce(model, '*'), sum(n), sum(n) * 3600, sum(n) * (2900 + (extract(epoch from h)::bigint / 3600 * 37) % 700),
      sum(n) * 5000000::bigint, sum(n) * 700000::bigint, sum(n) * -76.5, sum(n), -109, -51, sum(n) / 4, sum(n) / 4, sum(n) / 4, sum(n) / 4
    from (select customer_id, group_id, model, count(*) as n from devices group by 1, 2, 3) fleet,
      generate_series(${from}::timestamptz, ${to}::timestamptz, interval '1 hour') h
    group by h, grouping sets ((customer_id, group_id, model), (customer_id, group_id), (customer_id, model), (customer_id), (model), ())
    order by h`
  }
  await sql`
    insert into fleet_days (day, customer_id, group_id, model, devices, known_s, online_s, rx_bytes, tx_bytes, signal_sum, signal_devices,
      signal_min, signal_max, excellent, good, fair, poor)
    select (hour at time zone 'UTC')::date, customer_id, group_id, model, max(devices), sum(known_s), sum(online_s), sum(rx_bytes), sum(tx_bytes), sum(signal_sum),
      sum(signal_devices), min(signal_min), max(signal_max), sum(excellent), sum(good), sum(fair), sum(poor)
    from fleet_hours group by 1, 2, 3, 4 order by 1`
}

/**
 * Daily sums of devices for the whole month, hourly ones for the last two days: no report reads more hours of all
 * devices at once.
 */
async function seedDeviceSums(sql: Sql): Promise<void> {
  for (const n of daysBack) {
    await sql`
      insert into device_days (day, device_id, owned_since, known_s, online_s, signal_sum, signal_count, rx_bytes, tx_bytes)
      select (now() at time zone 'UTC')::date - ${n}::int, id, to_timestamp(0), d * 86400::bigint, d * (86400 - (id * 7919::bigint) % 40000),
        d * 24 * (-50.0 - id % 60), d * 24, d * (id % 1000) * 100000::bigint, d * (id % 1000) * 9000::bigint
      from devices, (select ${SEEDED.days - n}::int as d) past order by id`
    await sql`
      insert into traffic_days (device_id, day, rx_bytes, tx_bytes)
      select id, (now() at time zone 'UTC')::date - ${n}::int, id % 1000 * 100000::bigint, id % 1000 * 9000::bigint from devices order by id`
  }
  const present = await presentHour(sql)
  for (let back = SEEDED.hoursOfDevices; back > 0; back--) {
    const hour = new Date(present.getTime() - back * HOUR_MS)
    await sql`
      insert into device_hours (device_id, hour, customer_id, group_id, known_s, online_s, signal_sum, signal_count, signal_min, signal_max)
      select id, ${hour}::timestamptz, customer_id, group_id, 3600, 3600 - (id * 31) % 1700, 120 * (-50.0 - id % 60), 120, -60 - id % 50, -50 - id % 50
      from devices order by id`
    await sql`
      insert into traffic_hours (device_id, hour, rx_bytes, tx_bytes)
      select id, ${hour}::timestamptz, id % 1000 * 4000, id % 1000 * 300 from devices order by id`
  }
  await sql`
    insert into version_days (day, customer_id, group_id, model, firmware, devices)
    select (now() at time zone 'UTC')::date - n, coalesce(customer_id, 0), coalesce(group_id, 0), model, firmware, count(*) from devices, generate_series(0, ${SEEDED.days}) n
    group by n, grouping sets ((customer_id, group_id, model, firmware), (customer_id, model, firmware), (model, firmware)) order by 1`
  await sql`insert into rollup_cursors (name, at) values ('signal', now()), ('fleet', date_trunc('hour', now(), 'UTC')) on conflict do nothing`
}

/** Abnormal devices, printers, terminals, users, operations and alarms. */
async function seedRest(sql: Sql): Promise<void> {
  await sql`update devices set deleted_at = now() - interval '1 day', deleted_reason = 'seeded' where id % 100 = 1`
  await sql`
    insert into users (username, email, password_hash, type, customer_id, realname)
    select 'user-' || c.id || '-' || n, 'u' || c.id || '-' || n || '@example.test', 'x', 'customerAdmin', c.id, 'Person ' || n from customers c, generate_series(1, 25) n`
  await sql`
    insert into operations (at, customer_id, username, call, code, object)
    select now() - n * interval '10 seconds', (select min(id) from customers) + n % ${SEEDED.customers}, 'user-' || n % 500, 'device/modifyDevice', 0, 'SN-' || n
    from generate_series(1, 200000) n order by n desc`
  await sql`
    insert into logins (at, customer_id, username, way, code, ip)
    select now() - n * interval '10 seconds', (select min(id) from customers) + n % ${SEEDED.customers}, 'user-' || n % 500, 'username', 0, '10.0.0.' || n % 250
    from generate_series(1, 200000) n order by n desc`
  await sql`
    insert into printers (device_id, local_id, alias, status, status_at, present, method, port, success_count, fail_count)
    select id, 'usb-1', 'Printer ' || md5(id::text), 'ready', now(), true, 'usb', '/dev/usb/lp0', id % 1000, id % 7 from devices where id % 10 = 0`
  await sql`
    insert into collection_templates (customer_id, name, type, next_slot)
    select id, 'Meter', 'powerMeter', 1 from customers`
  await sql`
    insert into terminals (device_id, name, serial, template_id, protocol, slave_id, slave_address)
    select d.id, 'Meter ' || md5(d.id::text), 'T-' || d.id, c.id, 'modbusRtu', 1 + d.id % 200, '/dev/ttyS1'
    from devices d join collection_templates c on c.customer_id = d.customer_id where d.id % 10 = 3`
  await sql`
    insert into alarms (customer_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, value, threshold, started_at, last_at, ended_at)
    select d.customer_id, 'Offline', 'offline', 'major', d.id, d.sn, d.name, d.group_id, g.name, 1, 1, begun.at, begun.at,
      case when n > 1 or d.id % 20 > 0 then begun.at + interval '1 hour' end
    from devices d join groups g on g.id = d.group_id, generate_series(1, 4) n,
      lateral (select now() - n * interval '9 hours' + d.id * 7919::bigint % 30000 * interval '1 second' as at) begun
    where d.id % 2 = 0 order by begun.at`
  await sql`
    insert into commands (id, device_id, customer_id, name, args, state, created_at, deadline_at, ended_at)
    select gen_random_uuid(), id, customer_id, 'reboot', '{}', 'done', now() - n * interval '1 hour', now() - n * interval '1 hour', now() - n * interval '1 hour'
    from devices, generate_series(1, 2) n where id % 4 = 0`
}

/**
 * Fills an empty, migrated database, an hour or a day of all devices at a time. Uses its own connection: those of the
 * api end a statement after 30 s, and filling a table takes longer on a busy machine.
 */
export async function seedInstallation(databaseUrl: string): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  try {
    for (const step of [seedFleet, seedFleetHours, seedDeviceSums, seedRest]) await step(sql)
    await sql`vacuum analyze`
  } finally {
    await sql.end()
  }
}
