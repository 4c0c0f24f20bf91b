/** The remote account of a group beside its edit: taking it away, and showing its password. */
import { z } from 'zod'
import { edits, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { secret } from '../kit/field.ts'
import { rowId } from '../kit/row-id.ts'
import { groupObject } from './group-object.ts'
import { groupEditPermission } from './group-pages.ts'

export const clearGroupRemote = call({
  path: '/api/device/clearGroupRemote',
  permission: groupEditPermission,
  writes: true,
  about: edits(groupObject, 'gid'),
  summary: 'Takes the remote account from a group; its community leaves the lists of the supernodes.',
  body: z.object({ gid: rowId }),
})

export const getGroupPassword = call({
  path: '/api/device/getGroupPassword',
  permission: groupEditPermission,
  writes: true,
  about: uses(groupObject, 'gid'),
  summary: 'The password of the remote account. Every view is recorded in the operation log.',
  body: z.object({ gid: rowId }),
  reply: z.object({ name: z.string(), password: secret(z.string()) }),
})
