/** The pages of remote operation [§2]; `:id` is the device's id. */
import { deviceDetailScreen } from '../device/device-pages.ts'
import { screen } from '../kit/screen.ts'
import { remoteOperationPermission, remoteWatchPermission } from './remote-access.ts'

export const remoteOperationScreen = screen({
  name: 'remote-operation',
  path: '/gateone/:id/:sn',
  permission: remoteOperationPermission,
  under: deviceDetailScreen,
  area: 'management',
})
export const remoteTerminalScreen = screen({
  name: 'remote-terminal',
  path: '/terminal/webssh/:id/:sn',
  permission: remoteOperationPermission,
  under: deviceDetailScreen,
  area: 'management',
})
/** [§2] A login is enough to open it; its actions need function 90. */
export const remoteWebScreen = screen({
  name: 'remote-web',
  path: '/web/:id/:sn',
  belongsTo: deviceDetailScreen,
  area: 'management',
})

export const remoteSessionScreen = screen({
  name: 'remote-session',
  path: '/device/remotesession',
  lists: 'remote/getRemoteList',
  menuId: 90,
  role: 'operator',
  permission: remoteOperationPermission,
  parent: 'device',
  place: 60,
  area: 'management',
})

export const remoteWatchScreen = screen({
  name: 'remote-watch',
  path: '/device/remotesession/:sessionId',
  permission: remoteWatchPermission,
  under: remoteSessionScreen,
  area: 'management',
})
