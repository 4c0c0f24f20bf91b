/** Files of a device, over the SSH connection of a terminal session. */
import { z } from 'zod'
import { reads, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { because } from '../kit/fault.ts'
import { secret } from '../kit/field.ts'
import { instant } from '../kit/time.ts'
import { remoteOperationPermission } from './remote-access.ts'
import { remoteSessionObject } from './remote-session.ts'

export const fileTypes = ['file', 'folder', 'link', 'other'] as const
export type FileType = (typeof fileTypes)[number]
/** What the device has; `scp` with shell commands for folders and for the rest of a file. */
export const fileWays = ['sftp', 'scp', 'shell'] as const
export type FileWay = (typeof fileWays)[number]
/** Maximum size of one transfer; use `ops ssh` and scp for larger ones. */
export const FILE_MAX_BYTES = 512_000_000
/** Maximum number of listed entries of a folder. */
export const FOLDER_MAX = 2_000

const PATH_MAX = 1_024
const sessionId = z.uuid()
/** Absolute, without `.` and `..`, so that the operation log shows the actual path. */
const isPlainPath = (path: string) =>
  path.startsWith('/') &&
  !path.split('/').some((part) => part === '.' || part === '..') &&
  !/\p{Cc}/u.test(path)
const path = z
  .string()
  .max(PATH_MAX)
  .refine(isPlainPath, because({ reason: 'format', shape: 'scriptPath' }))
  .describe('absolute, without `..`')
const offset = z.coerce.number().int().min(0)

const ofSession = {
  permission: remoteOperationPermission,
  writes: true,
  about: uses(remoteSessionObject, 'sessionId'),
} as const

export const openFiles = call({
  ...ofSession,
  path: '/api/remote/openFiles',
  summary:
    'Logs in to the device for its files; the session is one of kind `terminal`. The account is one of the device, and is kept nowhere.',
  body: z.object({
    sessionId,
    username: z.string().min(1).max(64),
    password: secret(z.string().max(256)),
  }),
  reply: z.object({ by: z.enum(fileWays).describe('what the device has') }),
})

export const getFiles = call({
  path: '/api/remote/getFiles',
  permission: remoteOperationPermission,
  about: reads(remoteSessionObject, 'sessionId'),
  summary: 'What is in a folder of the device; folders first.',
  body: z.object({ sessionId, path }),
  reply: z.object({
    entries: z.array(
      z.object({
        name: z.string(),
        type: z.enum(fileTypes),
        sizeBytes: z.number(),
        modifiedAt: instant.nullable().describe('null: the device does not tell'),
      }),
    ),
    complete: z.boolean().describe(`false: the folder has more than ${FOLDER_MAX}`),
  }),
})

export const downloadFile = call({
  ...ofSession,
  path: '/api/remote/downloadFile',
  carrier: 'download',
  summary: 'A file of the device, from `from` on: what broke off is resumed there.',
  body: z.object({ sessionId, path, from: offset.default(0).describe('bytes to leave out') }),
})

export const uploadFile = call({
  ...ofSession,
  path: '/api/remote/uploadFile',
  carrier: 'upload',
  summary:
    'Writes a file of the device (raw request body). Until it is whole its name ends in `.part`; a transfer that broke off is resumed with `from`, the size of that file.',
  body: z.object({
    sessionId,
    path,
    from: offset.default(0),
    sizeBytes: offset.describe('of the whole file'),
  }),
  reply: z.object({ sizeBytes: z.number() }),
})

export const deleteFile = call({
  ...ofSession,
  path: '/api/remote/deleteFile',
  summary: 'Deletes a file or an empty folder of the device.',
  body: z.object({ sessionId, path }),
})
