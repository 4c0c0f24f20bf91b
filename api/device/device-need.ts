import { and, asc, gt, isNull, type SQL, sql } from 'drizzle-orm'
import {
  CLOCK_WRONG_MS,
  type DeviceNeed,
  deviceNeeds,
  FAILED_DAYS,
  FLAPPING_CONNECTIONS,
  getDeviceNeeds,
  NEEDS_NAMED,
} from '#schema/device/device-need'
import { deviceConfigs } from '#schema/tables/config'
import { devices } from '#schema/tables/device'
import { deviceWarnings } from '#schema/tables/inbox'
import { presenceRecords } from '#schema/tables/presence'
import { taskItems } from '#schema/tables/task'
import { handler } from '../kit/handler.ts'
import { visible } from '../kit/scope.ts'

const ago = (interval: string) => sql`now() - ${sql.raw(`interval '${interval}'`)}`

/**
 * Conditions on `devices`. Events from the time of a former owner do not count. The sets of ids are read by
 * time, so their cost depends on what happened and not on the number of devices.
 */
export const needConditions: Readonly<Record<DeviceNeed, SQL>> = {
  revoked: isNull(devices.secretHash),
  flapping: sql`${devices.id} in (select p.device_id from ${presenceRecords} p join ${devices} d on d.id = p.device_id
    where p.online_at > ${ago('1 hour')} and (d.owned_since is null or p.online_at >= d.owned_since)
      -- A restart of a broker says nothing about its devices.
      and (p.reason is null or p.reason not in ('brokerStopped', 'brokerLost'))
    group by p.device_id having count(*) >= ${FLAPPING_CONNECTIONS})`,
  failedTwice: sql`${devices.id} in (select i.device_id from ${taskItems} i join ${devices} d on d.id = i.device_id
    where i.outcome = 'failed' and i.step_at > ${ago(`${FAILED_DAYS} days`)} and i.customer_id = d.customer_id
      and not exists (select 1 from ${taskItems} later where later.device_id = i.device_id and later.outcome = 'done' and later.step_at > i.step_at)
    group by i.device_id having count(*) >= 2)`,
  configuration: sql`${devices.id} in (select ${deviceConfigs.deviceId} from ${deviceConfigs}
    where ${deviceConfigs.state} = 'differs'
      or (${deviceConfigs.state} in ('refused', 'reverted') and ${deviceConfigs.endedAt} > ${ago(`${FAILED_DAYS} days`)}))`,
  // Written out, because the index must have exactly the same expression.
  clockWrong: gt(sql`abs(${devices.clockSkewMs})`, sql.raw(String(CLOCK_WRONG_MS))),
  warned: sql`${devices.id} in (select w.device_id from ${deviceWarnings} w join ${devices} d on d.id = w.device_id
    where w.at > ${ago('1 day')} and (d.owned_since is null or w.at >= d.owned_since))`,
}

export const getDeviceNeedsHandler = handler(getDeviceNeeds, async ({ db, actor }) => ({
  list: await Promise.all(
    deviceNeeds.map(async (need) => {
      const rows = await db
        .select({
          deviceId: devices.id,
          groupId: devices.groupId,
          deviceName: devices.name,
          count: sql<number>`count(*) over ()`.mapWith(Number),
        })
        .from(devices)
        .where(and(visible(actor).devices, needConditions[need]))
        .orderBy(asc(devices.name), asc(devices.id))
        .limit(NEEDS_NAMED)
      return {
        need,
        count: rows[0]?.count ?? 0,
        first: rows.map(({ count: _, ...row }) => row),
      }
    }),
  ),
}))
