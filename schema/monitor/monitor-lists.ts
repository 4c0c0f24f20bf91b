/** [§2] The terminals in Cloud Monitoring: the same as in Devices Management, by project and with what they do. */

import { terminalListPermission } from '../device/terminal.ts'
import { screen } from '../kit/screen.ts'

export const monitorTerminalScreen = screen({
  name: 'monitor-terminal-list',
  path: '/cloudMonitor/deviceManagement/terminalList',
  menuId: 216,
  role: 'viewer',
  permission: terminalListPermission,
  parent: 'monitorDevice',
  place: 40,
  area: 'monitor',
})
