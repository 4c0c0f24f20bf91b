/** Software packages: uploaded once, verified, offered to devices by tasks. */

import { z } from 'zod'
import { deletes, edits, makes } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { field } from '../kit/field.ts'
import { job, LONG_DEADLINE_MS } from '../kit/job.ts'
import { listCall, storable } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { sentLine } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { shaped } from '../kit/shape.ts'
import { instant } from '../kit/time.ts'
import { customerObject } from '../people/customer-object.ts'
import { packageObject } from './package-object.ts'
import { packageSignature } from './signed-package.ts'

export const packageListPermission = permission({
  id: 7600,
  name: 'packageList',
  role: 'viewer',
  under: 'package-list',
})
export const packageUploadPermission = permission({
  id: 7601,
  name: 'packageUpload',
  role: 'customerAdmin',
  under: 'package-list',
})
export const packageDeletePermission = permission({
  id: 7602,
  name: 'packageDelete',
  role: 'customerAdmin',
  under: 'package-list',
})

/** [§3 Package] upgrade: complete firmware; patch and ordinary: installed besides it. */
export const packageTypes = ['upgrade', 'patch', 'ordinary'] as const
export type PackageType = (typeof packageTypes)[number]
/** [§6] all users, one designated customer, system administrators only. */
export const visibilities = ['all', 'customer', 'system'] as const

export const PACKAGE_MAX_BYTES = 512 * 1024 * 1024
/** A gzip that unpacks to more than this, or to more than 200 times its size, is refused as a decompression bomb. */
export const PACKAGE_MAX_UNPACKED_BYTES = 4 * 1024 * 1024 * 1024
export const PACKAGE_MAX_RATIO = 200
export const PACKAGE_MAX_ENTRIES = 100_000

/** Text without separators: usable in a list, an offer and a file name. */
export const versionText = z
  .string()
  .trim()
  .min(1)
  .max(64)
  .regex(shaped(/^[\w.+~-]+$/, 'version'))
export const modelText = z
  .string()
  .trim()
  .min(1)
  .max(64)
  // With commas: boards of OpenWrt are called such as glinet,gl-mt300n-v2.
  .regex(shaped(/^[\w .,+-]+$/, 'model'))

export const packageRow = z.object({
  spId: z.number(),
  name: z.string(),
  version: z.string(),
  model: z.string(),
  type: z.enum(packageTypes),
  spFileSize: z.number().describe('bytes'),
  sha256: z.string(),
  md5: z.string(),
  signed: z.boolean().describe('by a key of its owner'),
  visibility: z.enum(visibilities),
  customerId: z.number().nullable().describe('the designated customer'),
  customerName: z.string().nullable(),
  uploader: z.string().nullable(),
  uploadedAt: instant,
  syncedAt: instant.nullable().describe('null: the file server does not serve it yet'),
  syncError: z.string().nullable(),
  remark: z.string().nullable(),
  edition,
})

export const getPackageList = listCall({
  path: '/api/package/getPackageList',
  permission: packageListPermission,
  summary: 'Packages visible to the actor.',
  sorts: ['uploadedAt', 'name', 'version', 'model', 'spFileSize'],
  descending: ['uploadedAt'],
  searches: ['name', 'version', 'model'],
  filters: {
    type: z.enum(packageTypes).optional(),
    model: z.string().max(64).optional(),
    spId: rowId.optional(),
  },
  row: packageRow,
})

export const uploadPackage = call({
  path: '/api/package/uploadPackage',
  permission: packageUploadPermission,
  carrier: 'upload',
  writes: true,
  about: makes(packageObject, {
    by: 'spId',
    named: 'name',
    of: { object: customerObject, by: 'customerId' },
  }),
  summary:
    'Streams a .tar.gz (raw request body, at most 512 MB). Structure is verified, SHA-256 and MD5 are stored.',
  body: z.object({
    fileName: field(
      z
        .string()
        .max(200)
        .regex(shaped(/\.tar\.gz$/i, 'tarGz')),
      { label: 'config-file:field.file' },
    ),
    name: sentLine(64).min(1),
    version: versionText,
    model: modelText,
    type: z.enum(packageTypes).default('upgrade'),
    visibility: z
      .enum(visibilities)
      .optional()
      .describe('default: the own customer, or all for platform users'),
    customerId: field(rowId, { label: 'package:field.customer' }).optional(),
    remark: z.string().trim().max(500).optional(),
    signature: packageSignature,
  }),
  reply: packageRow,
})

export const modifyPackage = call({
  path: '/api/package/modifyPackage',
  permission: packageUploadPermission,
  writes: true,
  about: edits(packageObject, 'spId'),
  summary:
    'Changes who may see a package, and its remark. Only platform users change the visibility; running tasks are not affected.',
  body: z.object({
    spId: rowId,
    visibility: field(z.enum(visibilities), { label: 'package:field.visibility' }).optional(),
    customerId: field(rowId, { label: 'package:field.customer' })
      .optional()
      .describe('the designated customer, with visibility customer'),
    remark: field(storable(z.string().trim().max(500)), {
      label: 'package:field.remark',
      input: 'area',
    }).default(''),
    edition: openedEdition,
  }),
})

export const deletePackage = call({
  path: '/api/package/deletePackage',
  permission: packageDeletePermission,
  writes: true,
  about: deletes(packageObject, 'spId'),
  summary: 'Deletes a package that no ongoing task uses.',
  body: z.object({ spId: rowId }),
})

/** Downloads the package from each file server as a device would, and compares hashes. */
export const syncPackage = job({
  name: 'syncPackage',
  body: z.object({ packageId: z.number() }),
  attempts: 8,
  deadlineMs: LONG_DEADLINE_MS,
})

/** Queues unsynced packages again: a wake-up was lost, or all tries failed while a server was down. */
export const retrySync = job({ name: 'retrySync', body: z.object({}), single: true, everyMs: 120_000 })

export const packageScreen = screen({
  name: 'package-list',
  path: '/task/softwarepackage',
  lists: 'package/getPackageList',
  menuId: 76,
  role: 'viewer',
  parent: 'software',
  place: 10,
  area: 'management',
})
