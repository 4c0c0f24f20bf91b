/** Permissions and pages of terminal recordings. */
import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'
import { remoteSessionScreen } from './remote-pages.ts'

/** A separate permission, because a user's terminal may show more than the lists of the console. */
export const remoteRecordingPermission = permission({
  id: 9003,
  name: 'remoteRecording',
  role: 'customerAdmin',
  under: 'remote-session',
})
export const remoteRecordingDeletePermission = permission({
  id: 9004,
  name: 'remoteRecordingDelete',
  role: 'customerAdmin',
  under: 'remote-session',
})

export const remoteRecordingScreen = screen({
  name: 'remote-recording',
  path: '/device/recordings',
  lists: 'remote/getRecordingList',
  permission: remoteRecordingPermission,
  under: remoteSessionScreen,
  place: 65,
  area: 'management',
})
export const remoteReplayScreen = screen({
  name: 'remote-replay',
  path: '/device/recordings/:recordingId',
  permission: remoteRecordingPermission,
  under: remoteRecordingScreen,
  area: 'management',
})
