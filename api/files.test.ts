import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { downloadPassword, downloadSignature } from '#infra/secrets'
import { apiTest } from '#test/api-client'
import { byForce } from '#test/move-check'
import { addPackage } from '#test/tenants'
import { parseRange } from './files.ts'

const { app, context, tenants } = await apiTest()
const { sql, env } = context
const content = Buffer.from('0123456789')

const [mine, other] = [tenants.a.devices[1], tenants.b.devices[1]] as const
if (!mine || !other) throw new Error('tenants have devices')
const made = await addPackage(context, { customerId: null, model: 'R200', version: '2.0.0', content })

async function addItem(device: typeof mine): Promise<string> {
  const id = randomUUID()
  const [task] = await sql<{ id: number }[]>`
    insert into tasks (kind, customer_id, name, package_id, package_name, type, model, version, size_bytes, sha256, md5, keep_config, start_at, wait_offline_minutes)
    values ('upgrade', ${device?.customerId ?? 0}, 't', ${made.id}, 'p', 'upgrade', 'R200', '2.0.0', 10, ${made.sha256}, ${made.md5}, true, now(), 0) returning id`
  await sql`insert into task_items (id, task_id, device_id, customer_id, deadline_at) values (${id}, ${task?.id ?? 0}, ${device?.id ?? 0}, ${device?.customerId ?? 0}, now() + interval '1 hour')`
  return id
}

const item = await addItem(mine)
const foreign = await addItem(other)
const soon = Date.now() + 60_000

type Ask = {
  item?: string
  username?: string
  password?: string
  expires?: number
  sig?: string
  headers?: Record<string, string>
}
function get(ask: Ask = {}) {
  const id = ask.item ?? item
  const expires = ask.expires ?? soon
  const username = ask.username ?? mine?.sn ?? ''
  const sig = ask.sig ?? downloadSignature(env.JWT_SECRET, id, username, expires)
  const basic = Buffer.from(`${username}:${ask.password ?? downloadPassword(env.JWT_SECRET, id)}`).toString(
    'base64',
  )
  return app.inject({
    url: `/files/${id}?expires=${expires}&sig=${sig}`,
    headers: { authorization: `Basic ${basic}`, ...ask.headers },
  })
}

describe('a download', () => {
  it('returns the file with its hash as ETag', async () => {
    const answer = await get()
    expect([answer.statusCode, answer.body, answer.headers['etag']]).toEqual([
      200,
      '0123456789',
      `"${made.sha256}"`,
    ])
  })

  it('resumes: bytes=4- returns 206 and the rest', async () => {
    const answer = await get({ headers: { range: 'bytes=4-', 'if-range': `"${made.sha256}"` } })
    expect([answer.statusCode, answer.body, answer.headers['content-range']]).toEqual([
      206,
      '456789',
      'bytes 4-9/10',
    ])
  })

  it('returns 416 and the size to a device that requests more although it has all', async () => {
    const answer = await get({ headers: { range: 'bytes=10-', 'if-range': `"${made.sha256}"` } })
    expect([answer.statusCode, answer.headers['content-range']]).toEqual([416, 'bytes */10'])
  })

  it('starts over if the file is not the one in If-Range', async () => {
    expect((await get({ headers: { range: 'bytes=4-', 'if-range': '"old"' } })).statusCode).toBe(200)
  })

  it.each([
    ['a wrong password', 401, { password: 'x' }],
    ['another device’s name', 401, { username: other.sn }],
    ['an unknown item, like a wrong password', 401, { item: randomUUID() }],
    ['another device’s item', 401, { item: foreign }],
    ['a wrong signature', 403, { sig: 'A'.repeat(43) }],
    ['a link that has expired', 403, { expires: Date.now() - 1 }],
    ['a path instead of an item', 404, { item: '..%2f..%2fetc%2fpasswd' }],
  ])('with %s is refused with %i', async (_what, status, ask) => {
    const answer = await get(ask as Ask)
    expect(answer.statusCode).toBe(status)
    expect(answer.body).not.toContain('0123')
  })

  it('ends with its item: 410', async () => {
    const ended = await addItem(mine)
    await sql`update task_items set outcome = 'cancelled' where id = ${ended}`
    expect((await get({ item: ended })).statusCode).toBe(410)
  })

  it.each(['was tried anew as another', 'was called back'])(
    'dies with the item that %s: 410',
    async (what) => {
      const over = await addItem(mine)
      await byForce(
        sql,
        (tx) => tx`update task_items set superseded = ${what === 'was tried anew as another'},
          sending = ${what === 'was called back' ? 'withdrawing' : 'none'} where id = ${over}`,
      )
      expect((await get({ item: over })).statusCode).toBe(410)
    },
  )

  it('ends with the device: 410', async () => {
    await sql`update devices set deleted_at = now() where id = ${mine.id}`
    expect((await get()).statusCode).toBe(410)
    await sql`update devices set deleted_at = null where id = ${mine.id}`
    expect((await get()).statusCode).toBe(200)
  })

  it('ends with the device’s secret: 410', async () => {
    const revoked = await addItem(mine)
    await sql`update devices set secret_hash = null where id = ${mine.id}`
    expect((await get({ item: revoked })).statusCode).toBe(410)
  })
})

it('a deleted package is not served to the platform itself either', async () => {
  const { id } = await addPackage(context, { customerId: null, model: 'R200', version: '3.0.0', content })
  const sig = downloadSignature(env.JWT_SECRET, `package:${id}`, 'service', soon)
  const ask = async () => (await app.inject(`/files/package/${id}?expires=${soon}&sig=${sig}`)).statusCode
  expect(await ask()).toBe(200)
  await sql`update packages set deleted_at = now() where id = ${id}`
  expect(await ask()).toBe(404)
})

it.each([
  [undefined, null],
  ['bytes=0-', { start: 0, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=2-100', { start: 2, end: 9 }],
  ['bytes=10-', 'bad'],
  ['bytes=5-2', 'bad'],
  ['bytes=-', null],
  ['bytes=0-1,3-4', null],
])('a range %s of ten bytes is %j', (header, range) => {
  expect(parseRange(header, 10)).toEqual(range)
})
