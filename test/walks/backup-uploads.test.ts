/** A link for one backup of one device, for a limited time, and one file. */
import { randomUUID } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readBackup } from '#api/device/backup-contents'
import { buildServer } from '#api/server'
import { packTarGz } from '#device-sim/tar-gz'
import { downloadPassword, uploadSignature } from '#infra/secrets'
import { BACKUP_MAX_BYTES } from '#schema/device/backup'
import { type TestContext, testContext } from '#test/harness'
import { seedTenants, type TestDevice } from '#test/tenants'

let context: TestContext
let app: FastifyInstance
let device: TestDevice
let other: TestDevice

beforeAll(async () => {
  context = await testContext()
  app = await buildServer(context)
  const { a, b } = await seedTenants(context)
  device = a.devices[0] as TestDevice
  other = b.devices[0] as TestDevice
})
afterAll(() => app.close())

/** Packed like the simulator; the number makes them differ. */
const pack = (log: number) =>
  packTarGz(
    [
      { path: 'etc/config/network', text: "config interface 'lan'\n\toption proto 'static'\n" },
      { path: 'etc/config/wireless', text: "config wifi-iface\n\toption encryption 'psk2'\n" },
      { path: 'etc/config/system', text: `config system\n\toption log_size '${log}'\n` },
    ],
    0,
  )

async function ask(minutes = 15): Promise<string> {
  const id = randomUUID()
  const commandId = randomUUID()
  await context.sql`
    insert into commands (id, device_id, customer_id, name, args, state, deadline_at)
    values (${commandId}, ${device.id}, ${device.customerId}, 'uploadBackup', '{}', 'sent', now() + interval '5 minutes')`
  await context.sql`
    insert into device_backups (id, device_id, command_id, link_expires_at)
    values (${id}, ${device.id}, ${commandId}, ${new Date(Date.now() + minutes * 60_000)})`
  return id
}

type Over = {
  id?: string
  sn?: string
  password?: string
  expires?: number
  sigFor?: string
  length?: number
}
function put(id: string, payload: Buffer, over: Over = {}) {
  const { JWT_SECRET } = context.env
  const expires = over.expires ?? Date.now() + 60_000
  const sig = uploadSignature(JWT_SECRET, over.sigFor ?? id, over.sn ?? device.sn, expires)
  const password = over.password ?? downloadPassword(JWT_SECRET, id)
  return app.inject({
    method: 'PUT',
    url: `/files/backup/${id}?expires=${expires}&sig=${sig}`,
    headers: {
      'content-type': 'application/gzip',
      authorization: `Basic ${Buffer.from(`${over.sn ?? device.sn}:${password}`).toString('base64')}`,
    },
    payload,
  })
}
const status = async (...given: Parameters<typeof put>) => (await put(...given)).statusCode

it('accepts one file, the same one again, and no other', async () => {
  const id = await ask()
  expect([await status(id, pack(1)), await status(id, pack(1)), await status(id, pack(2))]).toEqual([
    201, 200, 409,
  ])
  const [row] = await context.sql<
    { fileKey: string }[]
  >`select file_key as "fileKey" from device_backups where id = ${id}`
  const { files, complete } = await readBackup(context.files.read(row?.fileKey ?? ''))
  expect(complete).toBe(true)
  expect(files.map(({ path }) => path)).toContain('etc/config/network')
  expect(files.find(({ path }) => path === 'etc/config/wireless')?.text).toContain("option encryption 'psk2'")
})

it('is for one device only, and expires', async () => {
  const id = await ask()
  const strange = await ask()
  expect({
    otherDevice: await status(id, pack(1), { sn: other.sn }),
    wrongPassword: await status(id, pack(1), { password: 'x' }),
    unknown: await status(randomUUID(), pack(1)),
    noUuid: await status('../../etc/passwd', pack(1)),
    anotherBackup: await status(id, pack(1), { sigFor: strange }),
    expired: await status(id, pack(1), { expires: Date.now() - 1 }),
  }).toEqual({
    otherDevice: 401,
    wrongPassword: 401,
    unknown: 401,
    noUuid: 404,
    anotherBackup: 403,
    expired: 403,
  })
  const late = await ask(-1)
  expect(await status(late, pack(1))).toBe(410)
})

it('ends with its command', async () => {
  const id = await ask()
  await context.sql`
    update commands set state = 'timedOut', ended_at = now() where id = (select command_id from device_backups where id = ${id})`
  expect(await status(id, pack(1))).toBe(410)
})

it('stores nothing that is too large, no archive, truncated, or a bomb', async () => {
  const id = await ask()
  const bomb = gzipSync(Buffer.alloc(40 * 1024 * 1024))
  const whole = pack(1)
  expect([
    await status(id, Buffer.alloc(BACKUP_MAX_BYTES + 1)),
    await status(id, Buffer.from('hello')),
    await status(id, whole.subarray(0, whole.length - 40)),
    await status(id, bomb),
  ]).toEqual([413, 422, 422, 422])
  const [row] = await context.sql`select file_key from device_backups where id = ${id}`
  expect(row?.['file_key']).toBeNull()
  // It may still retry with a valid one.
  expect(await status(id, whole)).toBe(201)
})

it('keeps the number of the parameter per device, the newest, and only their files', async () => {
  const kept = 3
  await context.sql`insert into parameter_values (key, value) values ('backupsKept', ${kept})`
  context.parameters.forget()
  await context.sql`delete from device_backups where device_id = ${device.id}`
  let first: string | undefined
  for (let i = 0; i < kept + 2; i++) {
    const id = await ask()
    expect(await status(id, pack(1))).toBe(201)
    const [row] = await context.sql<
      { fileKey: string }[]
    >`select file_key as "fileKey" from device_backups where id = ${id}`
    first ??= row?.fileKey
  }
  const [counted] =
    await context.sql`select count(*)::int as n from device_backups where device_id = ${device.id}`
  expect(counted?.['n']).toBe(kept)
  expect(await context.files.size(first ?? '')).toBeNull()
})
