/** Modbus terminals behind gateways [§3 Terminal, §5 Terminal]: their template defines what is collected from them. */

import { z } from 'zod'
import { deletes, edits, makes, object } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { because } from '../kit/fault.ts'
import { field } from '../kit/field.ts'
import { listCall, searchText } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { shaped } from '../kit/shape.ts'
import { deviceZone, instant } from '../kit/time.ts'
import {
  isModbus,
  modbusProtocols,
  parities,
  SLAVE_ID_MAX,
  slaveStates,
  type TerminalProtocol,
  templateTypes,
  terminalProtocols,
} from '../monitor/fields.ts'
import { deviceObject } from './device-object.ts'

export const terminalObject = object('terminal')

export const terminalListPermission = permission({
  id: 27600,
  name: 'terminalList',
  role: 'viewer',
  under: 'terminal-list',
})
export const terminalEditPermission = permission({
  id: 27601,
  name: 'terminalEdit',
  role: 'operator',
  under: 'terminal-list',
})

/** A host that the gateway reaches, or the name of a bus (`bus1`, `/dev/ttyS1`): never a URL or shell syntax. */
const slaveAddress = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(shaped(/^(\/dev\/)?[\w.:-]+$/, 'slaveAddress'))

/** Zero is a valid slave number, so an empty input must not be converted to it. */
const blanks = [
  'deviceId',
  'slaveId',
  'slaveAddress',
  'port',
  'serialPort',
  'templateId',
  'baudRate',
  'parity',
  'dataBits',
  'stopBits',
]
/** Interfaces of the gateway itself, and foreign sources, have no slave. */
const ofModbus = { when: { protocol: modbusProtocols }, needed: true } as const
/** Only for serial lines; the same for all terminals on one bus. */
const serial = { when: { protocol: ['modbusRtu'] } } as const
const fields = {
  name: line(64).min(1),
  serial: line(64).optional(),
  templateId: field(rowId, { label: 'terminal:field.template' }).describe('the collection template'),
  protocol: z.enum(terminalProtocols),
  deviceId: field(rowId, { label: 'terminal:field.device' }).describe('the gateway'),
  slaveId: field(z.coerce.number().int().min(0).max(SLAVE_ID_MAX).optional(), ofModbus),
  slaveAddress: field(slaveAddress.optional(), ofModbus).describe(
    'host of a slave behind TCP, or the bus of a serial one',
  ),
  port: field(z.coerce.number().int().min(1).max(65_535).optional(), {
    when: { protocol: ['modbusTcp', 'modbusRtuTcp'] },
  }).describe('TCP port; default 502'),
  serialPort: field(z.coerce.number().int().min(1).max(64).optional(), serial).describe(
    'number of the serial port',
  ),
  baudRate: field(z.coerce.number().int().min(300).max(921_600).optional(), {
    ...serial,
    proposed: 9_600,
    unit: '',
  }).describe('default 9600; like the other three of the whole bus'),
  parity: field(z.enum(parities).optional(), { ...serial, proposed: 'none' }),
  dataBits: field(z.coerce.number().int().min(7).max(8).optional(), { ...serial, proposed: 8 }),
  stopBits: field(z.coerce.number().int().min(1).max(2).optional(), { ...serial, proposed: 1 }),
  number: line(64).optional(),
  location: line(200).optional().describe('where it measures'),
}

/** Only slaves have a number and an address. */
const judged = <S extends z.ZodRawShape>(shape: S) =>
  z.object(shape).superRefine((values, ctx) => {
    const { protocol, ...said } = values as {
      protocol: TerminalProtocol
      slaveId?: number
      slaveAddress?: string
    }
    if (!isModbus(protocol)) return
    for (const name of ['slaveId', 'slaveAddress'] as const)
      if (said[name] === undefined)
        ctx.addIssue({ code: 'custom', path: [name], ...because({ reason: 'required' }) })
  })

export const getTerminalList = listCall({
  path: '/api/terminal/getTerminalList',
  permission: terminalListPermission,
  summary: 'Terminals behind the devices that the actor may see.',
  sorts: ['name', 'serial', 'protocol', 'slaveId', 'deviceSn', 'accessTime'],
  searches: ['name', 'serial', 'location', 'deviceSn'],
  filters: {
    deviceId: rowId.optional(),
    projectId: rowId.optional(),
    groupId: rowId.optional().describe('with the groups below it'),
    templateId: rowId.optional(),
    state: z
      .enum([...slaveStates, 'unknown'])
      .optional()
      .describe(
        'of terminals behind devices that are online, or of a source that is connected; unknown: all the others',
      ),
    protocol: z.enum(terminalProtocols).optional(),
    hidden: z.enum(['yes', 'no']).optional(),
  },
  row: z.object({
    id: z.number(),
    name: z.string(),
    serial: z.string().nullable(),
    templateId: z.number(),
    template: z.string().describe('its name'),
    protocol: z.enum(terminalProtocols),
    slaveId: z.number().nullable(),
    slaveAddress: z.string().nullable(),
    port: z.number().nullable(),
    serialPort: z.number().nullable(),
    baudRate: z.number().nullable(),
    parity: z.enum(parities).nullable(),
    dataBits: z.number().nullable(),
    stopBits: z.number().nullable(),
    deviceId: z.number(),
    deviceSn: z.string(),
    deviceName: z.string(),
    deviceOnline: z.boolean(),
    timeZone: deviceZone,
    state: z
      .enum(slaveStates)
      .nullable()
      .describe('whether its slave answers, as last reported; null: never'),
    stateSince: instant.nullable(),
    source: z
      .object({ name: z.string(), connected: z.boolean() })
      .nullable()
      .describe('the foreign source that its values come from; the gateway is not asked meanwhile'),
    reportAt: instant.nullable().describe('of its newest report'),
    missed: z.number().describe('cycles that the gateway skipped for lack of time'),
    dropped: z.number().describe('reports that no longer fitted into the buffer of the gateway'),
    hidden: z.boolean(),
    number: z.string().nullable(),
    location: z.string().nullable(),
    accessTime: instant.describe('when it was added'),
    edition,
  }),
})

export const getTerminalTemplates = call({
  path: '/api/terminal/getTerminalTemplates',
  permission: terminalListPermission,
  summary: 'The collection templates that a terminal can have, by name; at most 100.',
  body: z.object({
    deviceId: rowId.optional().describe('those of the customer of this device'),
    search: searchText(),
  }),
  blanks: ['deviceId', 'search'],
  reply: z.object({
    list: z.array(
      z.object({
        id: z.number(),
        name: z.string(),
        type: z.enum(templateTypes),
        customerName: z.string(),
        variableCount: z.number(),
        slaveCount: z.number().describe('of them those that are read from a slave'),
      }),
    ),
  }),
})

export const NOTICES_SHOWN = 20

export const getTemplateLoss = call({
  path: '/api/terminal/getTemplateLoss',
  permission: terminalListPermission,
  summary:
    'What a terminal loses with another template: variables whose history is no longer shown, and notices that no longer cover it.',
  body: z.object({ id: rowId }),
  reply: z.object({
    variables: z.number(),
    notices: z.array(z.string()).max(NOTICES_SHOWN).describe('by name'),
  }),
})

export const addTerminal = call({
  path: '/api/terminal/addTerminal',
  permission: terminalEditPermission,
  writes: true,
  about: makes(terminalObject, { by: 'id', named: 'name', of: { object: deviceObject, by: 'deviceId' } }),
  summary: 'Adds a terminal behind a gateway; one slave is one terminal.',
  body: judged(fields),
  blanks,
  reply: z.object({ id: z.number() }),
})

export const modifyTerminal = call({
  path: '/api/terminal/modifyTerminal',
  permission: terminalEditPermission,
  writes: true,
  about: edits(terminalObject, 'id'),
  summary: 'Changes a terminal.',
  body: judged({ id: rowId, ...fields, edition: openedEdition }),
  blanks,
})

export const hideTerminal = call({
  path: '/api/terminal/hideTerminal',
  permission: terminalEditPermission,
  writes: true,
  about: edits(terminalObject, 'id', 'visibility'),
  summary: 'Hides a terminal from monitoring, or shows it again.',
  body: z.object({ id: rowId, hidden: z.boolean() }),
})

export const deleteTerminal = call({
  path: '/api/terminal/deleteTerminal',
  permission: terminalEditPermission,
  writes: true,
  about: deletes(terminalObject, 'id'),
  summary: 'Deletes a terminal.',
  body: z.object({ id: rowId }),
})

export const terminalScreen = screen({
  name: 'terminal-list',
  path: '/device/terminalList',
  lists: 'terminal/getTerminalList',
  menuId: 276,
  role: 'viewer',
  permission: terminalListPermission,
  parent: 'device',
  place: 40,
  area: 'management',
})
