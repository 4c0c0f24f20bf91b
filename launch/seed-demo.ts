/**
 * The demonstration: a customer with groups, users, devices and history, created at the first start and marked as
 * such.
 */

import { sealFor } from '#infra/broker-account'
import type { Context } from '#infra/context'
import type { Env } from '#infra/env'
import type { Transaction } from '#infra/postgres'
import { hashSecret, makeSecret } from '#infra/secrets'
import { ENROLMENT_KEY_PREFIX } from '#schema/device/enrol'
import { DEMONSTRATION_PLATFORM_USER, DEMONSTRATION_REMOVED } from '#schema/people/demonstration'
import { demoNames } from './demo-names.ts'
import { makeGroup, makePassword, type NewUser, seedUser } from './seed.ts'

type Sql = Context['sql']

export const DEMO_ADMIN = 'demo_admin'

export type DemoUser = { username: string; password: string }
/** `isNew`: it was created by this start. */
export type Demo = { customerId: number; groupIds: number[]; users: DemoUser[]; isNew: boolean }

async function makeCustomer(tx: Transaction): Promise<number | null> {
  const [made] = await tx<{ id: number }[]>`
    insert into customers (name, demonstration, contact, phone, email, address)
    values (${demoNames.customer}, true, ${demoNames.contact}, '+862155550100', 'operations@demo.example', ${demoNames.address})
    on conflict do nothing returning id`
  return made?.id ?? null
}

/** As its users have made it: the names may be others by now, and what they deleted stays deleted. */
async function findDemo(tx: Transaction): Promise<Demo | null> {
  const [found] = await tx<{ id: number }[]>`select id from customers where demonstration`
  if (!found) return null
  const groups = await tx<{ id: number }[]>`
    select id from groups where customer_id = ${found.id} and (created_by is null or is_default) order by id`
  return { customerId: found.id, groupIds: groups.map(({ id }) => id), users: [], isNew: false }
}

/**
 * The demonstration customer with three levels of groups and one user of each type below the super administrator.
 * Null: it was deleted, or a customer of that name exists.
 */
export async function seedDemo(tx: Transaction): Promise<Demo | null> {
  const [removed] = await tx`select 1 from installation_marks where name = ${DEMONSTRATION_REMOVED}`
  if (removed) return null
  const found = await findDemo(tx)
  if (found) return found
  const customerId = await makeCustomer(tx)
  if (customerId === null) return null
  const group = (name: string, parentId: number | null, level: number, isDefault = false) =>
    makeGroup(tx, customerId, name, parentId, level, isDefault)
  const root = await group(demoNames.root, null, 1, true)
  const north = await group(demoNames.north, root, 2)
  const south = await group(demoNames.south, root, 2)
  const kiosks = await group(demoNames.kiosks, south, 3)
  const users: DemoUser[] = []
  const wanted: Omit<NewUser, 'password'>[] = [
    {
      username: DEMONSTRATION_PLATFORM_USER,
      type: 'systemAdmin',
      role: 'systemAdmin',
      customerId: null,
      realname: demoNames.platformUser,
    },
    {
      username: DEMO_ADMIN,
      type: 'customerAdmin',
      role: 'customerAdmin',
      customerId,
      groupId: root,
      realname: demoNames.administrator,
    },
    {
      username: 'demo_user',
      type: 'normal',
      role: 'operator',
      customerId,
      groupId: south,
      realname: demoNames.user,
    },
  ]
  for (const user of wanted) {
    const password = makePassword()
    if (await seedUser(tx, { ...user, password })) users.push({ username: user.username, password })
  }
  return { customerId, groupIds: [root, north, south, kiosks], users, isNew: true }
}

/**
 * Enrolment keys for the simulated fleet of this start, one per group; those of the previous start are deleted. The
 * simulator gets only these keys, like any device.
 */
export async function seedSimKeys(sql: Sql, env: Env, demo: Demo): Promise<string> {
  const keys = demo.groupIds.map((groupId) => ({ groupId, key: `${ENROLMENT_KEY_PREFIX}${makeSecret()}` }))
  await sql.begin(async (tx) => {
    await tx`delete from enrolment_keys where label = 'simulated fleet' and created_by is null`
    for (const { groupId, key } of keys)
      await tx`insert into enrolment_keys (customer_id, group_id, label, hash, key_sealed, max_count, expires_at)
        values (${demo.customerId}, ${groupId}, 'simulated fleet', ${hashSecret(key)}, ${sealFor(env, key)}, ${env.SIM_DEVICES}, now() + interval '1 day')`
  })
  return keys.map(({ key }) => key).join(',')
}
