/** What a fresh database holds: template roles, the super administrator, and a demonstration customer. */
import type { Context } from '#infra/context'
import { templateGrants } from '#infra/rights'
import { hashPassword, hashSecret, makeSecret } from '#infra/secrets'
import { ENROLMENT_KEY_PREFIX } from '#schema/device/enrol'
import { templateRoles } from '#schema/kit/permission'
import type { UserType } from '#schema/people/session'

type Sql = Context['sql']

/** A password that obeys [§5]: 14 characters, letters and digits, none that look alike. */
export function makePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return `${Array.from(bytes, (byte) => letters[byte % letters.length]).join('')}a7`
}

/** Template roles follow the code: a new function id reaches them at the next start. */
export async function seedRoles(sql: Sql): Promise<void> {
  for (const name of templateRoles) {
    const { functionIds, menuIds } = templateGrants(name)
    await sql`insert into roles (customer_id, template, name, function_ids, menu_ids)
      values (null, true, ${name}, ${functionIds}, ${menuIds})
      on conflict ((coalesce(customer_id, 0)), name_key(name)) do update set template = true, function_ids = excluded.function_ids, menu_ids = excluded.menu_ids`
  }
}

type NewUser = {
  username: string
  password: string
  type: UserType
  role: string | null
  customerId: number | null
  groupId?: number
  realname?: string
}

/** Creates a user unless the name is taken; answers whether it was created. */
export async function seedUser(sql: Sql, user: NewUser): Promise<boolean> {
  const [taken] = await sql`select 1 from users where lower(username) = ${user.username}`
  if (taken) return false
  const hash = await hashPassword(user.password)
  await sql.begin(async (tx) => {
    const [made] = await tx<{ id: number }[]>`
      insert into users (username, password_hash, type, role_id, customer_id, realname, mon_state, default_group_id)
      values (${user.username}, ${hash}, ${user.type}, (select id from roles where customer_id is null and name = ${user.role}),
        ${user.customerId}, ${user.realname ?? null}, 0, ${user.groupId ?? null}) returning id`
    if (user.type === 'normal' && user.groupId && made)
      await tx`insert into user_groups (user_id, group_id) values (${made.id}, ${user.groupId})`
  })
  return true
}

/** The super administrator; answers a generated password once, null when he exists already or it was given. */
export async function seedAdmin(sql: Sql, given: string | undefined): Promise<string | null> {
  const password = given ?? makePassword()
  const created = await seedUser(sql, {
    username: 'admin',
    password,
    type: 'superAdmin',
    role: null,
    customerId: null,
    realname: 'Administrator',
  })
  return created && given === undefined ? password : null
}

export type DemoUser = { username: string; password: string }
export type Demo = { customerId: number; groupIds: number[]; users: DemoUser[] }

async function findOrMakeGroup(
  sql: Sql,
  customerId: number,
  name: string,
  parentId: number | null,
  level: number,
  isDefault = false,
): Promise<number> {
  const [found] = await sql<{ id: number }[]>`
    select id from groups where customer_id = ${customerId} and name_key(name) = name_key(${name})`
  if (found) return found.id
  const [row] = await sql<{ id: number }[]>`
    insert into groups (customer_id, name, parent_id, level, is_default) values (${customerId}, ${name}, ${parentId}, ${level}, ${isDefault}) returning id`
  return row?.id ?? 0
}

/** The demonstration customer with three levels of groups and one user of each type below the super administrator. */
export async function seedDemo(sql: Sql): Promise<Demo> {
  // By its very name: somebody's real customer may be called "demo".
  const [found] = await sql<{ id: number }[]>`
    select id from customers where name = 'Demo'`
  const [made] = found
    ? [found]
    : await sql<{ id: number }[]>`
        insert into customers (name, contact, phone, email, address) values
          ('Demo', 'Li Wei', '+862155550100', 'operations@demo.example', '100 Century Avenue, Shanghai') returning id`
  const customerId = made?.id ?? 0
  const root = await findOrMakeGroup(sql, customerId, 'Default', null, 1, true)
  const north = await findOrMakeGroup(sql, customerId, 'North', root, 2)
  const south = await findOrMakeGroup(sql, customerId, 'South', root, 2)
  const kiosks = await findOrMakeGroup(sql, customerId, 'Kiosks', south, 3)
  const users: DemoUser[] = []
  const wanted: Omit<NewUser, 'password'>[] = [
    { username: 'demo_system', type: 'systemAdmin', role: 'systemAdmin', customerId: null },
    { username: 'demo_admin', type: 'customerAdmin', role: 'customerAdmin', customerId, groupId: root },
    { username: 'demo_user', type: 'normal', role: 'operator', customerId, groupId: south },
  ]
  for (const user of wanted) {
    const password = makePassword()
    if (await seedUser(sql, { ...user, password })) users.push({ username: user.username, password })
  }
  return { customerId, groupIds: [root, north, south, kiosks], users }
}

/** Where nothing is simulated: one customer with its default group, so that the first device has a home. */
export async function seedFirstCustomer(sql: Sql): Promise<void> {
  const [found] = await sql`select 1 from customers limit 1`
  if (found) return
  const [customer] = await sql<{ id: number }[]>`insert into customers (name) values ('Default') returning id`
  await findOrMakeGroup(sql, customer?.id ?? 0, 'Default', null, 1, true)
}

/**
 * Enrolment keys for the simulated fleet of this start, one per group; those of the start before are gone. The
 * simulator is a stranger: it gets these keys and nothing else.
 */
export async function seedSimKeys(sql: Sql, demo: Demo, count: number): Promise<string> {
  const keys = demo.groupIds.map((groupId) => ({ groupId, key: `${ENROLMENT_KEY_PREFIX}${makeSecret()}` }))
  await sql.begin(async (tx) => {
    await tx`delete from enrolment_keys where label = 'simulated fleet' and created_by is null`
    for (const { groupId, key } of keys)
      await tx`insert into enrolment_keys (customer_id, group_id, label, hash, max_count, expires_at)
        values (${demo.customerId}, ${groupId}, 'simulated fleet', ${hashSecret(key)}, ${count}, now() + interval '1 day')`
  })
  return keys.map(({ key }) => key).join(',')
}
