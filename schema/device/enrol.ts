/** Self-enrolment: a group's enrolment key is exchanged for a device's own secret, over MQTT. */

import { z } from 'zod'
import { groupObject } from '../group/group-object.ts'
import { makes, object, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { labelled, secret } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { downlink, uplink } from '../kit/message.ts'
import { permission } from '../kit/permission.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { deviceText, serialNumber } from './hello.ts'

export const enrolmentKeyObject = object('enrolmentKey')

export const enrolmentKeysPermission = permission({
  id: 1001,
  name: 'enrolmentKeys',
  role: 'customerAdmin',
  under: 'group-list',
})

/** An enrolment key is `ek_` and 43 base64url characters; a device secret is 43 (256 random bits). */
export const ENROLMENT_KEY_PREFIX = 'ek_'
/**
 * User name with which an enrolling device can log in to any broker, ours or an external one; required if that broker
 * has its own accounts.
 */
export const ENROL_USER_PREFIX = 'enrol:'
/** `enrol:` and the eight characters of the key after `ek_`; `:` is not allowed in serial numbers. */
export const enrolUser = (key: string) =>
  `${ENROL_USER_PREFIX}${key.slice(ENROLMENT_KEY_PREFIX.length, ENROLMENT_KEY_PREFIX.length + 8)}`
/** [docs/protocol.md] MQTT user name while enrolling is the serial number, the password the enrolment key. */
export const isEnrolmentKey = (password: string) => password.startsWith(ENROLMENT_KEY_PREFIX)

export const enrol = uplink({
  name: 'enrol',
  class: 'session',
  summary:
    'Requests a secret. Only on a connection that logged in with an enrolment key; the response is `enrolled`.',
  payload: z.object({
    model: deviceText(64).min(1),
    name: deviceText(64).optional(),
    key: secret(
      z.string().max(100).optional().describe('the enrolment key: where an external broker checked it'),
    ),
    secret: secret(
      z
        .string()
        .regex(/^[A-Za-z0-9_-]{43}$/)
        .optional()
        .describe('256 random bits that the device has made, as its secret; absent: the platform makes one'),
    ),
  }),
  example: { model: 'R200', name: 'Kiosk 7' },
})

export const enrolled = downlink({
  name: 'enrolled',
  summary: 'The device secret. Store it durably, disconnect, and log in with it from now on.',
  payload: z.object({
    sn: serialNumber,
    secret: secret(
      z.string().length(43).optional().describe('absent when refused, or when the device has made it'),
    ),
    refusal: z.string().optional().describe('why not, in English'),
  }),
  example: { sn: 'SN-0001', secret: 'p0uJ4VbTq2m1vB3xkZ7H9yq5sYtN8rWc6dLfG0aEiUo' },
})

/** Returned with every secret, so that the commands shown with it work without changes. */
export const mqttAddresses = z
  .object({ plain: z.string().nullable(), tls: z.string().nullable() })
  .describe(
    'where devices reach MQTT, as host:port; `:port`: on the host that the console was opened with; null: not at all',
  )
export type MqttAddresses = z.output<typeof mqttAddresses>

export const createEnrolmentKey = call({
  path: '/api/device/createEnrolmentKey',
  permission: enrolmentKeysPermission,
  writes: true,
  about: makes(enrolmentKeyObject, { by: 'id', named: 'label', of: { object: groupObject, by: 'groupId' } }),
  summary: 'A key with which devices enrol themselves into a group. The key is shown once.',
  body: z.object(
    labelled(
      {
        groupId: rowId,
        label: line(64).min(1),
        expiresInHours: z.coerce
          .number()
          .int()
          .min(1)
          .max(24 * 366)
          .default(24 * 7),
        maxCount: z.coerce.number().int().min(1).max(100_000).default(100),
      },
      {
        groupId: 'device:column.groupName',
        label: 'device:keys.label',
        expiresInHours: 'device:keys.hours',
        maxCount: 'device:keys.count',
      },
    ),
  ),
  reply: z.object({ id: z.number(), key: secret(z.string()), expiresAt: instant, mqtt: mqttAddresses }),
})

export const getEnrolmentKeyList = listCall({
  path: '/api/device/getEnrolmentKeyList',
  permission: enrolmentKeysPermission,
  summary: 'Enrolment keys with their use.',
  sorts: ['createdAt', 'label', 'expiresAt'],
  descending: ['createdAt', 'label', 'expiresAt'],
  searches: ['label'],
  filters: { groupId: rowId.optional() },
  row: z.object({
    id: z.number(),
    label: z.string(),
    groupId: z.number(),
    groupName: z.string(),
    maxCount: z.number(),
    usedCount: z.number(),
    createdAt: instant,
    expiresAt: instant,
    revokedAt: instant.nullable(),
    createdBy: z.string().nullable(),
  }),
})

export const revokeEnrolmentKey = call({
  path: '/api/device/revokeEnrolmentKey',
  permission: enrolmentKeysPermission,
  writes: true,
  about: uses(enrolmentKeyObject, 'id'),
  summary: 'Ends an enrolment key; devices already enrolled keep their secrets.',
  body: z.object({ id: rowId }),
})
