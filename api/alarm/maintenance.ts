import { eq, sql } from 'drizzle-orm'
import { alarmRefusals } from '#schema/alarm/alarm-refusals'
import {
  createMaintenance,
  deleteMaintenance,
  getMaintenanceList,
  maintenanceObject,
} from '#schema/alarm/maintenance'
import { isInWindow } from '#schema/alarm/quiet'
import { refuse } from '#schema/kit/refusal'
import { sessionRefusals } from '#schema/people/session-refusals'
import { maintenanceDevices, maintenanceGroups, maintenances } from '#schema/tables/alarm-rule'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { rowOf } from '../kit/about.ts'
import type { Actor } from '../kit/actor.ts'
import { handler } from '../kit/handler.ts'
import { listOf } from '../kit/list-of.ts'
import { ownerOf } from '../kit/owner.ts'
import { visible } from '../kit/scope.ts'
import { stored } from '../kit/stored.ts'
import { reachScope } from './alarm-scope.ts'

const idList = (table: string, column: string) =>
  sql.raw(
    `array(select l.${column} from ${table} l where l.maintenance_id = maintenances.id order by l.${column})`,
  )

export const storedMaintenance = stored({
  object: maintenanceObject,
  table: maintenances,
  id: maintenances.id,
  name: maintenances.name,
  customerId: maintenances.customerId,
  seen: (walls) => walls.maintenances,
  row: (actor) => ({ id: maintenances.id, changeable: changeableBy(actor) }),
  facts: {
    name: maintenances.name,
    scope: maintenances.scope,
    groupIds: idList('maintenance_groups', 'group_id'),
    deviceIds: idList('maintenance_devices', 'device_id'),
    startsAt: maintenances.startsAt,
    endsAt: maintenances.endsAt,
    repeats: maintenances.repeats,
    timeZone: maintenances.timeZone,
  },
})

/** Users confined to groups cancel only the windows that they planned themselves: those of others may reach beyond these groups. */
const changeableBy = (actor: Actor) =>
  actor.groupIds === null
    ? sql<boolean>`true`
    : sql<boolean>`${maintenances.createdBy} is not distinct from ${actor.userId}::int`

const PERIOD_MS = { once: 366 * 86_400_000, daily: 86_400_000, weekly: 7 * 86_400_000 }
const NAMES_MAX = 20

export const getMaintenanceListHandler = listOf(
  getMaintenanceList,
  'maintenances',
  ({ db, actor }) => ({
    table: maintenances,
    rows: db
      .select({
        id: maintenances.id,
        customerName: customers.name,
        name: maintenances.name,
        scope: maintenances.scope,
        startsAt: maintenances.startsAt,
        endsAt: maintenances.endsAt,
        repeats: maintenances.repeats,
        timeZone: maintenances.timeZone,
        changeable: changeableBy(actor),
        targets: sql<string[]>`case ${maintenances.scope} when 'groups' then
          array(select ${groups.name} from ${maintenanceGroups} join ${groups} on ${groups.id} = ${maintenanceGroups.groupId}
            where ${maintenanceGroups.maintenanceId} = ${maintenances.id} and ${visible(actor).groups} order by 1 limit ${NAMES_MAX})
          else array(select ${devices.name} from ${maintenanceDevices} join ${devices} on ${devices.id} = ${maintenanceDevices.deviceId}
            where ${maintenanceDevices.maintenanceId} = ${maintenances.id} and ${visible(actor).devices} order by 1 limit ${NAMES_MAX}) end`,
      })
      .from(maintenances)
      .innerJoin(customers, eq(customers.id, maintenances.customerId)),
  }),
  (rows, { now }) => rows.map((row) => ({ ...row, active: isInWindow(now(), row) })),
)

export const createMaintenanceHandler = handler(createMaintenance, async (ctx, body) => {
  const customerId = ownerOf(ctx)
  await reachScope(ctx, customerId, body)
  const startsAt = new Date(body.startsAt)
  const endsAt = new Date(body.endsAt)
  const length = endsAt.getTime() - startsAt.getTime()
  if (length <= 0 || length > PERIOD_MS[body.repeats]) refuse(alarmRefusals.endBeforeStart, {}, 'endsAt')
  const { name, scope, repeats, timeZone } = body
  const id = await ctx.db.transaction(async (tx) => {
    const [made] = await tx
      .insert(maintenances)
      .values({ customerId, name, scope, repeats, timeZone, startsAt, endsAt, createdBy: ctx.actor.userId })
      .returning({ id: maintenances.id })
    if (!made) throw new Error('insert returned nothing')
    if (scope === 'groups')
      await tx
        .insert(maintenanceGroups)
        .values([...new Set(body.groupIds)].map((groupId) => ({ maintenanceId: made.id, groupId })))
    if (scope === 'devices')
      await tx
        .insert(maintenanceDevices)
        .values([...new Set(body.deviceIds)].map((deviceId) => ({ maintenanceId: made.id, deviceId })))
    return made.id
  })
  return { id }
})

export const deleteMaintenanceHandler = handler(deleteMaintenance, async (ctx) => {
  const { id, changeable } = rowOf(ctx, storedMaintenance)
  if (!changeable) refuse(sessionRefusals.noPermission)
  await ctx.db.delete(maintenances).where(eq(maintenances.id, id))
  return null
})
