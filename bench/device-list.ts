/** The device list of 100,000 devices through the API, compared with the same query in plain SQL in the same run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildServer } from '#api/server'
import { type Context, openContext } from '#infra/context'
import { startEmbeddedPostgres } from '#infra/embedded-postgres'
import { readEnv } from '#infra/env'
import { migrateDatabase } from '#infra/migrate'
import { seedTenants, TEST_PASSWORD } from '#test/tenants'

const DEVICES = 100_000
const ROUNDS = 60
/** First rounds fill caches and compile: not counted. */
const WARM_UP = 10

/** 2,000 devices upgrade, 200 restart, 20 are revoked, 500 were never seen, 20,000 have three alarms each. */
async function seedStates({ sql }: Pick<Context, 'sql'>, customerId: number, groupId: number): Promise<void> {
  await sql`
    with task as (insert into tasks (kind, customer_id, name, start_at, wait_offline_minutes) values ('upgrade', ${customerId}, 'Night', now(), 0) returning id)
    insert into task_items (id, task_id, device_id, customer_id, step, sending, percent, offered_at, deadline_at)
    select gen_random_uuid(), task.id, d.id, ${customerId}, 'downloading', 'sent', 40, now(), now() + interval '1 hour'
    from task, devices d where d.id % 50 = 1`
  await sql`
    insert into commands (id, device_id, customer_id, name, args, state, sent_at, deadline_at)
    select gen_random_uuid(), id, ${customerId}, 'reboot', '{"delayS":0}', 'accepted', now(), now() + interval '1 hour' from devices where id % 500 = 2`
  await sql`
    insert into alarms (customer_id, rule_name, kind, severity, device_id, sn, device_name, group_id, group_name, started_at, last_at)
    select ${customerId}, 'Rule', 'offline', (array['critical', 'major', 'minor'])[n], d.id, d.sn, d.name, ${groupId}, 'G', now(), now()
    from devices d, generate_series(1, 3) n where d.id % 5 = 0`
}

async function seedDevices({ sql }: Context, customerId: number, groupId: number): Promise<void> {
  await sql`
    insert into groups (customer_id, name, parent_id, level)
    select ${customerId}, 'Site ' || n, ${groupId}, 2 from generate_series(1, 200) n`
  await sql`
    insert into devices (customer_id, group_id, sn, name, model, firmware, mac, imei, iccid, address, hello_at, secret_hash)
    select ${customerId}, (select min(id) from groups where parent_id = ${groupId}) + (n * 7919) % 200,
      'SN-' || lpad(((n * 7919) % 1000000)::text, 6, '0') || '-' || n, 'Kiosk ' || md5(n::text), (array['R200', 'G300', 'P100', 'S50'])[1 + n % 4],
      '1.' || n % 9 || '.0', substr(regexp_replace(md5(n::text), '(..)', '\\1:', 'g'), 1, 17), '86' || lpad(n::text, 13, '0'), '8986' || lpad(n::text, 15, '0'),
      'Street ' || n, now() - n * interval '1 second', case when n % 5000 <> 3 then md5(n::text) end
    from generate_series(1, ${DEVICES}) n`
  await sql`
    insert into device_states (device_id, online, online_changed_at, last_seen_at, status_at, ip, signal_dbm, network_mode, rx_bytes, tx_bytes, interfaces)
    select id, id % 10 < 9 and id % 200 <> 4, case when id % 200 <> 4 then now() end, now() - (id % 3600) * interval '1 second', now(), '10.' || id / 65536 || '.' || (id / 256) % 256 || '.' || id % 256,
      -50 - id % 60, 'LTE', id * 1000, id * 100,
      '[{"name":"wwan0","up":true,"ip":"10.64.3.17","rxBytes":91823377,"txBytes":1203911},{"name":"br-lan","up":true,"ip":"192.168.1.1"}]'
    from devices where customer_id = ${customerId} on conflict (device_id) do nothing`
  await sql`insert into traffic_days (device_id, day, rx_bytes, tx_bytes)
    select id, (now() at time zone 'UTC')::date, id * 10, id from devices on conflict do nothing`
  await seedStates({ sql }, customerId, groupId)
  await sql`vacuum analyze`
}

/** Milliseconds: median and 95th percentile of the counted rounds. */
async function time(question: (round: number) => Promise<unknown>): Promise<{ p50: number; p95: number }> {
  const took: number[] = []
  for (let round = 0; round < ROUNDS + WARM_UP; round++) {
    const start = performance.now()
    await question(round)
    if (round >= WARM_UP) took.push(performance.now() - start)
  }
  took.sort((a, b) => a - b)
  const at = (share: number) => Math.round((took[Math.floor(took.length * share)] ?? 0) * 10) / 10
  return { p50: at(0.5), p95: at(0.95) }
}

/** A hand-written query for the first page, including the count. */
const plainFirstPage = ({ sql }: Context, customerId: number) =>
  Promise.all([
    sql`select d.id, d.sn, d.name, d.group_id, g.name, d.customer_id, c.name, d.model, d.firmware, coalesce(s.online, false), s.online_changed_at,
        s.last_seen_at, s.offline_reason, s.ip, s.signal_dbm, s.network_mode, t.rx_bytes + t.tx_bytes, d.address, s.duplicate_suspected_at
      from devices d join groups g on g.id = d.group_id join customers c on c.id = d.customer_id left join device_states s on s.device_id = d.id
      left join traffic_days t on t.device_id = d.id and t.day = (now() at time zone 'UTC')::date
      where d.customer_id = ${customerId} and d.deleted_at is null order by d.sn limit 10`,
    sql`select count(*) from devices where customer_id = ${customerId} and deleted_at is null`,
  ])

const cases: Record<string, (round: number) => Record<string, unknown>> = {
  'first page': () => ({}),
  'page 50 of 100 rows': () => ({ offset: 50, limit: 100 }),
  'search serial': (round) => ({ search: `${(round * 7919) % 100000}`.padStart(6, '0') }),
  'search part of a MAC': (round) => ({ search: `${(round * 37) % 90}:${10 + (round % 80)}` }),
  'search part of an address': (round) => ({ search: `10.0.${round}.` }),
  'search two letters': () => ({ search: 'ab' }),
  'online only': () => ({ online: 'online' }),
  'one group': () => ({}),
  'sort by name': () => ({ sort: 'deviceName' }),
  'sort by signal': () => ({ sort: 'signalDbm' }),
  'sort by last seen, newest first': () => ({ sort: 'lastSeenAt', order: 'desc' }),
  'of one state': () => ({ state: 'offline' }),
  'rebooting only': () => ({ state: 'rebooting' }),
  'sort by state': () => ({ sort: 'state' }),
  'sort by state, last first': () => ({ sort: 'state', order: 'desc' }),
  'sort by connection': () => ({ sort: 'online' }),
  'sort by model': () => ({ sort: 'model' }),
  'sort by group': () => ({ sort: 'groupName' }),
}

export async function run(): Promise<{ name: string; figures: Record<string, number | string> }> {
  const dir = mkdtempSync(join(tmpdir(), 'iot-bench-'))
  const postgres = await startEmbeddedPostgres(join(dir, 'postgres'))
  await migrateDatabase(postgres.url)
  // Replies are validated outside production only; the figure is for production.
  const env = readEnv({
    NODE_ENV: 'production',
    JWT_SECRET: 'bench-'.repeat(8),
    DATA_DIR: dir,
    LOG_LEVEL: 'silent',
  })
  const context = openContext('api', env, postgres.url)
  const app = await buildServer(context)
  try {
    const { a } = await seedTenants(context)
    await seedDevices(context, a.customerId, a.groups.root)
    const login = await app.inject({
      method: 'POST',
      url: '/api/userLogin',
      payload: { username: a.admin.username, password: TEST_PASSWORD },
    })
    const { token } = login.json().data
    const list = async (body: Record<string, unknown>) => {
      const answer = await app.inject({
        method: 'POST',
        url: '/api/device/getDeviceList',
        headers: { token },
        payload: body,
      })
      const { code, data, message } = answer.json()
      if (code !== 0) throw new Error(`${JSON.stringify(body)}: ${message}`)
      return data.total as number
    }
    const found = await list({})
    if (found < DEVICES) throw new Error(`only ${found} devices are listed`)
    const figures: Record<string, number | string> = { devices: DEVICES }
    const plain = await time(() => plainFirstPage(context, a.customerId))
    for (const [name, body] of Object.entries(cases)) {
      const filter = name === 'one group' ? { groupId: a.groups.root + 1 } : {}
      const { p50, p95 } = await time((round) => list({ ...body(round), ...filter }))
      figures[`${name}, p50 ms`] = p50
      figures[`${name}, p95 ms`] = p95
      if (name !== 'first page') continue
      figures['first page in plain SQL, p95 ms'] = plain.p95
      figures['first page, API to plain SQL'] = Math.round((p95 / plain.p95) * 100) / 100
    }
    return { name: 'device list of 100,000 devices', figures }
  } finally {
    await app.close()
    await context.close()
    await postgres.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(`${JSON.stringify(await run(), null, 2)}\n`)
