/** Configuration files: archives of settings that config tasks send to devices. */

import { z } from 'zod'
import { BACKUP_MAX_BYTES, backupContents } from '../device/backup.ts'
import { deletes, edits, makes, reads, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { field } from '../kit/field.ts'
import { listCall, storable } from '../kit/list.ts'
import { permission } from '../kit/permission.ts'
import { sentLine } from '../kit/person.ts'
import { rowId } from '../kit/row-id.ts'
import { screen } from '../kit/screen.ts'
import { instant } from '../kit/time.ts'
import { customerObject } from '../people/customer-object.ts'
import { configFileObject } from './config-file-object.ts'
import { configTaskScreen } from './config-pages.ts'

export const configFileListPermission = permission({
  id: 700,
  name: 'configFileList',
  role: 'viewer',
  under: 'config-file-list',
})
export const configFileUploadPermission = permission({
  id: 701,
  name: 'configFileUpload',
  role: 'operator',
  under: 'config-file-list',
})
export const configFileDeletePermission = permission({
  id: 702,
  name: 'configFileDelete',
  role: 'customerAdmin',
  under: 'config-file-list',
})
/** They contain passwords and keys, so reading one requires more than seeing that it exists. */
export const configFileReadPermission = permission({
  id: 703,
  name: 'configFileRead',
  role: 'operator',
  under: 'config-file-list',
})

/** At least the size of a device's backup, so that one can be uploaded again. */
export const CONFIG_FILE_MAX_BYTES = BACKUP_MAX_BYTES
/** Everything in a configuration file is below this folder. */
export const CONFIG_FOLDER = 'etc'

const spId = rowId
const remark = field(storable(z.string().trim().max(500)), {
  label: 'config-file:field.remark',
  input: 'area',
})
const name = field(sentLine(64).min(1), { label: 'config-file:field.name' })

export const configFileRow = z.object({
  spId: z.number(),
  name: z.string(),
  spFileSize: z.number().describe('bytes'),
  sha256: z.string(),
  md5: z.string(),
  customerId: z.number(),
  customerName: z.string().nullable(),
  uploader: z.string().nullable(),
  uploadedAt: instant,
  remark: z.string().nullable(),
  edition,
})

export const getConfigFileList = listCall({
  path: '/api/configFile/getConfigFileList',
  permission: configFileListPermission,
  summary: 'Configuration files of the customer.',
  sorts: ['uploadedAt', 'name', 'spFileSize'],
  descending: ['uploadedAt', 'spFileSize'],
  searches: ['name', 'remark'],
  filters: { spId: rowId.optional() },
  row: configFileRow,
})

export const uploadConfigFile = call({
  path: '/api/configFile/uploadConfigFile',
  permission: configFileUploadPermission,
  carrier: 'upload',
  writes: true,
  about: makes(configFileObject, {
    by: 'spId',
    named: 'name',
    of: { object: customerObject, by: 'customerId' },
  }),
  summary:
    'Streams a .tar.gz (raw request body, at most 4 MB): a configuration backup, with files below `etc/` and no links.',
  body: z.object({
    fileName: field(
      z
        .string()
        .max(200)
        .regex(/\.tar\.gz$/i),
      { label: 'config-file:field.file' },
    ),
    name,
    customerId: field(rowId, { label: 'package:field.customer' })
      .optional()
      .describe('required of platform users'),
    remark: remark.optional(),
  }),
  reply: configFileRow,
})

export const modifyConfigFile = call({
  path: '/api/configFile/modifyConfigFile',
  permission: configFileUploadPermission,
  writes: true,
  about: edits(configFileObject, 'spId'),
  summary: 'Gives a configuration file another name and remark.',
  body: z.object({ spId, name, remark: remark.default(''), edition: openedEdition }),
})

export const deleteConfigFile = call({
  path: '/api/configFile/deleteConfigFile',
  permission: configFileDeletePermission,
  writes: true,
  about: deletes(configFileObject, 'spId'),
  summary: 'Deletes a configuration file that no ongoing task uses.',
  body: z.object({ spId }),
})

export const downloadConfigFile = call({
  path: '/api/configFile/downloadConfigFile',
  permission: configFileReadPermission,
  carrier: 'download',
  writes: true,
  about: uses(configFileObject, 'spId'),
  summary:
    'The .tar.gz as it was uploaded. It may contain passwords: downloads are recorded in the operation log.',
  body: z.object({ spId }),
})

export const getConfigFileContents = call({
  path: '/api/configFile/getConfigFileContents',
  permission: configFileReadPermission,
  about: reads(configFileObject, 'spId'),
  summary: 'The files in it with their hashes, and the text of those that are text and not large.',
  body: z.object({ spId }),
  reply: backupContents,
})

export const configFileListScreen = screen({
  name: 'config-file-list',
  path: '/resource/configuration',
  lists: 'configFile/getConfigFileList',
  menuId: 7,
  role: 'viewer',
  under: configTaskScreen,
  place: 10,
  area: 'management',
})
