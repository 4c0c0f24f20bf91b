/**
 * Ed25519 keys with which a customer signs its packages. A customer that has one accepts no unsigned package; what a
 * device trusts is set on the device, never by the platform.
 */

import { z } from 'zod'
import { deletes, makes, object } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { field, labelled } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { customerObject } from '../people/customer-object.ts'
import { packageListPermission } from './package.ts'
import { pasted } from './signed-package.ts'

export const signingKeyObject = object('signingKey')

export const signingKeysPermission = permission({
  id: 7603,
  name: 'signingKeys',
  role: 'customerAdmin',
  under: 'package-list',
})

export const getSigningKeyList = listCall({
  path: '/api/package/getSigningKeyList',
  permission: packageListPermission,
  summary: 'The public keys with which packages must be signed.',
  sorts: ['createdAt', 'name'],
  descending: ['createdAt'],
  searches: ['name'],
  row: z.object({
    id: z.number(),
    name: z.string(),
    customerId: z.number().nullable().describe('null: of packages that belong to no customer'),
    customerName: z.string().nullable(),
    keyName: z.string().describe('the 8 bytes that signatures name the key by, hexadecimal'),
    deviceKey: field(z.string(), { secret: false }).describe(
      'for the file of that name among the keys that a device trusts',
    ),
    createdBy: z.string().nullable(),
    createdAt: instant,
  }),
})

export const createSigningKey = call({
  path: '/api/package/createSigningKey',
  permission: signingKeysPermission,
  writes: true,
  about: makes(signingKeyObject, {
    by: 'id',
    named: 'name',
    of: { object: customerObject, by: 'customerId' },
  }),
  summary: 'Adds a public key; from then on packages of its owner must be signed.',
  body: z.object(
    labelled(
      {
        customerId: rowId.optional(),
        name: line(64).min(1),
        publicKey: field(pasted.min(1), { input: 'area', secret: false }),
      },
      {
        customerId: 'package:field.customer',
        name: 'package:signing.name',
        publicKey: 'package:signing.publicKey',
      },
    ),
  ),
  reply: z.object({ id: z.number(), keyName: z.string() }),
})

export const deleteSigningKey = call({
  path: '/api/package/deleteSigningKey',
  permission: signingKeysPermission,
  writes: true,
  about: deletes(signingKeyObject, 'signingKeyId'),
  summary: 'Removes a key; without the last one packages need no signature. Devices keep what they trust.',
  body: z.object({ signingKeyId: rowId }),
})
