/** API tokens for scripts: a subset of their owner's function ids, and an expiry. */

import { z } from 'zod'
import { makes, object, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { labelled, secret } from '../kit/field.ts'
import { listCall } from '../kit/list.ts'
import { line } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { apiTokensPermission } from './account-pages.ts'

export const apiTokenObject = object('apiToken')

/** Sent in the header `token` like a session; the prefix distinguishes them. */
export const API_TOKEN_PREFIX = 'iot_'

export const createApiToken = call({
  path: '/api/token/createApiToken',
  permission: apiTokensPermission,
  writes: true,
  about: makes(apiTokenObject, { by: 'id', named: 'name' }),
  summary:
    'A token for scripts; shown once. The owner must have the `functionIds`; empty means all that they have.',
  body: z.object({
    name: line(64).min(1),
    ...labelled(
      {
        functionIds: z.array(z.coerce.number().int().positive()).max(500).default([]),
        expiresInDays: z.coerce.number().int().min(1).max(366).default(90),
      },
      { functionIds: 'token:field.functions', expiresInDays: 'token:field.days' },
    ),
  }),
  reply: z.object({ id: z.number(), token: secret(z.string()), expiresAt: instant }),
})

export const getApiTokenList = listCall({
  path: '/api/token/getApiTokenList',
  permission: apiTokensPermission,
  summary: 'The own API tokens.',
  sorts: ['createdAt', 'name', 'expiresAt'],
  descending: ['createdAt', 'name', 'expiresAt'],
  searches: ['name'],
  row: z.object({
    id: z.number(),
    name: z.string(),
    functionIds: z.array(z.number()),
    createdAt: instant,
    expiresAt: instant,
    lastUsedAt: instant.nullable(),
    revokedAt: instant.nullable(),
  }),
})

export const revokeApiToken = call({
  path: '/api/token/revokeApiToken',
  permission: apiTokensPermission,
  writes: true,
  about: uses(apiTokenObject, 'id'),
  summary: 'Revokes an API token immediately.',
  body: z.object({ id: rowId }),
})
