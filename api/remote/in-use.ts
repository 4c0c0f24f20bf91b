/** [§8] "Remote connection already in use": a device can be used by one user at a time, in a few sessions. */
import { eq, isNull, sql } from 'drizzle-orm'
import { sayIn } from '#infra/say'
import { PLATFORM_NAME } from '#schema/kit/known-name'
import { refuse } from '#schema/kit/refusal'
import { remoteRefusals } from '#schema/remote/remote-refusals'
import { remoteSessions } from '#schema/tables/remote'
import { users } from '#schema/tables/user'
import type { CallContext } from '../kit/handler.ts'
import { knownName } from '../kit/known-name.ts'

/** Requests of one user wait for each other, also those for different devices [threats 61]. Until the transaction ends. */
export const lockSessionsOf = (
  { actor }: Pick<CallContext, 'actor'>,
  tx: Pick<CallContext['db'], 'execute'>,
): Promise<unknown> =>
  tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`remote_sessions ${actor.userId}`}, 0))`)

/** Inside the transaction that locks the device and the user, so that of two requests at the same time one is refused. */
export async function refuseInUse(
  { actor, language }: Pick<CallContext, 'actor' | 'language'>,
  tx: Pick<CallContext['db'], 'select'>,
  deviceId: number,
  most: { perDevice: number; perUser: number },
): Promise<void> {
  const open = await tx
    .select({
      deviceId: remoteSessions.deviceId,
      userId: remoteSessions.userId,
      who: knownName(actor),
      since: remoteSessions.createdAt,
    })
    .from(remoteSessions)
    .leftJoin(users, eq(users.id, remoteSessions.userId))
    .where(
      sql`${isNull(remoteSessions.endedAt)} and (${remoteSessions.deviceId} = ${deviceId} or ${remoteSessions.userId} = ${actor.userId})`,
    )
    .orderBy(remoteSessions.createdAt)
  const other = open.find((row) => row.deviceId === deviceId && row.userId !== actor.userId)
  if (other) {
    const since = `${other.since.toISOString().slice(0, 16).replace('T', ' ')} UTC`
    const who = other.who === PLATFORM_NAME ? sayIn(language)('kit:platformUser') : (other.who ?? '–')
    refuse(remoteRefusals.remoteInUse, { who, since }, 'deviceId', {
      who: other.who,
      since: other.since,
    })
  }
  const own = open.filter((row) => row.userId === actor.userId)
  const here = own.filter((row) => row.deviceId === deviceId)
  if (here.length >= most.perDevice) refuse(remoteRefusals.remoteTooMany, { most: most.perDevice })
  if (own.length >= most.perUser) refuse(remoteRefusals.remoteTooMany, { most: most.perUser })
}
