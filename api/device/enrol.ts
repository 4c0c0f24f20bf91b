import { and, eq, isNull, sql } from 'drizzle-orm'
import { sealFor } from '#infra/broker-account'
import { hashSecret, makeSecret } from '#infra/secrets'
import {
  createEnrolmentKey,
  ENROLMENT_KEY_PREFIX,
  enrolmentKeyObject,
  getEnrolmentKeyList,
  revokeEnrolmentKey,
} from '#schema/device/enrol'
import { enrolmentKeys } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { users } from '#schema/tables/user'
import { storedGroup } from '../group/group-object.ts'
import { rowOf } from '../kit/about.ts'
import { handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { stored } from '../kit/stored.ts'
import { mqttAddressesOf } from './mqtt-addresses.ts'

export const storedEnrolmentKey = stored({
  object: enrolmentKeyObject,
  table: enrolmentKeys,
  id: enrolmentKeys.id,
  name: enrolmentKeys.label,
  customerId: enrolmentKeys.customerId,
  seen: (walls) => walls.enrolmentKeys,
  row: () => ({ id: enrolmentKeys.id }),
  facts: {
    group: sql.raw('(select g.name from groups g where g.id = enrolment_keys.group_id)'),
    maxCount: enrolmentKeys.maxCount,
    expiresAt: enrolmentKeys.expiresAt,
  },
})

const HOUR_MS = 3_600_000

export const createEnrolmentKeyHandler = handler(createEnrolmentKey, async (ctx, body) => {
  const group = rowOf(ctx, storedGroup)
  const key = `${ENROLMENT_KEY_PREFIX}${makeSecret()}`
  const expiresAt = new Date(ctx.now().getTime() + body.expiresInHours * HOUR_MS)
  const [row] = await ctx.db
    .insert(enrolmentKeys)
    .values({
      customerId: group.customerId,
      groupId: group.id,
      label: body.label,
      hash: hashSecret(key),
      keySealed: sealFor(ctx.env, key),
      maxCount: body.maxCount,
      createdBy: ctx.actor.userId,
      expiresAt,
    })
    .returning({ id: enrolmentKeys.id })
  if (!row) throw new Error('insert returned nothing')
  return { id: row.id, key, expiresAt, mqtt: mqttAddressesOf(ctx.env) }
})

export const getEnrolmentKeyListHandler = listOf(getEnrolmentKeyList, 'enrolmentKeys', ({ db, actor }) => ({
  table: enrolmentKeys,
  rows: db
    .select({
      id: enrolmentKeys.id,
      label: enrolmentKeys.label,
      groupId: enrolmentKeys.groupId,
      groupName: groups.name,
      maxCount: enrolmentKeys.maxCount,
      usedCount: enrolmentKeys.usedCount,
      createdAt: enrolmentKeys.createdAt,
      expiresAt: enrolmentKeys.expiresAt,
      revokedAt: enrolmentKeys.revokedAt,
      createdBy: knownName(actor, users, enrolmentKeys.createdBy),
    })
    .from(enrolmentKeys)
    .innerJoin(groups, eq(groups.id, enrolmentKeys.groupId))
    .leftJoin(users, eq(users.id, enrolmentKeys.createdBy)),
}))

export const revokeEnrolmentKeyHandler = handler(revokeEnrolmentKey, async (ctx) => {
  const { id } = rowOf(ctx, storedEnrolmentKey)
  await ctx.db
    .update(enrolmentKeys)
    .set({ revokedAt: ctx.now() })
    .where(and(eq(enrolmentKeys.id, id), isNull(enrolmentKeys.revokedAt)))
  return null
})
