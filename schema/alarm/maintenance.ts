/** Maintenance windows: while one is active, no alarm starts for the devices that it covers. */

import { z } from 'zod'
import { deletes, makes, object } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { labelled } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { askedTime, instant } from '../kit/time.ts'
import { customerObject } from '../people/customer-object.ts'
import { alarmRuleEditPermission, alarmRulesPermission, alarmScopes } from './alarm-rule.ts'
import { ownerId } from './owner-id.ts'
import { repetitions, timeZone } from './quiet.ts'

export const maintenanceObject = object('maintenance')

export const getMaintenanceList = listCall({
  path: '/api/alarm/getMaintenanceList',
  permission: alarmRulesPermission,
  summary: 'Maintenance windows, past ones included.',
  sorts: ['startsAt', 'name'],
  descending: ['startsAt', 'name'],
  searches: ['name'],
  row: z.object({
    id: z.number(),
    customerName: z.string(),
    name: z.string(),
    scope: z.enum(alarmScopes),
    targets: z.array(z.string()).describe('names of the groups or devices'),
    startsAt: instant,
    endsAt: instant,
    repeats: z.enum(repetitions),
    timeZone: z.string(),
    active: z.boolean(),
    changeable: z
      .boolean()
      .describe('false: planned by others, for more than what the groups of the caller concern'),
  }),
})
export const createMaintenance = call({
  path: '/api/alarm/createMaintenance',
  permission: alarmRuleEditPermission,
  writes: true,
  about: makes(maintenanceObject, {
    by: 'id',
    named: 'name',
    of: { object: customerObject, by: 'customerId' },
  }),
  summary: 'Plans a maintenance window, once or at the same clock time every day or week.',
  body: z.object(
    labelled(
      {
        customerId: ownerId,
        name: line(64).min(1),
        scope: z.enum(alarmScopes),
        groupIds: z.array(rowId).max(200).default([]),
        deviceIds: z.array(rowId).max(1000).default([]),
        startsAt: askedTime,
        endsAt: askedTime,
        repeats: z.enum(repetitions).default('once'),
        timeZone,
      },
      {
        customerId: 'alarm:field.customer',
        name: 'alarm:maintenance.name',
        scope: 'alarm:rule.scopeOf',
        groupIds: 'alarm:scope.groups',
        deviceIds: 'alarm:scope.devices',
        startsAt: 'alarm:maintenance.startsAt',
        endsAt: 'alarm:maintenance.endsAt',
        repeats: 'alarm:maintenance.repeats',
        timeZone: 'alarm:rule.timeZone',
      },
    ),
  ),
  reply: z.object({ id: z.number() }),
})
export const deleteMaintenance = call({
  path: '/api/alarm/deleteMaintenance',
  permission: alarmRuleEditPermission,
  writes: true,
  about: deletes(maintenanceObject, 'maintenanceId'),
  summary: 'Deletes a maintenance window; alarms that it suppressed may be raised immediately.',
  body: z.object({ maintenanceId: rowId }),
})
