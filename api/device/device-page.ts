/** Which devices are on a page of the device list, in order; each order is found in the way that reads least. */
import { asc, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Context } from '#infra/context'
import type { getDeviceList } from '#schema/device/device'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { contains, page } from '../kit/paging.ts'

type Db = Context['db']
type Asked = {
  sort?: (typeof getDeviceList.sorts)[number] | undefined
  order?: 'asc' | 'desc' | undefined
  offset: number
  limit: number
  search?: string | undefined
  nearest?: boolean | undefined
}
type Found = { id: number }[]

/** So many devices at the head of an order are looked at before all of them are sorted. */
const HEAD = 2_000
/** Fewer are sorted at once. */
const FEW = 5_000

/** Unknown values come last in both directions. */
const ordered = (column: unknown, { order }: Asked): SQL =>
  order === 'desc' ? sql`${column} desc nulls last` : sql`${column} asc nulls last`

/** A left join that nothing reads costs nothing: the planner leaves it out. */
const ids = (db: Db, where: SQL) =>
  db
    .select({ id: devices.id })
    .from(devices)
    .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
    .where(where)

const sorted = (db: Db, where: SQL, asked: Asked, order: SQL[]): Promise<Found> =>
  ids(db, where)
    .orderBy(...order)
    .limit(asked.limit)
    .offset(page(asked))

/** Group after group, by an index of the groups; those of one name stay apart: sorting them together would read many. */
function byGroup(db: Db, where: SQL, asked: Asked): Promise<Found> {
  const direction = asked.order === 'desc' ? desc : asc
  return ids(db, where)
    .innerJoin(groups, eq(groups.id, devices.groupId))
    .orderBy(direction(groups.name), direction(groups.id), asc(devices.sn))
    .limit(asked.limit)
    .offset(page(asked))
}

type Half = { of: SQL; order: SQL[] }

/** First all of one kind, then the others: where each kind has an index for its order and both together have none. */
function inHalves(db: Db, where: SQL, asked: Asked, first: Half, second: Half): Promise<Found> {
  const half = ({ of, order }: Half) =>
    ids(db, sql`${where} and ${of}`)
      .orderBy(...order)
      .limit(page(asked) + asked.limit)
  return unionAll(half(first), half(second)).limit(asked.limit).offset(page(asked))
}

/** A state that changes needs no index of its own: either kind is found along the serial numbers. */
function byOnline(db: Db, where: SQL, asked: Asked): Promise<Found> {
  const order = [asc(devices.sn)]
  const online = { of: sql`${deviceStates.online}`, order }
  const offline = { of: sql`${deviceStates.online} is not true`, order }
  const [first, second] = asked.order === 'desc' ? [online, offline] : [offline, online]
  return inHalves(db, where, asked, first, second)
}

/** Unknown values come last in both directions: backwards that is no order of the index. */
function byKnown(
  db: Db,
  where: SQL,
  asked: Asked,
  column: typeof devices.model | typeof devices.firmware,
): Promise<Found> {
  if (asked.order !== 'desc') return sorted(db, where, asked, [asc(column), asc(devices.sn)])
  const known = { of: sql`${column} is not null`, order: [desc(column), desc(devices.sn)] }
  const unknown = { of: sql`${column} is null`, order: [desc(devices.sn)] }
  return inHalves(db, where, asked, known, unknown)
}

/**
 * By what changes with every message, which no index may follow: each of those updates would then touch all indexes of its row.
 * The states alone are sorted; who of the first of them is asked for is looked up one by one, until the page is full.
 */
async function byState(
  db: Db,
  where: SQL,
  asked: Asked,
  column: typeof deviceStates.lastSeenAt | typeof deviceStates.signalDbm,
  total: number,
): Promise<Found> {
  if (total > FEW && page(asked) + asked.limit <= HEAD) {
    const head = db
      .select({ deviceId: deviceStates.deviceId, value: sql`${column}`.as('value') })
      .from(deviceStates)
      .where(isNotNull(column))
      .orderBy(ordered(column, asked), asc(deviceStates.deviceId))
      .limit(HEAD)
      .as('head')
    const found = await db
      .select({ id: devices.id })
      .from(head)
      .innerJoin(devices, eq(devices.id, head.deviceId))
      .leftJoin(deviceStates, eq(deviceStates.deviceId, devices.id))
      .where(where)
      .orderBy(ordered(head.value, asked), asc(head.deviceId))
      .limit(asked.limit)
      .offset(page(asked))
    if (found.length === asked.limit) return found
  }
  return sorted(db, where, asked, [ordered(column, asked), asc(devices.id)])
}

/** Shorter ones match much of the fleet, and end or begin something in most of it. */
const NEAREST_MIN = 3

/**
 * What somebody reads off a label or hears on the telephone is a whole number or the end of one: `000008` is
 * RT24000008 before GW24000084.
 */
function byNearness(db: Db, where: SQL, asked: Asked, search: string): Promise<Found> {
  const word = search.toLowerCase()
  const inside = (before: string, after: string) =>
    sql`' ' || ${devices.searchText} || ' ' like ${contains(before + word + after)}`
  const rank = sql`case when ${inside(' ', ' ')} or lower(${deviceStates.ip}) = ${word} then 0
    when ${inside('', ' ')} then 1 when ${inside(' ', '')} then 2 else 3 end`
  return sorted(db, where, asked, [asc(rank), asc(devices.sn)])
}

/** `total`: how many devices match, where the way depends on it. `where` as deviceCondition made it. */
export async function findDevicePage(
  db: Db,
  where: SQL,
  asked: Asked,
  total: Promise<number>,
): Promise<number[]> {
  const direction = asked.order === 'desc' ? desc : asc
  const ways: Record<(typeof getDeviceList.sorts)[number], () => Promise<Found>> = {
    deviceSn: () => sorted(db, where, asked, [direction(devices.sn)]),
    deviceName: () => sorted(db, where, asked, [direction(devices.name), direction(devices.sn)]),
    model: () => byKnown(db, where, asked, devices.model),
    firmware: () => byKnown(db, where, asked, devices.firmware),
    online: () => byOnline(db, where, asked),
    signalDbm: async () => byState(db, where, asked, deviceStates.signalDbm, await total),
    lastSeenAt: async () => byState(db, where, asked, deviceStates.lastSeenAt, await total),
    groupName: () => byGroup(db, where, asked),
  }
  const { search = '', nearest = false, sort } = asked
  const isNear = nearest && sort === undefined && search.length >= NEAREST_MIN
  const found = isNear ? byNearness(db, where, asked, search) : ways[sort ?? 'deviceSn']()
  return (await found).map(({ id }) => id)
}
