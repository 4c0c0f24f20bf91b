/** Ids in bodies: invisible ones are treated like missing ones [threats 21]. */

import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Context } from '#infra/context'
import { refuse } from '#schema/kit/refusal'
import { absent } from '#schema/people/session-refusals'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import type { Actor } from './actor.ts'
import { visible } from './scope.ts'

type Caller = Pick<Context, 'db'> & { actor: Actor }

/** @throws Refusal 5 unless the actor may see the device. */
export async function reachDevice(
  { db, actor }: Caller,
  deviceId: number,
): Promise<{ id: number; sn: string }> {
  const [found] = await db
    .select({ id: devices.id, sn: devices.sn })
    .from(devices)
    .where(and(visible(actor).devices, eq(devices.id, deviceId)))
  return found ?? refuse(absent)
}

/** @throws Refusal 5 unless the actor may see the group. */
export async function reachGroup({ db, actor }: Caller, groupId: number) {
  const [found] = await db
    .select({ id: groups.id, name: groups.name, customerId: groups.customerId })
    .from(groups)
    .where(and(visible(actor).groups, eq(groups.id, groupId)))
  return found ?? refuse(absent)
}

/** @throws Refusal 5 unless the actor may see the customer. */
export async function reachCustomer({ db, actor }: Caller, customerId: number) {
  const [found] = await db
    .select({ id: customers.id, name: customers.name })
    .from(customers)
    .where(and(visible(actor).customers, eq(customers.id, customerId)))
  return found ?? refuse(absent)
}

/** A group's id and those of its subgroups. @throws Refusal 5 unless the actor may see the group. */
export async function groupTree(caller: Caller, groupId: number): Promise<number[]> {
  await reachGroup(caller, groupId)
  const rows = await caller.db.execute<{ id: number }>(sql`
    with recursive tree as (
      select id from groups where id = ${groupId}
      union select g.id from groups g join tree on g.parent_id = tree.id
    ) select id from tree`)
  return rows.map((row) => row.id)
}

/** Devices of a group and its subgroups. @throws Refusal 5 unless the actor may see the group. */
export const inGroupTree = async (caller: Caller, groupId: number): Promise<SQL> =>
  inArray(devices.groupId, await groupTree(caller, groupId))
