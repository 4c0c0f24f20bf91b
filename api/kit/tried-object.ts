/**
 * What a refused call was about, for the operation log: a handler that refuses has often not come so far as to say it.
 * Named as far as the actor may know of it; of anything else only the id, which he sent himself.
 */
import { inArray, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '#infra/context'
import { alarmChannels } from '#schema/tables/alarm-channel'
import { alarmRules, maintenances } from '#schema/tables/alarm-rule'
import { contacts } from '#schema/tables/contact'
import { customers } from '#schema/tables/customer'
import { devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { n2nServers } from '#schema/tables/n2n-server'
import { packages } from '#schema/tables/package'
import { extraParameters } from '#schema/tables/parameter'
import { printerDrivers, printers } from '#schema/tables/printer'
import { reportSchedules } from '#schema/tables/report-schedule'
import { savedViews } from '#schema/tables/saved-view'
import { tasks } from '#schema/tables/task'
import { terminals } from '#schema/tables/terminal'
import { roles, users } from '#schema/tables/user'
import type { Actor } from './actor.ts'
import { visible } from './scope.ts'

type Walls = ReturnType<typeof visible>
type Thing = {
  id: PgColumn
  name: PgColumn
  customerId?: PgColumn
  /** Its device, by which it is seen. */
  deviceId?: PgColumn
  seen: (walls: Walls) => SQL | undefined
}
type Columns = Readonly<Pick<Thing, 'id'> & { customerId: PgColumn }>
const of = <T extends Columns>(table: T, name: (table: T) => PgColumn, seen: Thing['seen']): Thing => ({
  id: table.id,
  customerId: table.customerId,
  name: name(table),
  seen,
})
const named = (table: Columns & { name: PgColumn }, seen: Thing['seen']) =>
  of(table, ({ name }) => name, seen)

const device = of(
  devices,
  ({ sn }) => sn,
  (walls) => or(walls.devices, walls.unusualDevices),
)
const group = named(groups, (walls) => walls.groups)
const customer: Thing = {
  id: customers.id,
  name: customers.name,
  customerId: customers.id,
  seen: (walls) => walls.customers,
}

/** By the body field that names it. Where a body has several, the first of these is what the call is about. */
const byField: Readonly<Record<string, Thing>> = {
  taskId: named(tasks, (walls) => walls.tasks),
  ruleId: named(alarmRules, (walls) => walls.alarmRules),
  channelId: named(alarmChannels, (walls) => walls.alarmChannels),
  contactId: named(contacts, (walls) => walls.contacts),
  maintenanceId: named(maintenances, (walls) => walls.maintenances),
  userId: of(
    users,
    ({ username }) => username,
    (walls) => walls.users,
  ),
  roleId: named(roles, (walls) => walls.roles),
  deviceId: device,
  dids: device,
  gid: group,
  n2nInfoIds: group,
  groupId: group,
  serverId: { id: n2nServers.id, name: n2nServers.name, seen: (walls) => walls.n2nServers },
  spId: named(packages, (walls) => walls.packages),
  customerId: customer,
  cid: customer,
}
/** What `id` is, by the room of the call and the last word of its name. */
const byId: readonly (readonly [RegExp, Thing])[] = [
  [
    /^parameter\//,
    of(
      extraParameters,
      ({ nameZh }) => nameZh,
      (walls) => walls.extraParameters,
    ),
  ],
  [
    /PrinterDriver$/,
    { id: printerDrivers.id, name: printerDrivers.sign, seen: (walls) => walls.printerDrivers },
  ],
  [
    /Printer$/,
    { id: printers.id, name: printers.alias, deviceId: printers.deviceId, seen: (walls) => walls.printers },
  ],
  [
    /Terminal$/,
    {
      id: terminals.id,
      name: terminals.name,
      deviceId: terminals.deviceId,
      seen: (walls) => walls.terminals,
    },
  ],
  [/^report\//, named(reportSchedules, (walls) => walls.reportSchedules)],
  [/^view\//, named(savedViews, (walls) => walls.savedViews)],
]
/** How what does not exist yet was to be called. */
const newNames = ['deviceSn', 'username', 'groupName', 'name', 'nameZh', 'sign', 'label'] as const
const makes = /\/(add|create|save|upload)(?!Schedule$|Backup$)[A-Z]\w*$/
/** What somebody does to himself. */
const ofOneself = /^(user\/(updateUser|changePassword|bindEmail)|totp\/(?!reset)\w+)$/

const INTEGER_MAX = 2_147_483_647
function idsOf(value: unknown): number[] {
  const ids = (Array.isArray(value) ? value : [value]).map((id) =>
    id === '' || id === null ? 0 : Number(id),
  )
  return ids.filter((id) => Number.isInteger(id) && id > 0 && id <= INTEGER_MAX)
}

export type Tried = { object?: string; customerId?: number | null }

/** How many ids of a list are looked for; of more only the count is told. */
const LOOKED_FOR = 50

async function told({ db }: Context, actor: Actor, thing: Thing, ids: readonly number[]): Promise<Tried> {
  const joined = thing.deviceId ? sql`join ${devices} on ${devices.id} = ${thing.deviceId}` : sql``
  const owner = thing.customerId ?? (thing.deviceId ? devices.customerId : sql`null`)
  const [found] = await db.execute<{ id: number; name: string | null; customerId: number | null }>(sql`
    select ${thing.id} as id, ${thing.name} as name, ${owner}::int as "customerId" from ${thing.id.table} ${joined}
    where ${inArray(thing.id, ids.slice(0, LOOKED_FOR))} and ${thing.seen(visible(actor)) ?? sql`true`}
    order by ${thing.id} limit 1`)
  const id = `#${found?.id ?? ids[0]}`
  const one = found?.name ? `${found.name} (${id})` : id
  return {
    object: ids.length > 1 ? `${one} +${ids.length - 1}` : one,
    // Of a customer's thing that customer may read; a platform user may have named another customer beside it.
    ...(found && actor.customerId === null ? { customerId: found.customerId } : {}),
  }
}

export async function triedObject(
  context: Context,
  call: string,
  actor: Actor,
  body: Readonly<Record<string, unknown>>,
): Promise<Tried> {
  if (makes.test(call)) {
    const name = newNames.map((field) => body[field]).find((text) => typeof text === 'string' && text !== '')
    if (typeof name === 'string') return { object: name }
  }
  const thing = byId.find(([calls]) => calls.test(call))?.[1]
  const ids = idsOf(body['id'])
  if (ids.length > 0) return thing ? await told(context, actor, thing, ids) : { object: `#${ids[0]}` }
  for (const [field, named] of Object.entries(byField)) {
    const these = idsOf(body[field])
    if (these.length > 0) return await told(context, actor, named, these)
  }
  return ofOneself.test(call) ? { object: actor.username } : {}
}
