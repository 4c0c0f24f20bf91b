import { eq, type SQL, sql } from 'drizzle-orm'
import { imageUrl } from '#schema/people/image'
import { getAdvertisementDays, getAdvertisementList } from '#schema/portal/advertisement'
import { firstDayLeft, lastDayBegun, stateOf } from '#schema/portal/portal-schedule'
import { customers } from '#schema/tables/customer'
import { groups } from '#schema/tables/group'
import { advertisementGroups, advertisements } from '#schema/tables/portal'
import { rowOf } from '../kit/about.ts'
import { editionOf } from '../kit/edition.ts'
import { handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { visible } from '../kit/scope.ts'
import { storedAdvertisement } from './advertisement-object.ts'
import { countDevices } from './target-devices.ts'

const { id, customerId, name, imageId, caption, link, place, scope, enabled, updatedAt } = advertisements
const { fromDate, toDate, weekdays, fromTime, toTime, shownTotal, clickedTotal } = advertisements

export const getAdvertisementListHandler = listOf(
  getAdvertisementList,
  storedAdvertisement,
  ({ db, actor, now }) => {
    const nowMs = now().getTime()
    // A night ends on the day after the last one.
    const isOver = sql`coalesce(${toDate} + coalesce(${toTime} < ${fromTime}, false)::int < ${firstDayLeft(nowMs)}::date, false)`
    const isAhead = sql`coalesce(${fromDate} > ${lastDayBegun(nowMs)}::date, false)`
    const inState: Record<'disabled' | 'ended' | 'planned' | 'running', SQL> = {
      disabled: sql`not ${enabled}`,
      ended: sql`${enabled} and ${isOver}`,
      planned: sql`${enabled} and not ${isOver} and ${isAhead}`,
      running: sql`${enabled} and not ${isOver} and not ${isAhead}`,
    }
    return {
      table: advertisements,
      rows: db
        .select({
          id,
          customerId,
          customerName: customers.name,
          name,
          imageId,
          caption,
          link,
          place,
          scope,
          groups: sql<{ id: number; name: string }[]>`coalesce((
            select json_agg(json_build_object('id', ${groups.id}, 'name', ${groups.name}) order by ${groups.name})
            from ${advertisementGroups} join ${groups} on ${groups.id} = ${advertisementGroups.groupId}
            where ${advertisementGroups.advertisementId} = ${id} and ${visible(actor).groups}), '[]')`,
          fromDate,
          toDate,
          weekdays,
          fromTime,
          toTime,
          enabled,
          shownTotal,
          clickedTotal,
          updatedAt,
          edition: editionOf(storedAdvertisement.parts.main),
        })
        .from(advertisements)
        .innerJoin(customers, eq(customers.id, customerId)),
      filters: { state: (asked) => inState[asked] },
    }
  },
  async (rows, ctx) => {
    const counts = await countDevices(
      ctx,
      rows.map((row) => row.id),
    )
    const nowMs = ctx.now().getTime()
    return rows.map(({ imageId: picture, ...row }) => ({
      ...row,
      imageUrl: imageUrl(picture) ?? '',
      state: stateOf(row, nowMs),
      ...(counts.get(row.id) ?? { haveCount: 0, waitCount: 0, unsupportedCount: 0 }),
    }))
  },
)

type Day = { day: string; shown: number | null; clicked: number | null }

export const getAdvertisementDaysHandler = handler(getAdvertisementDays, async (ctx, body) => {
  const found = rowOf(ctx, storedAdvertisement)
  const today = lastDayBegun(ctx.now().getTime())
  // By the first day that a device anywhere could have reported.
  const since = firstDayLeft(found.createdAt.getTime())
  const days = await ctx.db.execute<Day>(sql`
    with last as (
      select greatest(max(day), least(${ctx.now().toISOString().slice(0, 10)}::date, ${today}::date)) as day
      from advertisement_days where advertisement_id = ${found.id} and day <= ${today}::date)
    select to_char(d.day, 'YYYY-MM-DD') as day,
      case when d.day >= ${since}::date then coalesce(k.shown, 0)::float8 end as shown,
      case when d.day >= ${since}::date then coalesce(k.clicked, 0)::float8 end as clicked
    from last, generate_series(last.day - ${body.days - 1}::int, last.day, interval '1 day') as d(day)
    left join advertisement_days k on k.advertisement_id = ${found.id} and k.day = d.day
    order by 1`)
  const list = [...days]
  return {
    days: list.map(({ day }) => day),
    shown: list.map(({ shown }) => shown),
    clicked: list.map(({ clicked }) => clicked),
  }
})
