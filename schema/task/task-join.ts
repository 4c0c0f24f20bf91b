/** Devices that match a task's filter later: which filters a task can follow, and for how long; pure. [decisions/108] */
import type { z } from 'zod'
import { deviceFilter } from '../device/device.ts'
import { askedTime } from '../kit/time.ts'

export const JOIN_DAYS_MAX = 90

/** What a device is, not how it is at the moment: a device that is only briefly offline must not join for that. */
export const joinFilter = deviceFilter.pick({ customerId: true, groupId: true, model: true, firmware: true })
/** Data, so that browsers know the names without the schemas. */
export const joinedBy: readonly string[] = Object.keys(joinFilter.shape)
export type JoinFilter = z.output<typeof joinFilter>

export const joinUntil = askedTime

/** The first part of a filter that cannot be followed; null: all can. */
export const momentary = (filter: Readonly<Record<string, unknown>>): string | null =>
  Object.keys(filter).find((key) => filter[key] !== undefined && !joinedBy.includes(key)) ?? null
