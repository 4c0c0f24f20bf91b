/** Devices that need attention by a person: the platform cannot fix them by itself. */
import { z } from 'zod'
import { call } from '../kit/call.ts'
import { deviceListPermission } from './device-pages.ts'

/** The most urgent first. */
export const deviceNeeds = [
  'revoked',
  'flapping',
  'failedTwice',
  'configuration',
  'clockWrong',
  'warned',
] as const
export type DeviceNeed = (typeof deviceNeeds)[number]

/** A device that connected this often within an hour flaps. */
export const FLAPPING_CONNECTIONS = 4
/** More than this is no transmission delay and no slow drift: certificates and the times of its records are in doubt. */
export const CLOCK_WRONG_MS = 60_000
/** Failures longer ago are history. */
export const FAILED_DAYS = 7
/** Number of devices named for each need. */
export const NEEDS_NAMED = 3

export const getDeviceNeeds = call({
  path: '/api/device/getDeviceNeeds',
  permission: deviceListPermission,
  summary: `Devices that need a person, by reason: how many, and the first ${NEEDS_NAMED}. revoked: without a valid secret; flapping: ${FLAPPING_CONNECTIONS} connections within the last hour, without those that ended with their broker; failedTwice: two failures in tasks in ${FAILED_DAYS} days and no success since; configuration: it runs otherwise than was set, or the last change was refused or taken back in ${FAILED_DAYS} days; clockWrong: off by more than ${CLOCK_WRONG_MS / 1000} s; warned: refused messages or a doubtful identity in the last day.`,
  reply: z.object({
    list: z.array(
      z.object({
        need: z.enum(deviceNeeds),
        count: z.number(),
        first: z.array(z.object({ deviceId: z.number(), groupId: z.number(), deviceName: z.string() })),
      }),
    ),
  }),
})
