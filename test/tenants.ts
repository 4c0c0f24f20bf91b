/** Two customers with the same objects: anything that one of them can see of the other is a bug. */
import { randomUUID } from 'node:crypto'
import type { Context } from '#infra/context'
import { hashPassword, hashSecret, makeSecret } from '#infra/secrets'
import { seedRoles } from '#launch/seed'
import type { UserType } from '#schema/people/session'

export const TEST_PASSWORD = 'right-horse-7'
/** The minimum of argon2: at full cost, logins would take a tenth of a run's processor time. */
const CHEAP = { memory: 8, passes: 1, parallelism: 1, tagLength: 32 }

export type TestUser = { id: number; username: string; type: UserType; customerId: number | null }
export type TestDevice = { id: number; sn: string; secret: string; groupId: number; customerId: number }
export type Tenant = {
  customerId: number
  name: string
  /** Default (level 1), Branch (level 2 below it), Other (level 1). */
  groups: { root: number; branch: number; other: number }
  admin: TestUser
  /** A normal user confined to `branch`, role operator. */
  operator: TestUser
  /** A normal user confined to `branch`, role viewer. */
  viewer: TestUser
  /** [0] in root, [1] and [2] in branch, the others in other. */
  devices: TestDevice[]
}
export type Tenants = { a: Tenant; b: Tenant; systemAdmin: TestUser; superAdmin: TestUser }

let passwordHash: Promise<string> | undefined

type Sql = Context['sql']

async function addUser(
  sql: Sql,
  username: string,
  type: UserType,
  role: string | null,
  customerId: number | null,
  groupId?: number,
): Promise<TestUser> {
  passwordHash ??= hashPassword(TEST_PASSWORD, CHEAP)
  const hash = await passwordHash
  const [row] = await sql<{ id: number }[]>`
    insert into users (username, email, password_hash, type, role_id, customer_id, mon_state)
    values (${username}, ${`${username}@example.test`}, ${hash}, ${type}, (select id from roles where customer_id is null and name = ${role}), ${customerId}, 1)
    returning id`
  const id = row?.id ?? 0
  if (groupId) await sql`insert into user_groups (user_id, group_id) values (${id}, ${groupId})`
  return { id, username, type, customerId }
}

async function addGroup(
  sql: Sql,
  customerId: number,
  name: string,
  parentId: number | null,
  level: number,
): Promise<number> {
  const [row] = await sql<{ id: number }[]>`
    insert into groups (customer_id, name, parent_id, level, is_default) values (${customerId}, ${name}, ${parentId}, ${level}, ${name === 'Default'}) returning id`
  return row?.id ?? 0
}

/** Adds devices with known secrets in one statement; `prefix` makes their serial numbers. */
export async function addDevices(
  sql: Sql,
  customerId: number,
  groupId: number,
  prefix: string,
  count: number,
): Promise<TestDevice[]> {
  const made = Array.from({ length: count }, (_, i) => ({
    sn: `${prefix}${String(i).padStart(5, '0')}`,
    secret: makeSecret(),
  }))
  const rows = await sql<{ id: number; sn: string }[]>`
    insert into devices (customer_id, group_id, sn, name, secret_hash, model, firmware)
    select ${customerId}, ${groupId}, d.sn, 'Device ' || d.sn, d.hash, 'R200', '1.0.0'
    from unnest(${made.map((d) => d.sn)}::text[], ${made.map((d) => hashSecret(d.secret))}::text[]) as d(sn, hash) returning id, sn`
  await sql`insert into device_states (device_id) select id from devices where sn in ${sql(made.map((d) => d.sn))} on conflict do nothing`
  const ids = new Map(rows.map((row) => [row.sn, row.id]))
  return made.map((d) => ({ ...d, id: ids.get(d.sn) ?? 0, groupId, customerId }))
}

/** The devices as options of the simulator, with their secrets. */
export const simulated = (
  devices: readonly TestDevice[],
  modelOf: (device: TestDevice, index: number) => string = () => 'R200',
): { fleet: { sn: string; model: string }[]; secrets: Record<string, string> } => ({
  fleet: devices.map((device, i) => ({ sn: device.sn, model: modelOf(device, i) })),
  secrets: Object.fromEntries(devices.map(({ sn, secret }) => [sn, secret])),
})

export async function addTenant(sql: Sql, name: string): Promise<Tenant> {
  const [row] = await sql<{ id: number }[]>`insert into customers (name) values (${name}) returning id`
  const customerId = row?.id ?? 0
  const root = await addGroup(sql, customerId, 'Default', null, 1)
  const branch = await addGroup(sql, customerId, 'Branch', root, 2)
  const other = await addGroup(sql, customerId, 'Other', null, 1)
  const low = name.toLowerCase()
  return {
    customerId,
    name,
    groups: { root, branch, other },
    admin: await addUser(sql, `${low}-admin`, 'customerAdmin', 'customerAdmin', customerId),
    operator: await addUser(sql, `${low}-operator`, 'normal', 'operator', customerId, branch),
    viewer: await addUser(sql, `${low}-viewer`, 'normal', 'viewer', customerId, branch),
    devices: [
      ...(await addDevices(sql, customerId, root, `${name}-R-`, 1)),
      ...(await addDevices(sql, customerId, branch, `${name}-B-`, 2)),
      ...(await addDevices(sql, customerId, other, `${name}-O-`, 1)),
    ],
  }
}

/** Users log in with TEST_PASSWORD. */
export async function seedTenants(context: Pick<Context, 'sql'>): Promise<Tenants> {
  const { sql } = context
  await seedRoles(sql)
  return {
    a: await addTenant(sql, 'Acme'),
    b: await addTenant(sql, 'Bolt'),
    systemAdmin: await addUser(sql, 'sys', 'systemAdmin', 'systemAdmin', null),
    superAdmin: await addUser(sql, 'root', 'superAdmin', null, null),
  }
}

/** A package that exists in the file store, synced, visible to one customer (or all: null). */
export async function addPackage(
  context: Pick<Context, 'sql' | 'files'>,
  of: {
    customerId: number | null
    model: string
    version: string
    type?: 'upgrade' | 'patch' | 'ordinary'
    content?: Buffer
    name?: string
  },
): Promise<{ id: number; sha256: string; md5: string; sizeBytes: number; fileKey: string }> {
  const { createHash } = await import('node:crypto')
  const { gzipSync } = await import('node:zlib')
  const content = of.content ?? gzipSync(Buffer.concat([Buffer.from(randomUUID()), Buffer.alloc(2048)]))
  const file = context.files.create()
  await new Promise<void>((done, fail) => file.stream.end(content, () => done()).once('error', fail))
  await file.keep()
  const sha256 = createHash('sha256').update(content).digest('hex')
  const md5 = createHash('md5').update(content).digest('hex')
  const [row] = await context.sql<{ id: number }[]>`
    insert into packages (name, version, model, type, size_bytes, sha256, md5, file_key, visibility, customer_id, synced_at)
    values (${of.name ?? `${of.model} firmware`}, ${of.version}, ${of.model}, ${of.type ?? 'upgrade'}, ${content.length}, ${sha256}, ${md5}, ${file.key},
      ${of.customerId === null ? 'all' : 'customer'}, ${of.customerId}, now()) returning id`
  return { id: row?.id ?? 0, sha256, md5, sizeBytes: content.length, fileKey: file.key }
}
