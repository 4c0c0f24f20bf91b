import postgres from 'postgres'
import { expect, it } from 'vitest'
import { gatherDeclared } from '#infra/gather'
import { readProxies } from '#infra/proxies'
import { gatherRefusals } from '#infra/refusals'
import { isCall } from '#schema/kit/call'
import { REFUSED_MAIL } from '#schema/platform/mail'
import { apiTest } from '#test/api-client'
import { buildServer } from './server.ts'

const { app, call, tenants, context } = await apiTest({ METRICS_TOKEN: 'a-scraper-token-1' })

it('is alive without any dependency', async () => {
  expect((await app.inject('/healthz')).json()).toEqual({ status: 'ok' })
})

it('is not ready while no broker sends heartbeats, and names it', async () => {
  // The database may have been migrated minutes ago.
  await context.sql`update work_marks set worked_at = now()`
  const before = await app.inject('/readyz')
  expect([before.statusCode, before.json()]).toEqual([
    503,
    { postgres: true, broker: false, queue: true, workers: true, mail: 'outbox' },
  ])
  await context.sql`insert into brokers (id, started_at, beat_at) values ('b', now(), now())`
  expect((await app.inject('/readyz')).statusCode).toBe(200)
})

it('is not ready while PostgreSQL is read-only, as a standby before its promotion; writing calls say to try again', async () => {
  const { databaseUrl } = context
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  const name = new URL(databaseUrl).pathname.slice(1)
  const others = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  const becomes = async (value: 'on' | 'off') => {
    await sql`alter database ${sql(name)} set default_transaction_read_only = ${sql.unsafe(value)}`
    await others()
    await expect
      .poll(async () => (await app.inject('/readyz')).json().readOnly)
      .toEqual(value === 'on' ? expect.stringContaining('read-only') : undefined)
  }
  const reads = () => call('device/getGroupList', {}, tenants.a.admin)
  await reads()
  try {
    await becomes('on')
    const answer = await app.inject('/readyz')
    expect([answer.statusCode, answer.json()]).toMatchObject([503, { postgres: false }])
    expect(await call('device/addGroup', { groupName: 'Read only' }, tenants.a.admin)).toMatchObject({
      status: 503,
      code: 503,
    })
    expect(await reads()).toMatchObject({ code: 0 })
  } finally {
    await becomes('off')
    await sql.end()
  }
  expect((await app.inject('/readyz')).json()).toMatchObject({ postgres: true })
})

it('serves metrics to loopback: calls by name and code, and the current state of the installation', async () => {
  await call('device/getDeviceList', {}, tenants.a.admin)
  await call('device/getDeviceList', { limit: -1 }, tenants.a.admin)
  const text = (await app.inject('/metrics')).body
  expect(text).toMatch(
    /iot_call_duration_seconds_count\{room="test",call="device\/getDeviceList",code="0"\} 1/,
  )
  expect(text).toMatch(
    /iot_call_duration_seconds_count\{room="test",call="device\/getDeviceList",code="3"\} 1/,
  )
  expect(text).toMatch(/iot_devices\{room="test"\} 8/)
  expect(text).toMatch(/iot_devices_online\{room="test"\} 0/)
})

it('reports since when the workers have been silent, without being unready', async () => {
  const told = async (secondsAgo: number) => {
    const [row] = await context.sql<{ at: Date }[]>`
      update work_marks set worked_at = now() - make_interval(secs => ${secondsAgo}) returning worked_at as at`
    const [ready, metrics] = await Promise.all([app.inject('/readyz'), app.inject('/metrics')])
    const { data } = await call<{ silentSince: string | null }>('config/getWorkState', {}, tenants.b.admin)
    return {
      ready: [ready.statusCode, ready.json().workers],
      seconds: Number(/iot_workers_silent_seconds\{room="test"\} (\d+)/.exec(metrics.body)?.[1]),
      silent: data?.silentSince && data.silentSince === row?.at.toISOString(),
    }
  }
  expect(await told(50)).toMatchObject({ ready: [200, true], silent: null })
  const late = await told(61)
  expect(late).toMatchObject({ ready: [200, false], silent: true })
  expect(late.seconds).toBeGreaterThanOrEqual(61)
})

it('reports how long reports wait, which reveals a dead worker', async () => {
  const waiting = async () =>
    Number(/iot_inbox_oldest_seconds\{room="test"\} ([\d.]+)/.exec((await app.inject('/metrics')).body)?.[1])
  expect(await waiting()).toBe(0)
  await context.sql`insert into inbox (device_id, name, payload, received_at) values (1, 'x', '{}', now() - interval '90 seconds')`
  expect(await waiting()).toBeGreaterThanOrEqual(90)
  await context.sql`delete from inbox`
})

it('reports how long mail has waited in vain, but not for one mailbox that refuses it, nor for a budget', async () => {
  const stuck = async () =>
    Number(/iot_mail_stuck_seconds\{room="test"\} ([\d.]+)/.exec((await app.inject('/metrics')).body)?.[1])
  const add = (minutesAgo: number, state: string, attempts: number) => context.sql`
    insert into mails (purpose, recipient, subject, text, state, attempts, created_at, due_at, sent_at)
    select 'alarm', 'a@example.test', '', '', ${state}, ${attempts}, at, now() + interval '1 hour', case when ${state} = 'sent' then at end
    from (select now() - make_interval(mins => ${minutesAgo}::int) as at) x`
  await add(50, 'draft', 0)
  expect(await stuck()).toBe(0)
  await add(40, 'sending', 6)
  expect(await stuck()).toBeGreaterThanOrEqual(2400)
  await add(30, 'sent', 1)
  expect(await stuck()).toBe(0)
  await add(20, 'sending', 5)
  expect(await stuck()).toBeGreaterThanOrEqual(1200)
  // Nothing else was sent since, but the server answers.
  await context.sql`update mails set error = ${`${REFUSED_MAIL}452 mailbox full`} where attempts = 5`
  expect(await stuck()).toBe(0)
  await add(20, 'sending', 7)
  await context.sql`update mails set error = ${`${REFUSED_MAIL}452 disk full`}, recipient = 'b@example.test' where attempts = 7`
  expect(await stuck()).toBeGreaterThanOrEqual(1200)
  await context.sql`delete from mails`
})

it('serves them to others only with the token', async () => {
  const remote = { url: '/metrics', remoteAddress: '203.0.113.9' }
  expect((await app.inject(remote)).statusCode).toBe(403)
  expect((await app.inject({ ...remote, headers: { authorization: 'Bearer wrong' } })).statusCode).toBe(403)
  expect(
    (await app.inject({ ...remote, headers: { authorization: 'Bearer a-scraper-token-1' } })).statusCode,
  ).toBe(200)
})

it('trusts X-Forwarded-For from no peer by default: not in the log, not for metrics, not even on this machine', async () => {
  for (const remoteAddress of ['203.0.113.9', '127.0.0.1', '::ffff:127.0.0.1']) {
    const headers = { 'x-forwarded-for': '127.0.0.1', 'content-type': 'application/json' }
    expect((await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode).toBe(403)
    await app.inject({
      method: 'POST',
      url: '/api/userLogin',
      remoteAddress,
      headers: { ...headers, 'x-forwarded-for': '198.51.100.1' },
      payload: { username: 'forger', password: 'wrong-pass-1' },
    })
  }
  const seen = await context.sql`select ip from logins where username = 'forger' order by id`
  expect(seen.map((row) => row['ip'])).toEqual(['203.0.113.9', '127.0.0.1', '::ffff:127.0.0.1'])
  const keys = await context.sql`select key from login_attempts where key like '%198.51.100.1'`
  expect(keys).toHaveLength(0)
})

it('trusts a configured proxy, and takes the last untrusted address as the client', async () => {
  const trusting = await buildServer({
    ...context,
    env: {
      ...context.env,
      TRUSTED_PROXIES: readProxies('loopback, 10.0.0.0/8') ?? context.env.TRUSTED_PROXIES,
    },
  })
  await trusting.inject({
    method: 'POST',
    url: '/api/userLogin',
    headers: { 'x-forwarded-for': '6.6.6.6, 198.51.100.7:40122, 10.1.2.3' },
    payload: { username: 'proxied', password: 'wrong-pass-1' },
  })
  expect(await context.sql`select ip from logins where username = 'proxied'`).toMatchObject([
    { ip: '198.51.100.7' },
  ])
  const scrape = (named: string) =>
    trusting.inject({ url: '/metrics', headers: { 'x-forwarded-for': named } })
  expect([(await scrape('127.0.0.1')).statusCode, (await scrape('198.51.100.7')).statusCode]).toEqual([
    200, 403,
  ])
  await trusting.close()
})

it('without Redis reports what does not work, and stays ready', async () => {
  const queue = { ...context.queue, answers: async () => false }
  const without = await buildServer({
    ...context,
    queue,
    env: { ...context.env, REDIS_URL: 'redis://127.0.0.1:1' },
  })
  await context.sql`update work_marks set worked_at = now()`
  await context.sql`update brokers set beat_at = now()`
  const answer = await without.inject('/readyz')
  await without.close()
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      postgres: true,
      broker: true,
      queue: false,
      workers: true,
      mail: 'outbox',
      withoutRedis: expect.arrayContaining([expect.stringContaining('jobs wait')]),
    },
  ])
})

it('describes every call and every product code in OpenAPI 3.1 and renders it', async () => {
  const document = (await app.inject('/api/openapi.json')).json()
  expect(document.openapi).toBe('3.1.0')
  const { description, requestBody } = document.paths['/api/levelUp/addLevelUp'].post
  const { schema } = requestBody.content['application/json']
  expect(schema.required).toContain('spId')
  // Unknown fields are refused, within what a body holds too.
  expect(schema).toMatchObject({
    additionalProperties: false,
    properties: { filter: { additionalProperties: false } },
  })
  expect(description).toContain('Longest body: 1280 kB')
  const calls = await gatherDeclared(isCall)
  const missing = calls.filter(({ path, method }) => !document.paths[path]?.[method.toLowerCase()])
  expect(missing.map(({ name }) => name)).toEqual([])
  for (const [name, { code }] of await gatherRefusals())
    expect(document.info.description).toContain(`| ${code} | ${name} |`)
  expect((await app.inject('/api/docs/')).statusCode).toBe(200)
})

it('answers a client that offers h2c, as Java’s does, instead of closing the connection', async () => {
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const { hostname, port } = new URL(address)
  const { connect } = await import('node:net')
  const socket = connect(Number(port), hostname)
  socket.write(
    'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n',
  )
  const answer = await new Promise<string>((done) => socket.once('data', (chunk) => done(String(chunk))))
  socket.destroy()
  expect(answer).toMatch(/^HTTP\/1\.1 200/)
})
