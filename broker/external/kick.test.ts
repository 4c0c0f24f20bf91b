/** The REST calls that end connections at an EMQX 5, against a server that records them. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { afterFile } from '#test/after-file'
import { testContext } from '#test/harness'
import { addDevices, seedTenants } from '#test/tenants'
import { until } from '#test/walks/until'
import { openKicks } from './kick.ts'

const asked: string[] = []
let away = false
let failsAt = ''
const emqx = createServer((request, response) => {
  asked.push(`${request.method} ${request.url} ${request.headers.authorization}`)
  if (away) return response.writeHead(503).end()
  const username = new URL(request.url ?? '', 'http://emqx').searchParams.get('username') ?? ''
  if (username !== '' && username === failsAt) return response.writeHead(500).end()
  const ids = username.includes(':') ? [username] : [username, `${username}:pub`]
  if (request.method === 'GET')
    return response.end(JSON.stringify({ data: ids.map((clientid) => ({ clientid })) }))
  response.writeHead(204).end()
})
await new Promise<void>((done) => emqx.listen(0, '127.0.0.1', done))
afterFile(() => emqx.close())
const context = await testContext({
  BROKER: 'external',
  EXTERNAL_MQTT_KIND: 'emqx',
  EXTERNAL_MQTT_URL: 'mqtt://127.0.0.1:1',
  EXTERNAL_MQTT_PASSWORD: 'none',
  EMQX_URL: `http://127.0.0.1:${(emqx.address() as AddressInfo).port}`,
  EMQX_API_KEY: 'key',
  EMQX_API_SECRET: 'api-secret',
  EMQX_HOOK_SECRET: '0123456789abcdef0123456789abcdef',
})
const { sql } = context
const { a } = await seedTenants(context)
const [one, missed, unseen, moved, stuck, behind] = await addDevices(
  sql,
  a.customerId,
  a.groups.root,
  'KICK-',
  6,
)
const kicks = await openKicks(context, 200)
afterFile(() => kicks.close())
const basic = `Basic ${Buffer.from('key:api-secret').toString('base64')}`

it('end all connections of a device when its secret is revoked', async () => {
  await sql`update devices set secret_hash = null where id = ${one?.id ?? 0}`
  await sql`select pg_notify('device_credentials', ${`revoked ${one?.id}`})`
  await until('both are ended', () => asked.length >= 3)
  expect(asked.slice(0, 3)).toEqual([
    `GET /api/v5/clients?username=${one?.sn}&limit=20 ${basic}`,
    `DELETE /api/v5/clients/${one?.sn} ${basic}`,
    `DELETE /api/v5/clients/${one?.sn}%3Apub ${basic}`,
  ])
})

it('are repeated when the notification was lost or EMQX was unavailable, and are reported meanwhile', async () => {
  away = true
  asked.length = 0
  await sql`
    update device_states set online = true, broker_id = 'external', connection_id = gen_random_uuid(), last_login_at = now()
    where device_id = ${missed?.id ?? 0}`
  await sql`update devices set secret_hash = 'other', secret_changed_at = now() + interval '1 second' where id = ${missed?.id ?? 0}`
  await until('it was asked', () => asked.length > 0)
  await until('it is said', () => kicks.lacks()[0] === 'REST API of EMQX: EMQX answers 503')
  away = false
  const ended = `DELETE /api/v5/clients/${missed?.sn} ${basic}`
  await until('it is ended', () => asked.includes(ended))
  await until('nothing is lacking', () => kicks.lacks().length === 0)
})

it('are repeated until EMQX has ended them, for a device that nobody saw connect or that was moved, too', async () => {
  away = true
  asked.length = 0
  await sql`select pg_notify('device_credentials', ${`moved ${unseen?.id}`})`
  await until('it was asked', () => asked.length > 0)
  away = false
  await until('it is ended', () => asked.includes(`DELETE /api/v5/clients/${unseen?.sn} ${basic}`))
  asked.length = 0
  await sql`
    update device_states set online = true, broker_id = 'external', connection_id = gen_random_uuid(), last_login_at = now()
    where device_id = ${moved?.id ?? 0}`
  // Its notification was lost.
  await sql`update devices set owned_since = now() + interval '1 second' where id = ${moved?.id ?? 0}`
  await until('it is ended', () => asked.includes(`DELETE /api/v5/clients/${moved?.sn} ${basic}`))
})

it('are not held up by a device at which EMQX fails each time', async () => {
  failsAt = stuck?.sn ?? ''
  for (const device of [stuck, behind])
    await sql`select pg_notify('device_credentials', ${`moved ${device?.id}`})`
  await until('the other is ended', () => asked.includes(`DELETE /api/v5/clients/${behind?.sn} ${basic}`))
  expect(kicks.lacks()).toEqual(['REST API of EMQX: EMQX answers 500'])
  failsAt = ''
  await until('it is ended', () => asked.includes(`DELETE /api/v5/clients/${stuck?.sn} ${basic}`))
})
