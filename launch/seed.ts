/** Initial content of a database: template roles and the super administrator. */
import type { Context } from '#infra/context'
import type { Transaction } from '#infra/postgres'
import { templateGrants } from '#infra/rights'
import { hashPassword, verifyPassword } from '#infra/secrets'
import { templateRoles } from '#schema/kit/permission'
import type { UserType } from '#schema/people/session'

type Sql = Context['sql']

/** A password that satisfies [§5]: 14 characters, letters and digits, none easily confused. */
export function makePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789'
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return `${Array.from(bytes, (byte) => letters[byte % letters.length]).join('')}a7`
}

/** Template roles follow the code: a new function id is added to them at the next start. */
export async function seedRoles(sql: Sql): Promise<void> {
  for (const name of templateRoles) {
    const { functionIds, menuIds } = templateGrants(name)
    await sql`insert into roles (customer_id, template, name, function_ids, menu_ids)
      values (null, true, ${name}, ${functionIds}, ${menuIds})
      on conflict ((coalesce(customer_id, 0)), name_key(name)) do update set template = true, function_ids = excluded.function_ids, menu_ids = excluded.menu_ids`
  }
}

export type NewUser = {
  username: string
  password: string
  type: UserType
  role: string | null
  customerId: number | null
  groupId?: number
  realname?: string
}

/** Creates a user unless the name is taken; returns whether it was created. */
export async function seedUser(tx: Transaction, user: NewUser): Promise<boolean> {
  const [taken] = await tx`select 1 from users where lower(username) = ${user.username}`
  if (taken) return false
  const hash = await hashPassword(user.password)
  const [made] = await tx<{ id: number }[]>`
    insert into users (username, password_hash, type, role_id, customer_id, realname, mon_state, default_group_id)
    values (${user.username}, ${hash}, ${user.type}, (select id from roles where customer_id is null and name = ${user.role}),
      ${user.customerId}, ${user.realname ?? null}, 1, ${user.groupId ?? null}) returning id`
  if (user.type === 'normal' && user.groupId && made)
    await tx`insert into user_groups (user_id, group_id) values (${made.id}, ${user.groupId})`
  return true
}

/**
 * Creates the super administrator; returns a generated password once, null if the user exists or a password was
 * given.
 */
export async function seedAdmin(sql: Sql, given: string | undefined): Promise<string | null> {
  const password = given ?? makePassword()
  const admin: NewUser = { username: 'admin', password, type: 'superAdmin', role: null, customerId: null }
  const created = await sql.begin((tx) => seedUser(tx, admin))
  return created && given === undefined ? password : null
}

/** What a start says about the password of `admin`: ADMIN_PASSWORD may have been changed since the first one. */
export async function whichPassword(sql: Sql, given: string | undefined): Promise<string> {
  const lost = 'lost: npm run --silent admin -- reset-password'
  if (given === undefined) return `as shown at the first start, or as ADMIN_PASSWORD was then (${lost})`
  const [user] = await sql<{ hash: string }[]>`
    select password_hash as hash from users where lower(username) = 'admin'`
  const valid = user !== undefined && (await verifyPassword(given, user.hash))
  return valid ? 'as ADMIN_PASSWORD' : `not as ADMIN_PASSWORD, which only the first start uses (${lost})`
}

export async function makeGroup(
  tx: Transaction,
  customerId: number,
  name: string,
  parentId: number | null,
  level: number,
  isDefault = false,
): Promise<number> {
  const [row] = await tx<{ id: number }[]>`
    insert into groups (customer_id, name, parent_id, level, is_default) values (${customerId}, ${name}, ${parentId}, ${level}, ${isDefault}) returning id`
  return row?.id ?? 0
}

/** Without simulated devices: one customer with its default group, so that the first device can be added. */
export async function seedFirstCustomer(sql: Sql): Promise<void> {
  const [found] = await sql`select 1 from customers limit 1`
  if (found) return
  // Together: a start that is cut off in between would leave a customer that no device can be added to.
  await sql.begin(async (tx) => {
    const [customer] = await tx<
      { id: number }[]
    >`insert into customers (name) values ('Default') returning id`
    await makeGroup(tx, customer?.id ?? 0, 'Default', null, 1, true)
  })
}
