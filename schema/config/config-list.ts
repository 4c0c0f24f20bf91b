/** [§2 /resource/configurationlist] The fleet by the state of its configuration. */
import { z } from 'zod'
import { deviceFilter } from '../device/device.ts'
import { listCall } from '../kit/list.ts'
import { screen } from '../kit/screen.ts'
import { deviceZone, instant } from '../kit/time.ts'
import { configReadPermission } from './commands/config.ts'
import { configEnds, configStates } from './config-state.ts'

export const getConfigList = listCall({
  path: '/api/config/getConfigList',
  permission: configReadPermission,
  summary: 'Devices with the state of their configuration, and how the last change from here ended.',
  sorts: ['deviceSn', 'deviceName', 'endedAt', 'readAt', 'drift'],
  descending: ['endedAt', 'readAt', 'drift'],
  searches: ['deviceSn', 'deviceName', 'imei', 'iccid', 'mac', 'ip'],
  // Those of devices: what is done with all that match is done with the same ones.
  filters: deviceFilter.pick({ configState: true, templateId: true, groupId: true, model: true }).shape,
  row: z.object({
    deviceId: z.number(),
    deviceSn: z.string(),
    deviceName: z.string(),
    groupId: z.number(),
    groupName: z.string(),
    model: z.string().nullable(),
    firmware: z.string().nullable(),
    imei: z.string().nullable(),
    iccid: z.string().nullable(),
    mac: z.string().nullable(),
    ip: z.string().nullable(),
    timeZone: deviceZone,
    online: z.boolean().nullable(),
    configState: z.enum(configStates),
    drift: z.number().describe('differences from what was set'),
    edited: z.number().describe('edited fields that are not applied'),
    revision: z.number(),
    ended: z.enum(configEnds).nullable().describe('how the last change from here ended'),
    endedAt: instant.nullable(),
    detail: z.string().nullable(),
    readAt: instant.nullable(),
    templates: z.string().nullable().describe('its templates, the last wins; null: not yet compared'),
    templateChanges: z.number().nullable().describe('fields that it runs otherwise than they say'),
    templateFaulty: z.boolean().nullable().describe('it cannot take what they say'),
  }),
})

export const configListScreen = screen({
  name: 'config-list',
  path: '/resource/configurationlist',
  lists: 'config/getConfigList',
  menuId: 34,
  role: 'viewer',
  permission: configReadPermission,
  parent: 'configuration',
  place: 10,
  area: 'management',
})
