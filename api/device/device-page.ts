/** Which devices are on a page of the device list, in order; each sort order uses the query that reads the least. */
import { asc, desc, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { unionAll } from 'drizzle-orm/pg-core'
import type { Context } from '#infra/context'
import type { getDeviceList } from '#schema/device/device'
import { deviceStates as states } from '#schema/device/device-state'
import { deviceStates, devices } from '#schema/tables/device'
import { groups } from '#schema/tables/group'
import { contains, page } from '../kit/paging.ts'
import { isState } from './device-state.ts'

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

/** Number of devices at the beginning of an order that are tried before all are sorted. */
const HEAD = 2_000
/** Fewer devices are sorted directly. */
const FEW = 5_000

/** Unknown values come last in both directions. */
const ordered = (column: unknown, { order }: Asked): SQL =>
  order === 'desc' ? sql`${column} desc nulls last` : sql`${column} asc nulls last`

/** An unused left join costs nothing: the planner removes it. */
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

/**
 * Group by group, using an index of the groups; groups of the same name are not merged, because sorting them together
 * would read many rows.
 */
function byGroup(db: Db, where: SQL, asked: Asked): Promise<Found> {
  const direction = asked.order === 'desc' ? desc : asc
  return ids(db, where)
    .innerJoin(groups, eq(groups.id, devices.groupId))
    .orderBy(direction(groups.name), direction(groups.id), asc(devices.sn))
    .limit(asked.limit)
    .offset(page(asked))
}

type Part = { of: SQL; order: SQL[] }
type Parts = readonly [Part, Part, ...Part[]]

/**
 * First all of one kind, then those of the next: where each kind has an index for its order, but all together have
 * none. Kinds that the page does not reach are not read.
 */
function inTurn(db: Db, where: SQL, asked: Asked, [first, second, ...rest]: Parts): Promise<Found> {
  const part = ({ of, order }: Part) =>
    ids(db, sql`${where} and ${of}`)
      .orderBy(...order)
      .limit(page(asked) + asked.limit)
  return unionAll(part(first), part(second), ...rest.map(part))
    .limit(asked.limit)
    .offset(page(asked))
}

/** By the state's place in `deviceStates`; computing it for a whole fleet would take longer than everything else. */
function byRank(db: Db, where: SQL, asked: Asked, now: Date): Promise<Found> {
  const parts = states.map((state) => ({ of: isState(state, now), order: [asc(devices.sn)] }))
  const [first, second, ...rest] = asked.order === 'desc' ? parts.toReversed() : parts
  if (!first || !second) throw new Error('a device has at least two states')
  return inTurn(db, where, asked, [first, second, ...rest])
}

/** The state needs no index: devices of either kind are found in the order of serial numbers. */
function byOnline(db: Db, where: SQL, asked: Asked): Promise<Found> {
  const order = [asc(devices.sn)]
  const online = { of: sql`${deviceStates.online}`, order }
  const offline = { of: sql`${deviceStates.online} is not true`, order }
  const [first, second] = asked.order === 'desc' ? [online, offline] : [offline, online]
  return inTurn(db, where, asked, [first, second])
}

/** Unknown values come last in both directions, which a backward index scan does not provide. */
function byKnown(
  db: Db,
  where: SQL,
  asked: Asked,
  column: typeof devices.model | typeof devices.firmware,
): Promise<Found> {
  if (asked.order !== 'desc') return sorted(db, where, asked, [asc(column), asc(devices.sn)])
  const known = { of: sql`${column} is not null`, order: [desc(column), desc(devices.sn)] }
  const unknown = { of: sql`${column} is null`, order: [desc(devices.sn)] }
  return inTurn(db, where, asked, [known, unknown])
}

/**
 * By values that change with every message and therefore must not be indexed: each of those updates would touch all
 * indexes of its row. Only the states are sorted, and the first ones are looked up one by one until the page is full.
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

/** Shorter texts match much of the fleet, and begin or end something in most of it. */
const NEAREST_MIN = 3

/** What users read off a label is a whole number or its end: `000008` ranks RT24000008 before GW24000084. */
function byNearness(db: Db, where: SQL, asked: Asked, search: string): Promise<Found> {
  const word = search.toLowerCase()
  const inside = (before: string, after: string) =>
    sql`' ' || ${devices.searchText} || ' ' like ${contains(before + word + after)}`
  const rank = sql`case when ${inside(' ', ' ')} or lower(${deviceStates.ip}) = ${word} then 0
    when ${inside('', ' ')} then 1 when ${inside(' ', '')} then 2 else 3 end`
  return sorted(db, where, asked, [asc(rank), asc(devices.sn)])
}

/** `total`: the number of matching devices, if the query depends on it. `where` as returned by deviceCondition. */
export async function findDevicePage(
  { db, now }: Pick<Context, 'db' | 'now'>,
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
    state: () => byRank(db, where, asked, now()),
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
