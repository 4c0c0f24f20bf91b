import { and, eq, isNull, sql } from 'drizzle-orm'
import { hashSecret, makeSecret } from '#infra/secrets'
import { deviceRefusals } from '#schema/device/device-refusals'
import { refuse } from '#schema/kit/refusal'
import { accountRefusals } from '#schema/people/account-refusals'
import { sessionRefusals } from '#schema/people/session-refusals'
import {
  API_TOKEN_PREFIX,
  apiTokenObject,
  createApiToken,
  getApiTokenList,
  revokeApiToken,
} from '#schema/people/token'
import { apiTokens } from '#schema/tables/session'
import type { Transaction } from '../device/end-device-work.ts'
import { rowOf } from '../kit/about.ts'
import type { Actor } from '../kit/actor.ts'
import { handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { stored } from '../kit/stored.ts'

const DAY_MS = 86_400_000

export const storedApiToken = stored({
  object: apiTokenObject,
  table: apiTokens,
  id: apiTokens.id,
  name: apiTokens.name,
  seen: (walls) => walls.apiTokens,
  row: () => ({ id: apiTokens.id }),
  facts: { functionIds: apiTokens.functionIds, expiresAt: apiTokens.expiresAt },
})

/**
 * A change of the password revokes all tokens, since whoever knew it may have made them. It waits for this transaction, or has
 * ended what the request came with. @throws Refusal 20
 */
async function assertStill(tx: Transaction, { userId, sessionId, apiToken }: Actor): Promise<void> {
  await tx.execute(sql`select 1 from users where id = ${userId} for share`)
  const [still] = await tx.execute(
    apiToken
      ? sql`select 1 from api_tokens where id = ${apiToken.id} and revoked_at is null`
      : sql`select 1 from sessions where id = ${sessionId} and ended_at is null`,
  )
  if (!still) refuse(sessionRefusals.sessionEnded)
}

export const createApiTokenHandler = handler(createApiToken, async ({ db, actor, now }, body) => {
  if (body.functionIds.some((id) => !actor.functionIds.has(id)))
    refuse(deviceRefusals.grantExceeds, {}, 'functionIds')
  // "All permissions of the owner", requested with a narrower token, means all of that token.
  const narrowed = actor.sessionId === null && body.functionIds.length === 0
  const token = `${API_TOKEN_PREFIX}${makeSecret()}`
  const asked = now().getTime() + body.expiresInDays * DAY_MS
  const ends = actor.apiToken?.expiresAt.getTime() ?? Number.POSITIVE_INFINITY
  // A stolen token must not extend its own life. "As long as this one" is requested in whole days.
  if (asked >= ends + DAY_MS) refuse(accountRefusals.tokenOutlives, {}, 'expiresInDays')
  const expiresAt = new Date(Math.min(asked, ends))
  const [row] = await db.transaction(async (tx) => {
    await assertStill(tx, actor)
    return tx
      .insert(apiTokens)
      .values({
        userId: actor.userId,
        name: body.name,
        hash: hashSecret(token),
        functionIds: narrowed ? [...actor.functionIds] : body.functionIds,
        expiresAt,
      })
      .returning({ id: apiTokens.id })
  })
  if (!row) throw new Error('insert returned nothing')
  return { id: row.id, token, expiresAt }
})

export const getApiTokenListHandler = listOf(getApiTokenList, 'apiTokens', ({ db }) => ({
  table: apiTokens,
  rows: db
    .select({
      id: apiTokens.id,
      name: apiTokens.name,
      functionIds: apiTokens.functionIds,
      createdAt: apiTokens.createdAt,
      expiresAt: apiTokens.expiresAt,
      lastUsedAt: apiTokens.lastUsedAt,
      revokedAt: apiTokens.revokedAt,
    })
    .from(apiTokens),
}))

export const revokeApiTokenHandler = handler(revokeApiToken, async (ctx) => {
  const { id } = rowOf(ctx, storedApiToken)
  await ctx.db
    .update(apiTokens)
    .set({ revokedAt: ctx.now() })
    .where(and(eq(apiTokens.id, id), isNull(apiTokens.revokedAt)))
  return null
})
