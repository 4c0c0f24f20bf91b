/** Outages for operators: many devices lost together are one problem instead of pages of rows [decisions/067]. */

import { z } from 'zod'
import { call } from '../kit/call.ts'
import { instant } from '../kit/time.ts'
import { alarmListPermission, outageGrounds } from './alarm.ts'
import { severities } from './alarm-kind.ts'

/** Properties by which lost devices are compared, to find what they have in common. */
export const outageTraits = ['group', 'carrier', 'model', 'firmware'] as const
export type OutageTrait = (typeof outageTraits)[number]
/** Number of values shown for each, those with the most lost devices first. */
export const OUTAGE_VALUES = 3
/** Number of outages shown at once; the alarms of smaller ones are rows of the list. */
export const OUTAGES_TOLD = 20

export const getAlarmOutages = call({
  path: '/api/alarm/getAlarmOutages',
  permission: alarmListPermission,
  summary: `Active outages, with what their devices have in common; at most ${OUTAGES_TOLD}, the largest first.`,
  reply: z.object({
    list: z.array(
      z.object({
        incidentId: z.number(),
        ground: z.enum(outageGrounds),
        name: z.string(),
        groupId: z.number().nullable().describe('where the group is what they have in common'),
        severity: z.enum(severities),
        ruleName: z.string(),
        customerName: z.string().nullable(),
        startedAt: instant,
        lostFrom: instant.nullable().describe('when the first of those that are away went'),
        lostTo: instant.nullable().describe('and the last'),
        away: z.number().describe('alarms that are active'),
        total: z.number().describe('with those that are over'),
        open: z.number().describe('active and not acknowledged'),
        unhandled: z.number(),
        common: z.array(
          z.object({
            trait: z.enum(outageTraits),
            value: z.string(),
            away: z.number(),
            all: z.number().describe('devices of the customer that are so, lost or not'),
          }),
        ),
      }),
    ),
  }),
})
