/** Recordings of terminals: what the device showed, as asciicast v2, in the file store [decisions/125]. */
import { z } from 'zod'
import { deletes, object, reads, uses } from '../kit/about.ts'
import { call } from '../kit/call.ts'
import { listCall } from '../kit/list.ts'
import { rowId } from '../kit/row-id.ts'
import { instant } from '../kit/time.ts'
import { remoteRecordingDeletePermission, remoteRecordingPermission } from './recording-pages.ts'
import { recordingStates } from './recording-policy.ts'

export const recordingObject = object('terminalRecording')

const recordingId = z.uuid()

const shown = {
  recordingId: z.string(),
  sessionId: z.string(),
  deviceId: z.number(),
  deviceSn: z.string(),
  deviceName: z.string(),
  createdBy: z.string().nullable(),
  account: z.string().describe('of the device'),
  state: z.enum(recordingStates),
  startedAt: instant,
  durationMs: z.number(),
  sizeBytes: z.number(),
}

export const getRecordingList = listCall({
  path: '/api/remote/getRecordingList',
  permission: remoteRecordingPermission,
  summary: 'What terminals of visible devices have shown, newest first.',
  sorts: ['startedAt', 'deviceSn', 'durationMs', 'sizeBytes'],
  descending: ['startedAt', 'durationMs', 'sizeBytes'],
  searches: ['deviceSn', 'deviceName', 'account'],
  filters: {
    deviceId: rowId.optional(),
    sessionId: z.uuid().optional(),
    state: z.enum(recordingStates).optional(),
  },
  row: z.object(shown),
})

export const getRecording = call({
  path: '/api/remote/getRecording',
  permission: remoteRecordingPermission,
  about: reads(recordingObject, 'recordingId'),
  summary: 'One recording, without its contents.',
  body: z.object({ recordingId }),
  reply: z.object(shown),
})

export const downloadRecording = call({
  path: '/api/remote/downloadRecording',
  permission: remoteRecordingPermission,
  carrier: 'download',
  writes: true,
  about: uses(recordingObject, 'recordingId'),
  summary:
    'The recording as asciicast v2 (.cast), also while it is being written. Replaying it in the console is recorded in the operation log like a download.',
  body: z.object({ recordingId }),
})

export const deleteRecording = call({
  path: '/api/remote/deleteRecording',
  permission: remoteRecordingDeletePermission,
  writes: true,
  about: deletes(recordingObject, 'recordingId'),
  summary: 'Removes a recording and its file; not while it is being written.',
  body: z.object({ recordingId }),
})
