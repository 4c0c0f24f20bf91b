import { and, asc, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm'
import { getPresenceStrips, presenceStrip, SEGMENT_MS, STRIP_SEGMENTS } from '#schema/device/presence-strip'
import { devices } from '#schema/tables/device'
import { brokers, presenceRecords } from '#schema/tables/presence'
import { handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

/** How far back a broker's end may be and still make the beginning of the window unknown. */
const BEFORE_MS = 86_400_000

/** Invisible ids are left out, like missing ones. */
export const getPresenceStripsHandler = handler(getPresenceStrips, async ({ db, actor, now }, body) => {
  const nowMs = now().getTime()
  const to = Math.ceil(nowMs / SEGMENT_MS) * SEGMENT_MS
  const from = to - STRIP_SEGMENTS * SEGMENT_MS
  const mine = await db
    .select({
      id: devices.id,
      knownSince: sql<Date>`greatest(${devices.createdAt}, ${devices.ownedSince})`.mapWith(devices.createdAt),
    })
    .from(devices)
    .where(and(visible(actor).devices, inArray(devices.id, body.deviceIds)))
  if (mine.length === 0) return { from: new Date(from), list: [] }
  const ids = mine.map(({ id }) => id)
  const [records, living] = await Promise.all([
    db
      .select({
        deviceId: presenceRecords.deviceId,
        onlineAt: presenceRecords.onlineAt,
        offlineAt: presenceRecords.offlineAt,
        reason: presenceRecords.reason,
      })
      .from(presenceRecords)
      .where(
        and(
          inArray(presenceRecords.deviceId, ids),
          lt(presenceRecords.onlineAt, new Date(to)),
          or(isNull(presenceRecords.offlineAt), gt(presenceRecords.offlineAt, new Date(from - BEFORE_MS))),
        ),
      )
      .orderBy(asc(presenceRecords.onlineAt)),
    db.select({ startedAt: brokers.startedAt }).from(brokers),
  ])
  const brokersSince = living.map(({ startedAt }) => startedAt.getTime())
  const byDevice = Map.groupBy(records, ({ deviceId }) => deviceId)
  return {
    from: new Date(from),
    list: mine.map(({ id, knownSince }) => ({
      deviceId: id,
      strip: presenceStrip(byDevice.get(id) ?? [], {
        from,
        now: nowMs,
        knownSince: knownSince.getTime(),
        brokersSince,
      }),
    })),
  }
})
