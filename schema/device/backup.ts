/** Configuration backups: requested here, uploaded by the device, stored, compared. */

import { z } from 'zod'
import { deletes, edits, makes, object, reads, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { edition, openedEdition } from '../kit/edition.ts'
import { field } from '../kit/field.ts'
import { listCall, storable } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { deviceBackupPermission } from './commands/backup.ts'
import { deviceObject } from './device-object.ts'

export const backupObject = object('backup')

export const BACKUP_MAX_BYTES = 4 * 1024 * 1024
export const BACKUP_MAX_UNPACKED_BYTES = 32 * 1024 * 1024
export const BACKUP_MAX_ENTRIES = 2_000
/** Validity of an upload link, which also ends when the file is stored. */
export const BACKUP_LINK_MS = 15 * 60_000
/** Limits of a comparison: larger files are compared by hash only. */
export const COMPARED_FILES_MAX = 200
export const COMPARED_FILE_BYTES = 128 * 1024
export const COMPARED_TOTAL_BYTES = 1024 * 1024

export const backupStates = ['waiting', 'kept', 'failed'] as const

const backupId = z.uuid()
const remark = field(storable(z.string().trim().max(200)), { label: 'detail:backup.remark' })

/** The contents of an archive of settings. */
export const backupContents = z.object({
  complete: z.boolean().describe('false: it contains more files than are listed'),
  files: z.array(
    z.object({
      path: z.string(),
      sizeBytes: z.number(),
      sha256: z.string(),
      text: z
        .string()
        .nullable()
        .describe('secrets are masked; null: binary, too large to show, or a secret as a whole'),
    }),
  ),
})

export const createBackup = call({
  path: '/api/backup/createBackup',
  permission: deviceBackupPermission,
  writes: true,
  about: makes(backupObject, { by: 'backupId', of: { object: deviceObject, by: 'deviceId' } }),
  summary: 'Has a device upload its configuration.',
  body: z.object({ deviceId: rowId, remark: remark.optional() }),
  reply: z.object({ backupId: z.string(), commandId: z.string() }),
})

export const getBackupList = listCall({
  path: '/api/backup/getBackupList',
  permission: deviceBackupPermission,
  summary: 'Configuration backups of one device, newest first.',
  sorts: ['createdAt', 'sizeBytes'],
  descending: ['createdAt', 'sizeBytes'],
  filters: { deviceId: rowId },
  row: z.object({
    backupId: z.string(),
    state: z.enum(backupStates),
    error: z.string().nullable().describe('why it failed'),
    createdAt: instant,
    createdBy: z.string().nullable(),
    fromSn: z
      .string()
      .nullable()
      .describe('of the machine that made it, when another has taken its place since'),
    remark: z.string().nullable(),
    sizeBytes: z.number().nullable(),
    sha256: z.string().nullable(),
    configHash: z
      .string()
      .nullable()
      .describe('the configuration hash that the device reported at that time'),
    firmware: z.string().nullable(),
    edition,
  }),
})

export const modifyBackup = call({
  path: '/api/backup/modifyBackup',
  permission: deviceBackupPermission,
  writes: true,
  about: edits(backupObject, 'backupId'),
  summary: 'Gives a backup another remark.',
  body: z.object({
    backupId,
    remark: remark.default(''),
    edition: openedEdition,
  }),
})

export const deleteBackup = call({
  path: '/api/backup/deleteBackup',
  permission: deviceBackupPermission,
  writes: true,
  about: deletes(backupObject, 'backupId'),
  summary: 'Removes a backup and its file.',
  body: z.object({ backupId }),
})

export const downloadBackup = call({
  path: '/api/backup/downloadBackup',
  permission: deviceBackupPermission,
  carrier: 'download',
  writes: true,
  about: uses(backupObject, 'backupId'),
  summary:
    'The .tar.gz as the device sent it. It may contain passwords: downloads are recorded in the operation log.',
  body: z.object({ backupId }),
})

export const getBackupFiles = call({
  path: '/api/backup/getBackupFiles',
  permission: deviceBackupPermission,
  about: reads(backupObject, 'backupId'),
  summary: 'The files in a backup with their hashes, and the text of those that are text and not large.',
  body: z.object({ backupId }),
  reply: backupContents.extend({ createdAt: instant }),
})
