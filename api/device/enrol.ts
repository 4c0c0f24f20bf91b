import { and, eq, isNull } from 'drizzle-orm'
import { hashSecret, makeSecret } from '#infra/secrets'
import {
  createEnrolmentKey,
  ENROLMENT_KEY_PREFIX,
  getEnrolmentKeyList,
  revokeEnrolmentKey,
} from '#schema/device/enrol'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { enrolmentKeys } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { users } from '#schema/tables/user'
import { handler } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { reachGroup } from '../kit/visible-ids.ts'

const HOUR_MS = 3_600_000

export const createEnrolmentKeyHandler = handler(createEnrolmentKey, async (ctx, body) => {
  const group = await reachGroup(ctx, body.groupId)
  const key = `${ENROLMENT_KEY_PREFIX}${makeSecret()}`
  const expiresAt = new Date(ctx.now().getTime() + body.expiresInHours * HOUR_MS)
  const [row] = await ctx.db
    .insert(enrolmentKeys)
    .values({
      customerId: group.customerId,
      groupId: group.id,
      label: body.label,
      hash: hashSecret(key),
      maxCount: body.maxCount,
      createdBy: ctx.actor.userId,
      expiresAt,
    })
    .returning({ id: enrolmentKeys.id })
  if (!row) throw new Error('insert returned nothing')
  ctx.note({
    object: body.label,
    after: { group: group.name, maxCount: body.maxCount, expiresAt },
    customerId: group.customerId,
  })
  return { id: row.id, key, expiresAt, mqttPort: ctx.env.MQTT_PORT }
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
      createdBy: knownName(actor),
    })
    .from(enrolmentKeys)
    .innerJoin(groups, eq(groups.id, enrolmentKeys.groupId))
    .leftJoin(users, eq(users.id, enrolmentKeys.createdBy)),
}))

export const revokeEnrolmentKeyHandler = handler(
  revokeEnrolmentKey,
  async ({ db, actor, now, note }, body) => {
    const mine = and(visible(actor).enrolmentKeys, eq(enrolmentKeys.id, body.id))
    const ended = await db
      .update(enrolmentKeys)
      .set({ revokedAt: now() })
      .where(and(mine, isNull(enrolmentKeys.revokedAt)))
      .returning({ label: enrolmentKeys.label, customerId: enrolmentKeys.customerId })
    const [known] =
      ended.length > 0
        ? ended
        : await db
            .select({ label: enrolmentKeys.label, customerId: enrolmentKeys.customerId })
            .from(enrolmentKeys)
            .where(mine)
    if (!known) refuse(sessionRefusals.noPermission)
    note({ object: known.label, customerId: known.customerId })
    return null
  },
)
