/** Permissions and pages of access on approval. */
import { permission } from '../kit/permission.ts'
import { screen } from '../kit/screen.ts'
import { remoteOperationPermission } from './remote-access.ts'
import { remoteSessionScreen } from './remote-pages.ts'

export const remoteApprovePermission = permission({
  id: 9006,
  name: 'remoteApprove',
  role: 'customerAdmin',
  under: 'remote-session',
})

export const remoteAccessScreen = screen({
  name: 'remote-access',
  path: '/device/remoteaccess',
  lists: 'remote/getAccessList',
  permission: remoteOperationPermission,
  under: remoteSessionScreen,
  place: 64,
  area: 'management',
})
